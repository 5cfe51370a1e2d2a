import { enqueueItemEvents, mergeItems, type DuplicateMerge } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { transferUserDataToVersions } from '../scanning/index.ts'

/** `mergedCount`: items that are no longer listed. `movedCount`: their versions and extras that now belong to the kept item. */
export type MergedDuplicates = { mergedCount: number; movedCount: number }

/**
 * Makes duplicates of a film or an episode versions of the kept item, all or none. User data about the duplicates, their playback
 * positions, plays, and entries in collections and playlists are transferred to the kept item. No row and no file is deleted. Webhooks are
 * notified that the duplicates are no longer listed.
 * @throws AppError `media_item_not_found`, `invalid_merge`
 */
export async function mergeDuplicates(
  { db, clock }: { db: Database; clock: Clock },
  { keptId, ids }: DuplicateMerge,
): Promise<MergedDuplicates> {
  return db.transaction(async (connection) => {
    const now = clock.now()
    const { libraryId, movedCount } = await mergeItems(connection, { keptId, ids, now })
    await transferUserDataToVersions(connection, { libraryId, now })
    await enqueueItemEvents(connection, { change: 'item_removed', libraryId, itemIds: ids }, now)
    await enqueueItemEvents(connection, { change: 'metadata_updated', libraryId, itemIds: [keptId] }, now)
    return { mergedCount: ids.length, movedCount }
  })
}
