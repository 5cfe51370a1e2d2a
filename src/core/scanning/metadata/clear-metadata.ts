import { clearProviderArtwork } from '../../artwork/index.ts'
import {
  clearItems,
  clearPictureFacts,
  countItemsToClear,
  listItemsToClear,
  type ItemToClear,
} from '../../metadata/index.ts'
import { clearMusicFacts } from '../../music/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { JobRun } from '../job/job-run.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'

const ITEMS_PER_BATCH = 500

/**
 * Deletes the provider metadata of a library's items, of any type. No rows are deleted. User data, and the facts that names, tags and
 * probing gave, are kept.
 */
export async function clearMetadata(run: JobRun): Promise<undefined> {
  const { job, services } = run
  const { libraryId } = job
  await clearInPages(run, (connection, items) => clearItems(connection, { items, now: services.clock.now() }))
  await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    await clearProviderArtwork(connection, { libraryId })
    await clearMusicFacts(connection, { libraryId })
  })
}

/**
 * Deletes provider artwork only, including posters that users have chosen from it. Metadata is kept. A refresh restores the artwork.
 * Sidecar files and embedded pictures are not affected.
 */
export async function clearArtwork(run: JobRun): Promise<undefined> {
  const { job, services } = run
  await clearInPages(run, (connection, items) =>
    clearPictureFacts(connection, { ids: items.map(({ id }) => id), now: services.clock.now() }),
  )
  await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    await clearProviderArtwork(connection, { libraryId: job.libraryId })
  })
}

type ClearPage = (connection: Connection, items: readonly ItemToClear[]) => Promise<void>

/** Processes all items of the library, each page in one transaction with its progress. */
async function clearInPages(run: JobRun, clearPage: ClearPage): Promise<void> {
  const { job, services, counters, signal } = run
  const { libraryId } = job
  let after = job.cursor
  counters.found = await countItemsToClear(services.db, { libraryId, after: null })
  counters.updated = counters.found - (await countItemsToClear(services.db, { libraryId, after }))
  run.onProgress(await writeJobProgress(services.db, run, { counters, currentPath: null }))
  for (;;) {
    signal.throwIfAborted()
    const items = await listItemsToClear(services.db, { libraryId, after, limit: ITEMS_PER_BATCH })
    after = items.at(-1)?.id ?? null
    if (after === null) break
    const [cursor, updated] = [after, counters.updated + items.length]
    const row = await services.db.transaction(async (connection: Connection) => {
      await lockClaimedJob(connection, job)
      await clearPage(connection, items)
      return writeJobProgress(connection, run, { counters: { ...counters, updated }, currentPath: null, cursor })
    })
    counters.updated = updated
    run.onProgress(row)
  }
}
