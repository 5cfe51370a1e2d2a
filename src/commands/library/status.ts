import * as Flags from '@oclif/core/flags'
import type { Library } from '../../core/libraries/index.ts'
import type { ScanJob } from '../../core/scanning/index.ts'
import { libraryView, scanJobView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { optionalLibraryArgument } from '../_support/arguments/library-argument.ts'
import { renderTable, type Column } from '../_support/output/table.ts'
import { describeJob } from '../_support/output/describe-scan.ts'

type Status = {
  library: Library
  active: ScanJob | undefined
  /** An analysis runs beside scans. */
  analysis: ScanJob | undefined
  latest: ScanJob | undefined
}

const COLUMNS: readonly Column<Status>[] = [
  { title: 'name', text: ({ library }) => library.name },
  { title: 'type', text: ({ library }) => library.type },
  { title: 'items', text: ({ library }) => String(library.itemCount), alignRight: true },
  { title: 'job', text: (status) => textOf(shownJob(status)) },
  { title: 'since', text: (status) => timeOf(shownJob(status)) },
  { title: 'note', text: (status) => shownJob(status)?.error ?? currentPathOf(status) ?? '' },
]

function shownJob({ active, analysis, latest }: Status): ScanJob | undefined {
  return active ?? analysis ?? latest
}

function currentPathOf({ active, analysis }: Status): string | null | undefined {
  return (active ?? analysis)?.currentPath
}

export default class LibraryStatus extends BaseCommand {
  static override summary = 'Show the running, queued and last job of a library, and an analysis that runs or waits.'
  static override examples = ['<%= config.bin %> library:status', '<%= config.bin %> library:status Films --json']
  static override args = { library: optionalLibraryArgument }
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryStatus)
    const statuses = await this.withServices(async (services): Promise<Status[]> => {
      const { listLibraries } = await import('../../core/libraries/index.ts')
      const { findActiveScan, findLatestScan } = await import('../../core/scanning/index.ts')
      const all =
        args.library === undefined ? await listLibraries(services) : [await findLibrary(services, args.library)]
      return Promise.all(
        all.map(async (library) => ({
          library,
          active: await findActiveScan(services, library.id),
          analysis: await findActiveScan(services, library.id, { isAnalysis: true }),
          latest: await findLatestScan(services, library.id),
        })),
      )
    })
    return this.finish({
      result: {
        libraries: statuses.map(({ library, active, analysis, latest }) => ({
          library: libraryView(library),
          active_job: active === undefined ? null : scanJobView(active),
          active_analysis: analysis === undefined ? null : scanJobView(analysis),
          latest_job: latest === undefined ? null : scanJobView(latest),
        })),
      },
      text:
        statuses.length === 0 && !flags.plain
          ? 'No library yet: phlix library:create NAME --type TYPE --path FOLDER'
          : renderTable(COLUMNS, statuses, { plain: flags.plain, output: this.output }),
    })
  }
}

function textOf(job: ScanJob | undefined): string {
  return job === undefined ? 'never scanned' : describeJob(job)
}

function timeOf(job: ScanJob | undefined): string {
  return (job?.completedAt ?? job?.startedAt ?? job?.queuedAt)?.toISOString() ?? ''
}
