import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserEnable extends BaseCommand {
  static override summary = 'Unlock a disabled account, or approve a registration that waits.'
  static override description =
    'Sessions that ended when the account was disabled do not continue: the user logs in again. Registrations wait while ' +
    'accounts.approval is on; user:list shows them as pending.'
  static override examples = ['<%= config.bin %> user:enable bob']
  static override args = { user: userArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(UserEnable)
    const { account, isChanged } = await this.withServices(async (services) => {
      const { enableAccount } = await import('../../core/accounts/index.ts')
      return enableAccount(services, { usernameOrEmail: args.user })
    })
    return this.finish({
      result: { user: userView(account), changed: isChanged },
      text: `${account.username} is ${isChanged ? 'active again' : 'already active'}.`,
    })
  }
}
