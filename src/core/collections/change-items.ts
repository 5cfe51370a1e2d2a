import { catalogueErrors, findItemIds } from '../catalogue/index.ts'
import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { invalidFieldError } from './collection.ts'
import { collectionErrors } from './errors.ts'
import { lockEditableCollection, type CollectionEditor } from './get-collection.ts'
import { checkItemQuota } from './quota.ts'
import { markCollectionEdited } from './queries/collections.ts'
import { insertItemExclusion, lockItems } from './queries/items.ts'
import { insertCollectionItems, deleteCollectionItems } from './add-and-remove-items.ts'

const MAX_IDS = 10_000

type Dependencies = { db: Database; clock: Clock }
type CollectionAddress = { id: string; by: CollectionEditor }

/** The items that a request selects: ids, or a search in the names of the library. */
export type ItemSelection = { itemIds?: unknown; query?: unknown }

/**
 * Adds items at the end of a collection, all or none; items already in it keep their position. Of a query the first 10,000 results are
 * added, by name.
 * @param input.itemIds, input.query untrusted values of a request; ids come before a query
 * @returns the number of added items
 * @throws AppError `collection_not_found`, `not_owner`, `missing_items`, `invalid_request`, `media_item_not_found`,
 * `item_of_other_library`, `too_many_collection_items`
 */
export async function addToCollection(
  { db, clock }: Dependencies,
  { itemIds, query, ...address }: CollectionAddress & ItemSelection,
): Promise<number> {
  return db.transaction(async (connection: Connection) => {
    const { id, libraryId, ownerId } = await lockEditableCollection(connection, address)
    const wanted =
      itemIds === undefined && query !== undefined
        ? await findWanted(connection, { libraryId, query })
        : await readWanted(connection, { libraryId, itemIds })
    const now = clock.now()
    const count = await insertCollectionItems(connection, { id, itemIds: wanted, now })
    if (count > 0) await checkItemQuota(connection, ownerId)
    if (count > 0) await markCollectionEdited(connection, { id, isCurated: true, now })
    return count
  })
}

async function readWanted(
  connection: Connection,
  { libraryId, itemIds: given }: { libraryId: string; itemIds: unknown },
): Promise<string[]> {
  if (!Array.isArray(given) || given.length === 0) throw collectionErrors.missing_items()
  const itemIds = parseItemIds(given)
  const items = await lockItems(connection, itemIds)
  if (items.length < itemIds.length) throw catalogueErrors.media_item_not_found()
  const foreign = items.find((item) => item.libraryId !== libraryId)
  if (foreign === undefined) return itemIds
  throw collectionErrors.item_of_other_library({ details: { media_item_id: foreign.id } })
}

async function findWanted(
  connection: Connection,
  { libraryId, query }: { libraryId: string; query: unknown },
): Promise<readonly string[]> {
  if (typeof query !== 'string') throw invalidFieldError('query', 'must be text')
  if (query.trim() === '') throw collectionErrors.missing_items()
  const itemIds = await findItemIds({ db: connection }, { libraryId, search: query, limit: MAX_IDS })
  await lockItems(connection, itemIds)
  return itemIds
}

/**
 * Removes an item from a collection. In a collection made by the server from provider data, the item is excluded permanently.
 * @throws AppError `collection_not_found`, `not_owner`, `media_item_not_found` if the item is not in it
 */
export async function removeFromCollection(
  { db, clock }: Dependencies,
  { itemId, ...address }: CollectionAddress & { itemId: string },
): Promise<void> {
  await db.transaction(async (connection: Connection) => {
    const { id, boxSetId } = await lockEditableCollection(connection, address)
    const count = isRowId(itemId) ? await deleteCollectionItems(connection, { id, itemIds: [itemId] }) : 0
    if (count === 0) throw catalogueErrors.media_item_not_found()
    if (boxSetId !== null) await insertItemExclusion(connection, { id, itemId })
    await markCollectionEdited(connection, { id, isCurated: true, now: clock.now() })
  })
}

/**
 * Reads a list of ids; duplicates count once.
 * @throws AppError `invalid_request` for a value that is not a list or is too long; `media_item_not_found` for an invalid id
 */
export function parseItemIds(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > MAX_IDS) {
    throw invalidFieldError('media_item_ids', `must be a list of at most ${MAX_IDS} ids`)
  }
  const ids: unknown[] = value
  if (!ids.every((id) => typeof id === 'string')) throw invalidFieldError('media_item_ids', 'must be a list of ids')
  if (!ids.every(isRowId)) throw catalogueErrors.media_item_not_found()
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}
