import * as Flags from '@oclif/core/flags'
import { isoTimestampOrNull } from '../../core/platform/time/index.ts'
import type { Scrobbler } from '../../core/scrobbling/index.ts'
import { scrobblerView } from '../../core/views/index.ts'
import { optionalUserArgument, readUser, userFlag } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

type Row = { username: string; scrobbler: Scrobbler }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'account', text: ({ username }) => username },
  { title: 'service', text: ({ scrobbler }) => scrobbler.service },
  { title: 'name there', text: ({ scrobbler }) => scrobbler.serviceUsername },
  { title: 'failed', text: ({ scrobbler }) => String(scrobbler.failureCount), alignRight: true },
  { title: 'last', text: ({ scrobbler }) => isoTimestampOrNull(scrobbler.lastTriggeredAt) ?? '-' },
]

export default class ScrobblerList extends BaseCommand {
  static override summary = 'List the connections of accounts with scrobbling services.'
  static override description =
    'Last.fm, ListenBrainz and Trakt. Keys are never shown. Without a user: of all accounts.'
  static override examples = ['<%= config.bin %> scrobbler:list', '<%= config.bin %> scrobbler:list ada --json']
  static override args = { user: optionalUserArgument }
  static override flags = {
    user: userFlag,
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ScrobblerList)
    const user = readUser({ argument: args.user, flag: flags.user })
    const rows = await this.withServices(async (services) => {
      const [{ listScrobblers }, { getNamedAccount, listAccounts }] = await Promise.all([
        import('../../core/scrobbling/index.ts'),
        import('../../core/accounts/index.ts'),
      ])
      const names = new Map((await listAccounts(services)).map(({ id, username }) => [id, username]))
      const account = user === undefined ? undefined : await getNamedAccount(services, user)
      const scrobblers = await listScrobblers(services)
      const wanted = scrobblers.filter(({ userId }) => account === undefined || userId === account.id)
      return wanted.map((scrobbler) => ({ scrobbler, username: names.get(scrobbler.userId) ?? scrobbler.userId }))
    })
    return this.finish({
      result: { scrobblers: rows.map(({ scrobbler, username }) => ({ ...scrobblerView(scrobbler), username })) },
      text:
        rows.length === 0 && !flags.plain
          ? 'No connections'
          : renderTable(COLUMNS, rows, { plain: flags.plain, output: this.output }),
    })
  }
}
