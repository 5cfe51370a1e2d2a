import * as Flags from '@oclif/core/flags'
import type { ScanJob } from '../../core/scanning/index.ts'
import { scanJobView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { libraryArgument } from '../_support/arguments/library-argument.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<ScanJob>[] = [
  { title: 'queued', text: ({ queuedAt }) => queuedAt.toISOString() },
  { title: 'type', text: ({ type }) => type },
  { title: 'status', text: ({ status }) => status },
  { title: 'found', text: ({ itemsFound }) => String(itemsFound), alignRight: true },
  { title: 'new', text: ({ itemsAdded }) => String(itemsAdded), alignRight: true },
  { title: 'removed', text: ({ itemsRemoved }) => String(itemsRemoved), alignRight: true },
  { title: 'failed', text: ({ itemsFailed }) => String(itemsFailed), alignRight: true },
  { title: 'id', text: ({ id }) => id },
  { title: 'error', text: ({ error }) => error ?? '' },
]

export default class LibraryHistory extends BaseCommand {
  static override summary = 'List the jobs of a library, newest first.'
  static override examples = [
    '<%= config.bin %> library:history Films',
    '<%= config.bin %> library:history Films --limit 100 --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = {
    limit: Flags.integer({ min: 1, max: 100, default: 20, helpValue: 'NUMBER', summary: 'Maximum number of rows.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryHistory)
    const { library, jobs } = await this.withServices(async (services) => {
      const { listLibraryScanJobs } = await import('../../core/scanning/index.ts')
      const library = await findLibrary(services, args.library)
      return { library, jobs: await listLibraryScanJobs(services, { libraryId: library.id, limit: flags.limit }) }
    })
    return this.finish({
      result: { library_id: library.id, history: jobs.map((job) => scanJobView(job)) },
      text:
        jobs.length === 0 && !flags.plain
          ? `Never scanned: phlix library:scan ${library.id}`
          : renderTable(COLUMNS, jobs, { plain: flags.plain, output: this.output }),
    })
  }
}
