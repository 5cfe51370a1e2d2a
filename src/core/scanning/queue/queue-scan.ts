import { getLibrary } from '../../libraries/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { JobName, JobQueue } from '../../platform/jobs/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { insertScanJob, mergeIntoQueuedJob } from '../queries/jobs.ts'
import { isAnalysis, type ScanJob, type ScanJobType, type ScanOptions } from '../job/scan-job.ts'

/** The queue of a job type. An analysis takes hours, so it has workers of its own. */
export function queueForJobType(type: ScanJobType): JobName {
  return isAnalysis(type) ? 'library.analysis' : 'library.scan'
}

export type QueueableType =
  | 'scan'
  | 'rescan'
  | 'prune'
  | 'source_backfill'
  | 'metadata'
  | 'metadata_refresh'
  | 'clear_metadata'
  | 'clear_artwork'
  | 'delete_all'
  | 'markers'
  | 'trickplay'

export type QueueScanInput = ScanOptions & {
  libraryId: string
  type: QueueableType
  /** Id of the requesting account. */
  requestedBy?: string | undefined
}

/**
 * Queues a scan or another job of a library. If a job of the same type is waiting, that job is returned and no other is queued; one job may
 * wait while another runs. Without `jobs` the row is inserted and no worker is notified, because the caller runs the job itself.
 * @throws AppError `library_not_found`
 */
export async function queueScan(
  { db, jobs, clock }: { db: Database; jobs?: JobQueue; clock: Clock },
  { libraryId, type, requestedBy, force, readEveryFile, limit, itemId, isAutomatic }: QueueScanInput,
): Promise<ScanJob> {
  const library = await getLibrary({ db }, libraryId)
  const options: ScanOptions = {
    ...(force === true && { force }),
    ...(readEveryFile === true && { readEveryFile }),
    ...(limit !== undefined && { limit }),
    ...(itemId !== undefined && { itemId }),
    ...(isAutomatic === true && { isAutomatic }),
  }
  const row = { libraryId: library.id, type, options, requestedBy: requestedBy ?? null }
  let job: ScanJob | undefined
  // The job that prevented the insertion may have been claimed before it could be joined; then the insertion is tried again.
  while (job === undefined) {
    job = (await mergeIntoQueuedJob(db, row)) ?? (await insertOrMiss(db, { ...row, now: clock.now() }))
  }
  // The queue entry is made after the insertion: if it fails, the next recovery finds a waiting row without a queue entry.
  await jobs?.enqueue(queueForJobType(type), { id: job.id })
  return job
}

/** @throws AppError `library_not_found` if the library was deleted meanwhile */
async function insertOrMiss(db: Database, row: Parameters<typeof insertScanJob>[1]): Promise<ScanJob | undefined> {
  try {
    return await insertScanJob(db, row)
  } catch (error) {
    await getLibrary({ db }, row.libraryId)
    throw error
  }
}
