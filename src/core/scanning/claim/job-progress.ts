import type { Connection } from '../../platform/database/index.ts'
import { ScanTakenOver } from '../errors.ts'
import { updateJobProgress, lockScanJob, type ScanJobState } from '../queries/jobs.ts'
import type { ClaimedScanJob, ScanJob } from '../job/scan-job.ts'
import type { ScanState } from '../job/scan-state.ts'

/**
 * Begins a write of this worker: no other worker can claim the job until the end of the transaction.
 * @throws ScanTakenOver if another worker has claimed it; the transaction then writes nothing
 */
export async function lockClaimedJob(connection: Connection, job: ClaimedScanJob): Promise<void> {
  if (!(await lockScanJob(connection, job))) throw new ScanTakenOver(`scan job ${job.id} is no longer this worker's`)
}

/** Writes the job's progress, in the same transaction as the counted changes. */
export async function writeJobProgress(
  connection: Connection,
  { job }: Pick<ScanState, 'job'>,
  state: ScanJobState,
): Promise<ScanJob> {
  const row = await updateJobProgress(connection, { id: job.id, attempt: job.attempt, ...state })
  if (row === undefined) throw new ScanTakenOver(`scan job ${job.id} is no longer this worker's`)
  return row
}
