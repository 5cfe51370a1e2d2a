import type { Connection } from '../platform/database/index.ts'
import { ScanTakenOver } from './errors.ts'
import { advanceJob, lockJob, type JobState } from './queries/jobs.ts'
import type { ClaimedScanJob, ScanJob } from './scan-job.ts'
import type { Scan } from './scan.ts'

/**
 * Begins a write of this worker: from here to the end of the transaction nobody else can take the job.
 * @throws ScanTakenOver when somebody has; the transaction then writes nothing
 */
export async function lockOwnJob(connection: Connection, job: ClaimedScanJob): Promise<void> {
  if (!(await lockJob(connection, job))) throw new ScanTakenOver(`scan job ${job.id} is no longer this worker's`)
}

/** Writes how far the job is, in the same transaction as what it counts. */
export async function advance(connection: Connection, { job }: Pick<Scan, 'job'>, state: JobState): Promise<ScanJob> {
  const row = await advanceJob(connection, { id: job.id, attempt: job.attempt, ...state })
  if (row === undefined) throw new ScanTakenOver(`scan job ${job.id} is no longer this worker's`)
  return row
}
