import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { limitFlags, readLimits } from '../_support/arguments/access-limits.ts'
import { describeGenerated, passwordFlags, readPassword } from '../_support/arguments/password-input.ts'

export default class UserCreate extends BaseCommand {
  static override summary = 'Create an account.'
  static override description =
    'Without a password a random one is generated and printed once on standard output; it is not stored in plain ' +
    'text. Names and e-mail addresses are unique without regard to case. An administrator cannot be limited.'
  static override examples = [
    '<%= config.bin %> user:create ada --email ada@example.org --admin',
    '<%= config.bin %> user:create kim --email kim@example.org --max-rating PG --library Cartoons',
    'printf %s "$PASSWORD" | <%= config.bin %> user:create bob --email bob@example.org --password-stdin',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: '3 to 50 characters' }),
  }
  static override flags = {
    email: Flags.string({ required: true, helpValue: 'ADDRESS', summary: 'E-mail address.' }),
    admin: Flags.boolean({ summary: 'Make it an administrator.' }),
    ...limitFlags,
    ...passwordFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserCreate)
    const given = await readPassword(flags, this.shared)
    const { account, generated } = await this.withServices(async (services) => {
      const { createAccount } = await import('../../core/accounts/index.ts')
      const { EVERYTHING } = await import('../../core/access/index.ts')
      const { createPasswordHashing, generatePassword } = await import('../../core/platform/credentials/index.ts')
      const password = given ?? generatePassword()
      const access = { ...EVERYTHING, ...(await readLimits(services, flags)) }
      const input = { username: args.name, email: flags.email, password, isAdmin: flags.admin, access }
      const account = await createAccount({ ...services, passwordHashing: createPasswordHashing() }, input)
      return { account, generated: given === undefined ? password : undefined }
    })
    const done = `Created ${account.username}.`
    return this.finish({
      result: { user: userView(account), ...(generated === undefined ? {} : { generated }) },
      text: generated === undefined ? done : describeGenerated(done, generated, this.shared),
      isPrintedWhenQuiet: generated !== undefined,
    })
  }
}
