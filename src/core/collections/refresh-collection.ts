import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { getSmartPlaylist, findItemsByRules } from '../smart-playlists/index.ts'
import { collectionErrors } from './errors.ts'
import { lockEditableCollection, type CollectionEditor } from './get-collection.ts'
import { checkItemQuota } from './quota.ts'
import { markCollectionEdited } from './queries/collections.ts'
import { selectCollectionItemIds } from './queries/items.ts'
import { planItemSync } from './plan-sync.ts'
import { insertCollectionItems, deleteCollectionItems } from './add-and-remove-items.ts'

/**
 * Updates a smart collection by its rules: new items are appended, items that no longer match are removed, the others keep their
 * position. An unchanged collection is not written.
 * @returns the numbers of added and removed items
 * @throws AppError `collection_not_found`, `not_owner`, `not_smart`, `rules_too_slow`, `too_many_collection_items`
 */
export async function refreshCollection(
  { db, clock }: { db: Database; clock: Clock },
  address: { id: string; by: CollectionEditor },
): Promise<{ added: number; removed: number }> {
  return db.transaction(async (connection: Connection) => {
    const { id, libraryId, ownerId, smartPlaylistId } = await lockEditableCollection(connection, address)
    if (smartPlaylistId === null) throw collectionErrors.not_smart()
    const selection = await getSmartPlaylist({ db: connection }, smartPlaylistId)
    const wanted = await findItemsByRules({ db: connection }, { libraryId, selection })
    const present = await selectCollectionItemIds(connection, { id, limit: null, offset: 0 })
    const plan = planItemSync({ present, wanted })
    const now = clock.now()
    const removed = await deleteCollectionItems(connection, { id, itemIds: plan.removed })
    const added = await insertCollectionItems(connection, { id, itemIds: plan.added, now })
    if (added > 0) await checkItemQuota(connection, ownerId)
    if (added + removed > 0) await markCollectionEdited(connection, { id, isCurated: false, now })
    return { added, removed }
  })
}
