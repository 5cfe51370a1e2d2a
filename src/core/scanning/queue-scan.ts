import { getLibrary } from '../libraries/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { JobQueue } from '../platform/jobs/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { insertJob, joinQueuedJob } from './queries/jobs.ts'
import type { ScanJob, ScanOptions } from './scan-job.ts'

export const SCAN_QUEUE = 'library.scan'

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

export type QueueScanInput = ScanOptions & {
  libraryId: string
  type: QueueableType
  /** Id of the account that asked. */
  requestedBy?: string | undefined
}

/**
 * Queues a scan or another job of a library. A job of the same type that already waits for the library is answered instead of a second one; beside a running
 * one, one more may wait (decisions 3.5). Without `jobs` the row is made and nobody is woken: the caller runs it itself.
 * @throws AppError `library_not_found`
 */
export async function queueScan(
  { db, jobs, clock }: { db: Database; jobs?: JobQueue; clock: Clock },
  { libraryId, type, requestedBy, force, readEveryFile, limit, isAutomatic }: QueueScanInput,
): Promise<ScanJob> {
  const library = await getLibrary({ db }, libraryId)
  const options: ScanOptions = {
    ...(force === true && { force }),
    ...(readEveryFile === true && { readEveryFile }),
    ...(limit !== undefined && { limit }),
    ...(isAutomatic === true && { isAutomatic }),
  }
  const row = { libraryId: library.id, type, options, requestedBy: requestedBy ?? null }
  let job: ScanJob | undefined
  // The job that was in the way of the insertion may have been taken before it could be joined: then there is room again.
  while (job === undefined) {
    job = (await joinQueuedJob(db, row)) ?? (await insertOrMiss(db, { ...row, now: clock.now() }))
  }
  // After the row is there: should this fail, the next recovery finds a waiting row without a queue entry.
  await jobs?.enqueue(SCAN_QUEUE, { id: job.id })
  return job
}

/** @throws AppError `library_not_found` when the library was deleted since it was looked up */
async function insertOrMiss(db: Database, row: Parameters<typeof insertJob>[1]): Promise<ScanJob | undefined> {
  try {
    return await insertJob(db, row)
  } catch (error) {
    await getLibrary({ db }, row.libraryId)
    throw error
  }
}
