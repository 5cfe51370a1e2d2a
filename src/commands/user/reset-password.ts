import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeGenerated, passwordFlags, readPassword } from '../_support/password-input.ts'
import { wireAccount } from '../_support/wire-account.ts'

export default class UserResetPassword extends BaseCommand {
  static override summary = 'Give an account a new password and end its sessions.'
  static override description =
    'Without a password one is made up and printed once on standard output; it is stored nowhere. All refresh sessions of the account ' +
    'end; access tokens that are out run out within their hour.'
  static override examples = [
    '<%= config.bin %> user:reset-password ada',
    '<%= config.bin %> user:reset-password ada@example.org --password-file ./new-password',
  ]
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'username or e-mail address' }),
  }
  static override flags = {
    'revoke-sessions': Flags.boolean({ summary: 'For scripts that want to say so; a reset always ends all sessions.' }),
    ...passwordFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserResetPassword)
    const password = await readPassword(flags, this.shared)
    const { account, generatedPassword } = await this.withServices(async (services) => {
      const { resetPassword } = await import('../../core/accounts/index.ts')
      return resetPassword(services, { usernameOrEmail: args.user, ...(password === undefined ? {} : { password }) })
    })
    const done = `New password set for ${account.username}; all sessions ended.`
    const isGenerated = generatedPassword !== undefined
    return this.finish({
      result: {
        user: wireAccount(account),
        ...(isGenerated ? { generated: generatedPassword } : {}),
        sessions_revoked: true,
      },
      text: isGenerated ? describeGenerated(done, generatedPassword, this.shared) : done,
      isPrecious: isGenerated,
    })
  }
}
