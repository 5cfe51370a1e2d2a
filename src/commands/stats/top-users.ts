import type { TopUser } from '../../core/statistics/index.ts'
import { namedTopUserView } from '../../core/views/index.ts'
import { renderBars } from '../_support/output/bar-chart.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { describePlays, describeDuration } from '../_support/output/describe-duration.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { chartFlag, readPeriodStart, topFlags } from '../_support/arguments/statistics-flags.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<TopUser>[] = [
  { title: 'user', text: ({ username }) => username },
  { title: 'seconds', text: ({ watchedSeconds }) => String(watchedSeconds) },
  { title: 'plays', text: ({ playCount }) => String(playCount) },
  { title: 'id', text: ({ userId }) => userId },
]

export default class StatsTopUsers extends BaseCommand {
  static override summary = 'Show the accounts with the longest time of playback.'
  static override description =
    'Sorted by time, longest first. Includes all plays unless --days or --since limits the time.'
  static override examples = [
    '<%= config.bin %> stats:top-users --days 30',
    '<%= config.bin %> stats:top-users --since "-1 year" --limit 3 --json',
  ]
  static override flags = { ...topFlags, chart: chartFlag('time') }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(StatsTopUsers)
    const users = await this.withServices(async (services) => {
      const { listTopUsers } = await import('../../core/statistics/index.ts')
      return listTopUsers(services, { limit: flags.limit, since: readPeriodStart(flags) })
    })
    const bars = users.map(({ username, playCount, watchedSeconds }) => ({
      label: username,
      value: flags.chart === 'time' ? watchedSeconds : playCount,
      note: `${describeDuration(watchedSeconds)}, ${describePlays(playCount)}`,
    }))
    const chart = bars.length === 0 ? 'No plays' : renderBars(bars, this.output)
    return this.finish({
      result: { users: users.map(namedTopUserView) },
      text: flags.plain ? renderTable(COLUMNS, users, { plain: true, output: this.output }) : chart,
    })
  }
}
