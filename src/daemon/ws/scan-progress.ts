import { startPeriodicTask, type PeriodicTask } from '../../core/platform/concurrency/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import { listScanJobs } from '../../core/scanning/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { scanJobView } from '../../core/views/index.ts'
import type { SocketConnections } from './connections.ts'
import type { MessageViews } from './messages.view.ts'

const INTERVAL_MILLISECONDS = 1000

/** Without a running job, only every fifth call queries the database. */
const IDLE_TURNS = 5

const MAX_JOBS = 20

/** Sends the progress of running jobs to connected administrators, when it has changed: paths of files are shown to them only. */
export function startScanProgress(
  { db, log }: Pick<SigningServices, 'db' | 'log'>,
  { connections, views }: { connections: SocketConnections; views: Pick<MessageViews, 'envelope'> },
): PeriodicTask {
  /** What was sent last, by job. */
  let sent = new Map<string, string>()
  let turn = 0

  return startPeriodicTask({
    intervalMilliseconds: INTERVAL_MILLISECONDS,
    async work() {
      turn += 1
      if (!connections.hasAdministrator()) return
      if (sent.size === 0 && turn % IDLE_TURNS !== 0) return
      const jobs = await listScanJobs({ db }, { statuses: ['running'], limit: MAX_JOBS })
      const before = sent
      sent = new Map(jobs.map((job) => [job.id, JSON.stringify(scanJobView(job))]))
      for (const job of jobs) {
        if (sent.get(job.id) === before.get(job.id)) continue
        connections.sendToAdministrators(views.envelope('scan_progress', scanJobView(job)))
      }
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'the progress of scans could not be read'),
  })
}
