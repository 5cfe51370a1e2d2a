import { findItemIds, removeUnusedSearchWords, removeLibraryItems } from '../../catalogue/index.ts'
import { LISTED_ITEMS } from '../../outbox/index.ts'
import { countItemsToClear } from '../../metadata/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { recordRemovals } from '../store/enqueue-change-events.ts'
import type { JobRun } from '../job/job-run.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import { deleteAllFolders } from '../queries/folders.ts'

/** Items per statement, including dependent rows; well within the statement timeout. */
const ITEMS_PER_STATEMENT = 500

/**
 * Deletes all items of a library with all favourites, ratings and playback positions; the library itself is kept. No file is touched, and
 * a scan finds the files again as new items.
 */
export async function deleteAllItems(run: JobRun): Promise<undefined> {
  const { job, services, counters, signal } = run
  counters.found = counters.removed + (await countItemsToClear(services.db, { libraryId: job.libraryId, after: null }))
  for (;;) {
    signal.throwIfAborted()
    const { removed, row } = await services.db.transaction((connection: Connection) => removeSome(connection, run))
    run.onProgress(row)
    if (removed === 0) break
    counters.removed += removed
  }
  await removeUnusedSearchWords(services)
}

/** Deletes a batch of items and records the progress; `removed` is 0 if none were left. */
async function removeSome(connection: Connection, run: JobRun) {
  const { job, counters } = run
  const { libraryId } = job
  await lockClaimedJob(connection, job)
  const ids = await findItemIds({ db: connection }, { libraryId, limit: LISTED_ITEMS })
  await recordRemovals(connection, { jobId: job.id, ids })
  const removed = await removeLibraryItems(connection, { libraryId, limit: ITEMS_PER_STATEMENT })
  // Clears the folder listings with every batch, because the job may end early: a scan skips folders whose cached listing is unchanged.
  await deleteAllFolders(connection, libraryId)
  const total = counters.removed + removed
  const state = { counters: { ...counters, removed: total, updated: total }, currentPath: null }
  return { removed, row: await writeJobProgress(connection, run, state) }
}
