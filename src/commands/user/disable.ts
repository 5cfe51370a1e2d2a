import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserDisable extends BaseCommand {
  static override summary = 'Lock an account and end its sessions.'
  static override description =
    'No data of the account are removed; user:enable unlocks it. A running server refuses its tokens from the next ' +
    'request on. The last active administrator cannot be disabled.'
  static override examples = ['<%= config.bin %> user:disable bob', '<%= config.bin %> user:disable bob@example.org']
  static override args = { user: userArgument }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(UserDisable)
    const { account, isChanged } = await this.withServices(async (services) => {
      const { disableAccount } = await import('../../core/accounts/index.ts')
      return disableAccount(services, { usernameOrEmail: args.user })
    })
    return this.finish({
      result: { user: userView(account), changed: isChanged },
      text: `${account.username} is ${isChanged ? 'now' : 'already'} disabled; all sessions ended.`,
    })
  }
}
