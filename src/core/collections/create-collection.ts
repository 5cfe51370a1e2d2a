import { catalogueErrors, findItems } from '../catalogue/index.ts'
import { getLibrary } from '../libraries/index.ts'
import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { parsePlaylistName } from '../smart-playlists/index.ts'
import { addToCollection } from './change-items.ts'
import { parseSortOrder, type Collection } from './collection.ts'
import { collectionErrors } from './errors.ts'
import { getCollection, type CollectionEditor } from './get-collection.ts'
import { checkCollectionParent } from './check-collection-parent.ts'
import { checkCollectionQuota } from './quota.ts'
import { insertCollection } from './queries/collections.ts'
import { checkSmartPlaylist } from './check-smart-playlist.ts'

/** The untrusted fields of a request. */
export type CollectionInput = {
  name?: unknown
  libraryId?: unknown
  smartPlaylistId?: unknown
  parentId?: unknown
  sortOrder?: unknown
}

/**
 * Creates an empty collection for the account; a smart collection is filled when it is refreshed.
 * @throws AppError `missing_name`, `missing_library_id`, `invalid_request`, `library_not_found`, `smart_playlist_not_found`,
 * `invalid_parent`, `too_many_collections`
 */
export async function createCollection(
  { db, clock }: { db: Database; clock: Clock },
  { by, input }: { by: CollectionEditor; input: CollectionInput },
): Promise<Collection> {
  const name = parsePlaylistName(input.name, collectionErrors)
  if (typeof input.libraryId !== 'string' || input.libraryId === '') throw collectionErrors.missing_library_id()
  const sortOrder = input.sortOrder === undefined ? 0 : parseSortOrder(input.sortOrder)
  const { id: libraryId } = await getLibrary({ db }, input.libraryId)
  const smartPlaylistId = await checkSmartPlaylist(db, { libraryId, value: input.smartPlaylistId })
  return db.transaction(async (connection: Connection) => {
    await checkCollectionQuota(connection, by.id)
    const parentId = await checkCollectionParent(connection, { id: null, libraryId, parentId: input.parentId })
    const row = { name, libraryId, ownerId: by.id, smartPlaylistId, parentId, sortOrder, now: clock.now() }
    return insertCollection(connection, row)
  })
}

/**
 * Creates a collection for clients that call it a playlist: of a given library, or of the library of its first item.
 * @throws AppError the errors of `createCollection`, `media_item_not_found` and `too_many_collection_items`
 */
export async function createPlaylist(
  services: { db: Database; clock: Clock },
  { by, input }: { by: CollectionEditor; input: { name?: unknown; libraryId?: unknown; mediaItemId?: unknown } },
): Promise<Collection> {
  const { name, libraryId, mediaItemId } = input
  parsePlaylistName(name, collectionErrors)
  if (mediaItemId === undefined || mediaItemId === null) {
    return createCollection(services, { by, input: { name, libraryId } })
  }
  const [item] = isRowId(mediaItemId) ? await findItems(services, [mediaItemId]) : []
  if (item === undefined) throw catalogueErrors.media_item_not_found()
  const collection = await createCollection(services, { by, input: { name, libraryId: item.libraryId } })
  await addToCollection(services, { id: collection.id, by, itemIds: [item.id] })
  return getCollection(services, collection.id)
}
