import * as Flags from '@oclif/core/flags'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { limitedAccountView, scheduleView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadLimitedAccounts, type LimitedAccount } from '../_support/load-limited-accounts.ts'
import { describeLimits } from '../_support/output/describe-limits.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<LimitedAccount>[] = [
  { title: 'id', text: ({ account }) => account.id },
  { title: 'username', text: ({ account }) => account.username },
  { title: 'email', text: ({ account }) => account.email },
  { title: 'admin', text: ({ account }) => (account.isAdmin ? 'yes' : 'no') },
  { title: 'status', text: ({ account }) => account.status },
  { title: 'created', text: ({ account }) => toIsoTimestamp(account.createdAt) },
  {
    title: 'last login',
    text: ({ account: { lastLoginAt } }) => (lastLoginAt === null ? 'never' : toIsoTimestamp(lastLoginAt)),
  },
  { title: 'access', text: describeLimits },
]

export default class UserList extends BaseCommand {
  static override summary = 'List the accounts.'
  static override description =
    'The column `access` shows the limits of the account: libraries, age, tags, streams, bandwidth, schedules and downloads. profile:list ' +
    'shows those of its profiles. A narrow terminal cuts the column; user:show prints whole lines.'
  static override examples = ['<%= config.bin %> user:list', '<%= config.bin %> user:list --plain | cut -f2']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(UserList)
    const accounts = await this.withServices(async (services) => {
      const { listAccounts } = await import('../../core/accounts/index.ts')
      return loadLimitedAccounts(services, await listAccounts(services))
    })
    return this.finish({
      result: {
        users: accounts.map(({ account, ...limits }) => ({
          ...limitedAccountView(account, limits),
          schedules: limits.schedules.map(scheduleView),
        })),
      },
      text:
        accounts.length === 0 && !flags.plain
          ? 'No account yet: phlix user:create NAME --email ADDRESS --admin'
          : renderTable(COLUMNS, accounts, { plain: flags.plain, output: this.output }),
    })
  }
}
