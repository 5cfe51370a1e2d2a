import * as Flags from '@oclif/core/flags'
import { setTimeout as pause } from 'node:timers/promises'
import { pluralize, describeError } from '../../core/platform/errors/index.ts'
import type { ScanJob } from '../../core/scanning/index.ts'
import type { Services } from '../../core/services.ts'
import { scanJobView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'

export default class MarkersWork extends BaseCommand {
  static override summary = 'Run waiting analysis jobs in this process.'
  static override description =
    'Queues jobs of the types markers and trickplay for libraries whose options markers or trickplay are on, and ' +
    'runs all waiting jobs of these types, one after the other. A server does the same by itself; this command is ' +
    'for data directories without a running server. When it is stopped, another run continues the job.'
  static override examples = [
    '<%= config.bin %> markers:work --once',
    '30 2 * * *  <%= config.bin %> markers:work --once -q',
  ]
  static override flags = {
    once: Flags.boolean({ summary: 'Stop when no job is waiting, instead of waiting for new jobs.' }),
    interval: Flags.integer({
      min: 1,
      max: 86_400,
      default: 30,
      helpValue: 'SECONDS',
      summary: 'Interval at which the command looks for new jobs.',
    }),
  }
  static override exitCodes = [...JOB_EXITS, EXIT.partial]

  async run(): Promise<object> {
    const { flags } = await this.parse(MarkersWork)
    const ended: ScanJob[] = []
    await this.withMediaServices(
      async (services, { signal }) => {
        for (;;) {
          await this.workOnAll(services, ended, signal)
          if (flags.once) return
          await pause(flags.interval * 1000, undefined, { signal })
        }
      },
      { isSelfEnding: true },
    )
    const failedCount = ended.reduce((sum, { itemsFailed }) => sum + itemsFailed, 0)
    const isFailed = failedCount > 0 || ended.some(({ status }) => status === 'failed')
    return this.finish({
      result: { jobs: ended.map((job) => scanJobView(job)), failed_count: failedCount },
      text: ended.length === 0 ? 'No analysis is waiting' : ended.map(describe).join('\n'),
      exit: isFailed ? EXIT.partial : EXIT.ok,
    })
  }

  /** Runs each job only once, because a job that another process works on is still listed. */
  private async workOnAll(services: Services, ended: ScanJob[], signal: AbortSignal): Promise<void> {
    const { listLibraries } = await import('../../core/libraries/index.ts')
    const { listWaitingAnalyses, queueConfiguredAnalysis, recoverScanJobs, runScanJob } =
      await import('../../core/scanning/index.ts')
    const { db, clock, connectionUri } = services
    await recoverScanJobs({ db, connectionUri })
    for (const { id } of await listLibraries(services)) {
      await queueConfiguredAnalysis({ db, clock }, id).catch((error: unknown) => this.warn(describeError(error)))
    }
    const progress = await this.createProgress('Analysing')
    for (const scanJobId of await listWaitingAnalyses(services)) {
      signal.throwIfAborted()
      const input = { scanJobId, whenAborted: 'requeue' } as const
      const job = await runScanJob(services, input, signal, ({ itemsFound, itemsUpdated, currentPath }) =>
        progress.update({ done: itemsUpdated, total: itemsFound === 0 ? null : itemsFound, currentPath }),
      )
      if (job.status !== 'queued') ended.push(job)
      signal.throwIfAborted()
    }
    await progress.end()
  }
}

function describe({ type, status, itemsUpdated, itemsFailed, error }: ScanJob): string {
  const failed = itemsFailed === 0 ? '' : `, ${itemsFailed} failed`
  return `${status} ${type}: ${pluralize(itemsUpdated, 'file or season', { plural: 'files and seasons' })}${failed}${error === null ? '' : `: ${error}`}`
}
