import { findItems, type MediaItem, type PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Collection } from './collection.ts'
import { getCollection } from './get-collection.ts'
import { countItems, selectItemIds } from './queries/items.ts'

/** Clients ask for a collection whole (document 4, 5.2); a bigger one is read in parts. */
const MOST_ITEMS = 1000

/**
 * A collection with its items, in its order.
 * @param input.limit 1 to 1,000, which is also what is answered when nothing is said; `offset` 0 or more
 * @throws AppError `collection_not_found`
 */
export async function readCollection(
  { db }: { db: Connection },
  { id, limit = MOST_ITEMS, offset = 0 }: PageRequest & { id: string },
): Promise<{ collection: Collection; items: MediaItem[]; total: number }> {
  const collection = await getCollection({ db }, id)
  const page = {
    limit: Math.min(Math.max(limit, 1), MOST_ITEMS),
    offset: Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER),
  }
  const itemIds = await selectItemIds(db, { id: collection.id, ...page })
  const items = await findItems({ db }, itemIds)
  return { collection, items, total: await countItems(db, collection.id) }
}
