import * as Flags from '@oclif/core/flags'
import type { AccessRule } from '../../core/access/index.ts'
import type { Account } from '../../core/accounts/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { accessView, accountView } from '../../core/views/index.ts'
import { describeAccess, describeDownloads } from '../_support/arguments/access-limits.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<Account & { access: AccessRule }>[] = [
  { title: 'id', text: (account) => account.id },
  { title: 'username', text: (account) => account.username },
  { title: 'email', text: (account) => account.email },
  { title: 'admin', text: (account) => (account.isAdmin ? 'yes' : 'no') },
  { title: 'status', text: (account) => account.status },
  { title: 'created', text: (account) => toIsoTimestamp(account.createdAt) },
  {
    title: 'last login',
    text: (account) => (account.lastLoginAt === null ? 'never' : toIsoTimestamp(account.lastLoginAt)),
  },
  { title: 'access', text: (account) => `${describeAccess(account.access)}${describeDownloads(account)}` },
]

export default class UserList extends BaseCommand {
  static override summary = 'List the accounts.'
  static override examples = ['<%= config.bin %> user:list', '<%= config.bin %> user:list --plain | cut -f2']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(UserList)
    const accounts = await this.withServices(async (services) => {
      const { listAccounts, addAccessRules } = await import('../../core/accounts/index.ts')
      return addAccessRules(services, await listAccounts(services))
    })
    return this.finish({
      result: {
        users: accounts.map((account) => ({
          ...accountView(account),
          access: accessView(account.access),
          can_download: account.mayDownload,
        })),
      },
      text:
        accounts.length === 0 && !flags.plain
          ? 'No account yet: phlix user:create NAME --email ADDRESS --admin'
          : renderTable(COLUMNS, accounts, { plain: flags.plain, output: this.output }),
    })
  }
}
