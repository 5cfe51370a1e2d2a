import { scanJobView } from '../../core/views/index.ts'
import { jobArgument } from '../_support/arguments/job-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { queueingServices } from '../_support/queueing-services.ts'

export default class JobRetry extends BaseCommand {
  static override summary = 'Queue the work of a failed or cancelled job again.'
  static override description =
    'The new job has the same options. A waiting job of the same kind is used instead of a second one. Without a server the job waits ' +
    'until one starts.'
  static override examples = ['<%= config.bin %> job:retry 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { id: jobArgument }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(JobRetry)
    const { job, isServerRunning } = await this.withServices(async (services) => {
      const { retryScanJob } = await import('../../core/scanning/index.ts')
      const { queueing, isServerRunning } = await queueingServices(services)
      return { job: await retryScanJob({ ...queueing, db: services.db }, args.id), isServerRunning }
    })
    return this.finish({
      result: { job: scanJobView(job), waits_for_server: !isServerRunning },
      text: `${job.id} is ${job.status}${isServerRunning ? '' : ' until the server starts'}.`,
    })
  }
}
