import type { Database } from '../../platform/database/index.ts'
import { ScanTakenOver } from '../errors.ts'
import { isOwnJob } from '../queries/jobs.ts'
import type { ClaimedScanJob } from '../job/scan-job.ts'

const POLL_MILLISECONDS = 1000

/**
 * Polls every second whether this worker still owns a job, so that a cancelled job ends soon even while it reads a slow disk without
 * writing. Database errors are ignored.
 * @param onLost called once, with a ScanTakenOver
 * @returns a function that stops polling
 */
export function watchClaim(db: Database, job: ClaimedScanJob, onLost: (reason: ScanTakenOver) => void): () => void {
  let isOver = false
  let isPolling = false
  const poll = async (): Promise<void> => {
    if (isPolling) return
    isPolling = true
    const isOurs = await isOwnJob(db, job).catch(() => true)
    isPolling = false
    if (isOurs || isOver) return
    stop()
    onLost(new ScanTakenOver(`scan job ${job.id} was cancelled or taken over`))
  }
  const timer = setInterval(() => void poll(), POLL_MILLISECONDS)
  timer.unref()
  const stop = (): void => {
    isOver = true
    clearInterval(timer)
  }
  return stop
}
