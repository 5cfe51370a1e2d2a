import { getLibrary } from '../libraries/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  deleteBoxSetItems,
  deleteEmptyBoxSets,
  insertBoxSetItems,
  insertBoxSets,
  lockBoxSetFilms,
} from './queries/box-sets.ts'
import { lockCollectionTree } from './queries/collections.ts'

/**
 * Updates the collections of a library from the box sets of providers, if its option `auto_collections` is on: two films or more form a
 * collection. Names, order and manual changes stay.
 */
export async function syncBoxSets(
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
  libraryId: string,
): Promise<void> {
  const { type, autoCollections } = await getLibrary({ db }, libraryId)
  if (type !== 'movie' || !autoCollections.enabled) return
  const place = { libraryId, now: clock.now() }
  const counts = await db.transaction(async (connection: Connection) => {
    await lockCollectionTree(connection, libraryId)
    await lockBoxSetFilms(connection, libraryId)
    const made = await insertBoxSets(connection, place)
    const fuller = await insertBoxSetItems(connection, place)
    const emptier = await deleteBoxSetItems(connection, place)
    return { made, fuller, emptier, deleted: await deleteEmptyBoxSets(connection, libraryId) }
  })
  if (Object.values(counts).some((count) => count > 0)) log.info({ libraryId, ...counts }, 'updated box sets')
}
