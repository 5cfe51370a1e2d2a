import { enqueueItemEvents, mergeItems, type Merge } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { transferToVersions } from '../scanning/index.ts'

/** `mergedCount`: items that lists show no longer. `movedCount`: versions and extras of theirs that belong to the kept item now. */
export type MergedDuplicates = { mergedCount: number; movedCount: number }

/**
 * Makes copies of a film or an episode versions of the one that is kept, all of them or none. What people have said about the copies,
 * their places, plays and entries in collections and playlists are the kept item's from now on. No row and no file is removed. Webhooks are told that the copies left the lists.
 * @throws AppError `media_item_not_found`, `invalid_merge`
 */
export async function mergeDuplicates(
  { db, clock }: { db: Database; clock: Clock },
  { keptId, ids }: Merge,
): Promise<MergedDuplicates> {
  return db.transaction(async (connection) => {
    const now = clock.now()
    const { libraryId, movedCount } = await mergeItems(connection, { keptId, ids, now })
    await transferToVersions(connection, { libraryId, now })
    await enqueueItemEvents(connection, { change: 'item_removed', libraryId, itemIds: ids }, now)
    await enqueueItemEvents(connection, { change: 'metadata_updated', libraryId, itemIds: [keptId] }, now)
    return { mergedCount: ids.length, movedCount }
  })
}
