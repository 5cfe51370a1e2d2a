import * as Flags from '@oclif/core/flags'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserLink extends BaseCommand {
  static override summary = 'Link an account to a person of a sign-in plugin or of the OpenID provider.'
  static override description =
    'The password of the account stays valid. The subject is the id of the person at the provider. Without --provider ' +
    'the link is removed. When a link is removed or replaced, all sessions of the account end; its passkeys stay.'
  static override examples = [
    '<%= config.bin %> user:link ada --provider phlix-plugin-password-service --subject ada',
    '<%= config.bin %> user:link ada --provider https://auth.example.org --subject 8f1c',
    '<%= config.bin %> user:link ada',
  ]
  static override args = { user: userArgument }
  static override flags = {
    provider: Flags.string({
      helpValue: 'NAME',
      summary: 'Name of the plugin, or issuer of the OpenID provider.',
      dependsOn: ['subject'],
    }),
    subject: Flags.string({ helpValue: 'ID', summary: 'Id of the person at the provider.', dependsOn: ['provider'] }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserLink)
    const { provider, subject } = flags
    const link = provider === undefined || subject === undefined ? null : { provider, subject }
    const { account, isChanged } = await this.withServices(async (services) => {
      const { linkAccount } = await import('../../core/accounts/index.ts')
      return linkAccount(services, { usernameOrEmail: args.user, link })
    })
    const state = link === null ? 'is linked to no provider' : `is linked to ${link.subject} of ${link.provider}`
    return this.finish({
      result: { user: userView(account), link, changed: isChanged },
      text: `${account.username} ${state}.`,
    })
  }
}
