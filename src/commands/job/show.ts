import { scanJobView } from '../../core/views/index.ts'
import { jobArgument } from '../_support/arguments/job-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { SCAN_JOB_COLUMNS } from '../_support/output/scan-job-columns.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

export default class JobShow extends BaseCommand {
  static override summary = 'Show a job and the files that it could not process.'
  static override examples = ['<%= config.bin %> job:show 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { id: jobArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(JobShow)
    const { job, library, failures } = await this.withServices(async (services) => {
      const { getLibrary } = await import('../../core/libraries/index.ts')
      const { getScanJob, listScanFailures } = await import('../../core/scanning/index.ts')
      const job = await getScanJob(services, args.id)
      const { name: library } = await getLibrary(services, job.libraryId)
      return { job, library, failures: await listScanFailures(services, { scanJobId: job.id }) }
    })
    const lines = SCAN_JOB_COLUMNS.map(
      ({ title, text }) => `${title.padEnd(8)} ${replaceControlCharacters(text({ job, library }))}`,
    )
    const failed = failures.map(({ path, reason }) => `failed   ${replaceControlCharacters(`${path}: ${reason}`)}`)
    return this.finish({
      result: { job: scanJobView(job), failures: failures.map(({ path, code, reason }) => ({ path, code, reason })) },
      text: [...lines, ...failed].join('\n'),
    })
  }
}
