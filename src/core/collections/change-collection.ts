import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { parsePlaylistName } from '../smart-playlists/index.ts'
import { parseItemIds } from './change-items.ts'
import { parseSortOrder, type Collection } from './collection.ts'
import type { CollectionInput } from './create-collection.ts'
import { collectionErrors } from './errors.ts'
import { lockEditableCollection, type CollectionEditor } from './get-collection.ts'
import { checkCollectionParent } from './check-collection-parent.ts'
import { deleteCollectionRecord, updateCollection } from './queries/collections.ts'
import { updateItemOrder } from './queries/items.ts'
import { checkSmartPlaylist } from './check-smart-playlist.ts'

type CollectionAddress = { id: string; by: CollectionEditor }

/** Absent fields are unchanged; the library cannot be changed. `itemIds` is the new order of the items; unnamed items follow. */
export type CollectionChanges = Omit<CollectionInput, 'libraryId'> & { itemIds?: unknown }

/**
 * Changes a collection; only its owner and administrators may.
 * @throws AppError `collection_not_found`, `not_owner`, `missing_name`, `invalid_request`, `smart_playlist_not_found`, `invalid_parent`
 */
export async function changeCollection(
  { db, clock }: { db: Database; clock: Clock },
  { changes, ...address }: CollectionAddress & { changes: CollectionChanges },
): Promise<Collection> {
  return db.transaction(async (connection: Connection) => {
    const before = await lockEditableCollection(connection, address)
    const { id, libraryId } = before
    const row = {
      id,
      name: changes.name === undefined ? before.name : parsePlaylistName(changes.name, collectionErrors),
      sortOrder: changes.sortOrder === undefined ? before.sortOrder : parseSortOrder(changes.sortOrder),
      smartPlaylistId:
        changes.smartPlaylistId === undefined
          ? undefined
          : await checkSmartPlaylist(connection, { libraryId, value: changes.smartPlaylistId }),
      parentId:
        changes.parentId === undefined
          ? undefined
          : await checkCollectionParent(connection, { id, libraryId, parentId: changes.parentId }),
      now: clock.now(),
    }
    if (changes.itemIds !== undefined) await updateItemOrder(connection, { id, itemIds: parseItemIds(changes.itemIds) })
    return updateCollection(connection, row)
  })
}

/**
 * Deletes a collection. Its items stay in the library, and its child collections move to the top level.
 * @throws AppError `collection_not_found`, `not_owner`
 */
export async function deleteCollection({ db }: { db: Database }, address: CollectionAddress): Promise<void> {
  await db.transaction(async (connection: Connection) => {
    const { id } = await lockEditableCollection(connection, address)
    await deleteCollectionRecord(connection, id)
  })
}
