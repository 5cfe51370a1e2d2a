import * as Flags from '@oclif/core/flags'
import type { ScanJobStatus } from '../../core/scanning/index.ts'
import { scanJobView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { SCAN_JOB_COLUMNS } from '../_support/output/scan-job-columns.ts'
import { renderTable } from '../_support/output/table.ts'

const STATES: readonly ScanJobStatus[] = ['queued', 'running', 'completed', 'failed', 'cancelled']

export default class JobList extends BaseCommand {
  static override summary = 'List the jobs of all libraries, newest first.'
  static override description =
    'Jobs are scans, metadata refreshes, analyses and other background work. library:history lists those of one library.'
  static override examples = [
    '<%= config.bin %> job:list --state running --state queued',
    '<%= config.bin %> job:list --state failed --plain | cut -f1 | xargs -n1 <%= config.bin %> job:retry',
  ]
  static override flags = {
    state: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      options: [...STATES],
      helpValue: 'STATE',
      summary: `Only jobs in this state: ${STATES.join(', ')}; repeatable.`,
    }),
    limit: Flags.integer({ min: 1, max: 10_000, default: 50, helpValue: 'NUMBER', summary: 'Maximum number of rows.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(JobList)
    const statuses = STATES.filter((state) => flags.state?.includes(state) === true)
    const jobs = await this.withServices(async (services) => {
      const { listLibraries } = await import('../../core/libraries/index.ts')
      const { listScanJobs } = await import('../../core/scanning/index.ts')
      const names = new Map((await listLibraries(services)).map(({ id, name }) => [id, name]))
      return (await listScanJobs(services, { statuses, limit: flags.limit })).map((job) => ({
        job,
        library: names.get(job.libraryId) ?? job.libraryId,
      }))
    })
    return this.finish({
      result: { jobs: jobs.map(({ job }) => scanJobView(job)) },
      text:
        jobs.length === 0 && !flags.plain
          ? 'No jobs'
          : renderTable(SCAN_JOB_COLUMNS, jobs, { plain: flags.plain, output: this.output }),
    })
  }
}
