import * as Flags from '@oclif/core/flags'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { TranscodeSummary } from '../../core/streaming/index.ts'
import { transcodeSummaryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<TranscodeSummary>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'status', text: ({ status }) => status },
  { title: 'profile', text: ({ profile }) => profile },
  { title: 'encoders', text: ({ encoders }) => String(encoders), alignRight: true },
  { title: 'done', text: ({ percent }) => `${percent} %`, alignRight: true },
  { title: 'last used', text: ({ lastUsedAt }) => toIsoTimestamp(lastUsedAt) },
  { title: 'item', text: ({ itemName }) => itemName },
]

export default class TranscodeList extends BaseCommand {
  static override summary = 'List the transcode jobs.'
  static override description =
    'Sorted by last use, newest first. A job encodes only when segments are requested. The column of encoders ' +
    'counts processes that encode for the job or wait for its next request.'
  static override examples = [
    '<%= config.bin %> transcode:list',
    '<%= config.bin %> transcode:list --limit 5 --json',
    '<%= config.bin %> transcode:list --plain | cut -f1',
  ]
  static override flags = {
    limit: Flags.integer({
      min: 1,
      max: 10_000,
      default: 100,
      helpValue: 'NUMBER',
      summary: 'Maximum number of rows.',
    }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(TranscodeList)
    const jobs = await this.withServices(async (services) => {
      const { listTranscodes } = await import('../../core/streaming/index.ts')
      return listTranscodes(services, { limit: flags.limit })
    })
    return this.finish({
      result: { jobs: jobs.map(transcodeSummaryView) },
      text:
        jobs.length === 0 && !flags.plain
          ? 'No transcode jobs'
          : renderTable(COLUMNS, jobs, { plain: flags.plain, output: this.output }),
    })
  }
}
