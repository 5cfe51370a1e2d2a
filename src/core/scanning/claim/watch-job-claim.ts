import { startPeriodicTask } from '../../platform/concurrency/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { ScanTakenOver } from '../errors.ts'
import { isJobOwnedByWorker } from '../queries/jobs.ts'
import type { ClaimedScanJob } from '../job/scan-job.ts'

const POLL_MILLISECONDS = 1000

/**
 * Polls every second whether this worker still owns a job, so that a cancelled job ends soon even while it reads a slow disk without
 * writing. Database errors are ignored.
 * @param onLost called once, with a ScanTakenOver
 * @returns a function that stops polling
 */
export function watchJobClaim(db: Database, job: ClaimedScanJob, onLost: (reason: ScanTakenOver) => void): () => void {
  const task = startPeriodicTask({
    intervalMilliseconds: POLL_MILLISECONDS,
    keepsProcessAlive: false,
    work: async (signal) => {
      if ((await isJobOwnedByWorker(db, job)) || signal.aborted) return
      stop()
      onLost(new ScanTakenOver(`scan job ${job.id} was cancelled or taken over`))
    },
    onError: () => {},
  })
  const stop = (): void => void task.stop()
  return stop
}
