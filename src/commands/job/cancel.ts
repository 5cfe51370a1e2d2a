import { scanJobView } from '../../core/views/index.ts'
import { jobArgument } from '../_support/arguments/job-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { queueingServices } from '../_support/queueing-services.ts'

export default class JobCancel extends BaseCommand {
  static override summary = 'Cancel a waiting or running job; its results so far are kept.'
  static override examples = ['<%= config.bin %> job:cancel 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { id: jobArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(JobCancel)
    const { job, cancelled } = await this.withServices(async (services) => {
      const { cancelScan, getScanJob } = await import('../../core/scanning/index.ts')
      const { queueing } = await queueingServices(services)
      const { id } = await getScanJob(services, args.id)
      const jobs = await cancelScan(queueing, { scanJobId: id })
      return { job: await getScanJob(services, id), cancelled: jobs.length > 0 }
    })
    return this.finish({
      result: { job: scanJobView(job), cancelled },
      text: cancelled ? `${job.id} is cancelled.` : `${job.id} had already ended: ${job.status}.`,
    })
  }
}
