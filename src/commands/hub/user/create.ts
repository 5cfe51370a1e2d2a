import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../../_support/exit-codes.ts'
import { describeGenerated, passwordFlags, readPassword } from '../../_support/arguments/password-input.ts'

export default class HubUserCreate extends BaseCommand {
  static override summary = 'Create an account of the hub.'
  static override description =
    'Accounts of a hub are separate from those of servers. Without a password a random one is generated and printed once on standard output.'
  static override examples = [
    '<%= config.bin %> hub:user:create ada --email ada@example.org --admin',
    'printf %s "$PASSWORD" | <%= config.bin %> hub:user:create bob --email bob@example.org --password-stdin',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: '3 to 50 characters' }),
  }
  static override flags = {
    email: Flags.string({ required: true, helpValue: 'ADDRESS', summary: 'E-mail address.' }),
    admin: Flags.boolean({ summary: 'Make it an administrator of the hub.' }),
    ...passwordFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(HubUserCreate)
    const given = await readPassword(flags, this.shared)
    const { user, generated } = await this.withHubStore(async (store) => {
      const { createHubUser, hubUserView } = await import('../../../core/hub/index.ts')
      const { generatePassword } = await import('../../../core/platform/credentials/index.ts')
      const password = given ?? generatePassword()
      const input = { username: args.name, email: flags.email, password, isAdmin: flags.admin, actor: 'command line' }
      const user = hubUserView(await createHubUser(store, input))
      return { user, generated: given === undefined ? password : undefined }
    })
    const done = `Created ${user.username}.`
    return this.finish({
      result: { user, ...(generated === undefined ? {} : { generated }) },
      text: generated === undefined ? done : describeGenerated(done, generated, this.shared),
      isPrintedWhenQuiet: generated !== undefined,
    })
  }
}
