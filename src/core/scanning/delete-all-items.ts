import { findItemIds, removeUnusedWords, removeSomeItems } from '../catalogue/index.ts'
import { LISTED_ITEMS } from '../outbox/index.ts'
import { countItemsToClear } from '../metadata/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { noteRemovals } from './enqueue-change-events.ts'
import type { JobRun } from './job-run.ts'
import { advance, lockOwnJob } from './progress.ts'
import { forgetFolders } from './queries/folders.ts'

/** What one statement removes, with all that hangs on it, well inside its time limit. */
const ITEMS_PER_STATEMENT = 500

/**
 * Empties a library: its items go with everybody's favourites, ratings and places, the library stays. No file is touched; a scan finds
 * them again as new items.
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
  await removeUnusedWords(services)
}

/** One part of the items, with the progress that it is; `removed` is 0 when nothing was left. */
async function removeSome(connection: Connection, run: JobRun) {
  const { job, counters } = run
  const { libraryId } = job
  await lockOwnJob(connection, job)
  const ids = await findItemIds({ db: connection }, { libraryId, limit: LISTED_ITEMS })
  await noteRemovals(connection, { jobId: job.id, ids })
  const removed = await removeSomeItems(connection, { libraryId, limit: ITEMS_PER_STATEMENT })
  // With every part, for the job may end before the last one: a scan does not look into folders whose listing is remembered.
  await forgetFolders(connection, libraryId)
  const total = counters.removed + removed
  const state = { counters: { ...counters, removed: total, updated: total }, currentPath: null }
  return { removed, row: await advance(connection, run, state) }
}
