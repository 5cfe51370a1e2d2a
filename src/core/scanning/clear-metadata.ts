import { clearProviderArtwork } from '../artwork/index.ts'
import { clearItems, countItemsToClear, listItemsToClear } from '../metadata/index.ts'
import { clearMusicFacts } from '../music/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { JobRun } from './job-run.ts'
import { advance, lockOwnJob } from './progress.ts'

const ITEMS_PER_BATCH = 500

/**
 * Takes away what providers have said about the items of a library, of whatever type; no row goes, and nothing of what people, names, tags
 * and probing said (document 1, job semantics 7).
 */
export async function clearMetadata(run: JobRun): Promise<undefined> {
  const { job, services, counters, signal } = run
  const { libraryId } = job
  let after = job.cursor
  counters.found = await countItemsToClear(services.db, { libraryId, after: null })
  counters.updated = counters.found - (await countItemsToClear(services.db, { libraryId, after }))
  run.onProgress(await advance(services.db, run, { counters, currentPath: null }))
  for (;;) {
    signal.throwIfAborted()
    const items = await listItemsToClear(services.db, { libraryId, after, limit: ITEMS_PER_BATCH })
    after = items.at(-1)?.id ?? null
    if (after === null) break
    const [cursor, updated] = [after, counters.updated + items.length]
    const row = await services.db.transaction(async (connection: Connection) => {
      await lockOwnJob(connection, job)
      await clearItems(connection, { items, now: services.clock.now() })
      return advance(connection, run, { counters: { ...counters, updated }, currentPath: null, cursor })
    })
    counters.updated = updated
    run.onProgress(row)
  }
  await services.db.transaction(async (connection: Connection) => {
    await lockOwnJob(connection, job)
    await clearProviderArtwork(connection, { libraryId })
    await clearMusicFacts(connection, { libraryId })
  })
}
