import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { LoginSession } from '../../core/accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import { loginSessionView } from '../../core/views/index.ts'
import { readUser, userFlag } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<LoginSession>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'username', text: ({ username }) => username },
  { title: 'signed in', text: ({ createdAt }) => toIsoTimestamp(createdAt) },
  { title: 'last used', text: ({ lastUsedAt }) => isoTimestampOrNull(lastUsedAt) ?? 'never' },
  { title: 'expires', text: ({ expiresAt }) => isoTimestampOrNull(expiresAt) ?? '' },
]

export default class SessionList extends BaseCommand {
  static override summary = 'List the login sessions of users.'
  static override description =
    'A session begins with a sign-in and belongs to one client. Sorted by last use, newest first.'
  static override examples = ['<%= config.bin %> session:list', '<%= config.bin %> session:list ann --json']
  static override args = {
    user: Args.string({ ignoreStdin: true, description: 'username or e-mail address; default: all users' }),
  }
  static override flags = {
    user: userFlag,
    limit: Flags.integer({
      min: 1,
      max: 10_000,
      default: 100,
      helpValue: 'NUMBER',
      summary: 'Maximum number of rows.',
    }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(SessionList)
    const user = readUser({ argument: args.user, flag: flags.user })
    const sessions = await this.withServices(async (services) => {
      const { getNamedAccount, listLoginSessions } = await import('../../core/accounts/index.ts')
      const account = user === undefined ? undefined : await getNamedAccount(services, user)
      return listLoginSessions(services, { accountId: account?.id, limit: flags.limit })
    })
    return this.finish({
      result: { sessions: sessions.map(loginSessionView) },
      text:
        sessions.length === 0 && !flags.plain
          ? 'No user is signed in'
          : renderTable(COLUMNS, sessions, { plain: flags.plain, output: this.output }),
    })
  }
}
