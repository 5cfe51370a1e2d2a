import type { TopItem } from '../../core/statistics/index.ts'
import { namedTopItemView } from '../../core/views/index.ts'
import { renderBars } from '../_support/output/bar-chart.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { describePlays, describeDuration } from '../_support/output/describe-duration.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { chartFlag, readPeriodStart, topFlags } from '../_support/arguments/statistics-flags.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<TopItem>[] = [
  { title: 'name', text: ({ item }) => item.name },
  { title: 'type', text: ({ item }) => item.type },
  { title: 'plays', text: ({ playCount }) => String(playCount) },
  { title: 'seconds', text: ({ watchedSeconds }) => String(watchedSeconds) },
  { title: 'id', text: ({ item }) => item.id },
]

export default class StatsTopMedia extends BaseCommand {
  static override summary = 'Show the most played items.'
  static override description =
    'Sorted by the number of plays, highest first. Includes all plays unless --days or --since limits the time.'
  static override examples = [
    '<%= config.bin %> stats:top-media --days 30',
    '<%= config.bin %> stats:top-media --since 2026-01-01 --chart time --json',
  ]
  static override flags = { ...topFlags, chart: chartFlag('plays') }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(StatsTopMedia)
    const media = await this.withServices(async (services) => {
      const { listTopItems } = await import('../../core/statistics/index.ts')
      return listTopItems(services, { limit: flags.limit, since: readPeriodStart(flags) })
    })
    const bars = media.map(({ item, playCount, watchedSeconds }) => ({
      label: item.name,
      value: flags.chart === 'time' ? watchedSeconds : playCount,
      note: `${describePlays(playCount)}, ${describeDuration(watchedSeconds)}`,
    }))
    const chart = bars.length === 0 ? 'Nothing was played' : renderBars(bars, this.output)
    return this.finish({
      result: { media: media.map(namedTopItemView) },
      text: flags.plain ? renderTable(COLUMNS, media, { plain: true, output: this.output }) : chart,
    })
  }
}
