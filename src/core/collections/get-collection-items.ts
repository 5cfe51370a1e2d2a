import { checkPage, UNPAGED_LIST_BOUNDS, type PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Collection } from './collection.ts'
import { getCollection } from './get-collection.ts'
import { countItemsOfCollection, selectCollectionItemIds } from './queries/items.ts'

/**
 * A collection with the ids of its items, in its order. Clients request small collections completely, and larger ones in pages.
 * @param input.limit 1 to 1,000, which is also the default; `offset` 0 or more
 * @throws AppError `collection_not_found`
 */
export async function getCollectionWithItems(
  { db }: { db: Connection },
  { id, ...page }: PageRequest & { id: string },
): Promise<{ collection: Collection; itemIds: readonly string[]; total: number }> {
  const collection = await getCollection({ db }, id)
  const itemIds = await selectCollectionItemIds(db, { id: collection.id, ...checkPage(page, UNPAGED_LIST_BOUNDS) })
  return { collection, itemIds, total: await countItemsOfCollection(db, collection.id) }
}
