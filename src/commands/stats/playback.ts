import * as Flags from '@oclif/core/flags'
import type { PlayDay } from '../../core/statistics/index.ts'
import { playDayView } from '../../core/views/index.ts'
import { renderBars } from '../_support/output/bar-chart.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { describePlays, describeDuration } from '../_support/output/describe-duration.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { chartFlag, daysFlag, plainFlag } from '../_support/arguments/statistics-flags.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<PlayDay>[] = [
  { title: 'day', text: ({ day }) => day },
  { title: 'plays', text: ({ playCount }) => String(playCount) },
  { title: 'completed', text: ({ completedCount }) => String(completedCount) },
  { title: 'seconds', text: ({ watchedSeconds }) => String(watchedSeconds) },
]

export default class StatsPlayback extends BaseCommand {
  static override summary = 'Show the plays of each day.'
  static override description =
    'Days are days in UTC. A play is counted once per session and item, if 90 % were watched or when the session ' +
    'ends. Plays of deleted accounts and items are not shown.'
  static override examples = [
    '<%= config.bin %> stats:playback',
    '<%= config.bin %> stats:playback --days 7 --chart time',
    '<%= config.bin %> stats:playback --from 2026-01-01 --to 2026-01-31 --json',
  ]
  static override flags = {
    days: daysFlag,
    from: Flags.string({
      helpValue: 'TIME',
      summary: 'First day: a date, or a time span such as "-2 weeks".',
    }),
    to: Flags.string({ helpValue: 'TIME', summary: 'Last day; default: today.' }),
    chart: chartFlag('plays'),
    plain: plainFlag,
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(StatsPlayback)
    const hasSpan = flags.from !== undefined || flags.to !== undefined
    if (flags.days !== undefined && hasSpan) {
      throw commandErrors.usage({ message: 'Give either --days, or --from and --to' })
    }
    const from = flags.days === undefined ? flags.from : `-${flags.days} days`
    const days = await this.withServices(async (services) => {
      const { listPlayDays } = await import('../../core/statistics/index.ts')
      return listPlayDays(services, { from, to: flags.to })
    })
    const isTime = flags.chart === 'time'
    const bars = days.map(({ day, playCount, watchedSeconds }) => ({
      label: day,
      value: isTime ? watchedSeconds : playCount,
      note: playCount === 0 ? '' : `${describePlays(playCount)}, ${describeDuration(watchedSeconds)}`,
    }))
    return this.finish({
      result: { series: days.map(playDayView) },
      text: flags.plain
        ? renderTable(COLUMNS, days, { plain: true, output: this.output })
        : renderBars(bars, this.output),
    })
  }
}
