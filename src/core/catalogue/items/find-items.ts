import type { Connection, Database } from '../../platform/database/index.ts'
import type { ListedItem, MediaItem } from '../item/media-item.ts'
import { openCatalogueCache } from '../cache/catalogue-cache.ts'
import { getListedItems, getCompleteItems } from '../cache/item-cache.ts'
import { selectItemsById } from '../queries/read.ts'

/** The items with these ids, in the order of the ids. Unknown ids are left out. All ids must be UUIDs. */
export async function findItems({ db }: { db: Connection }, ids: readonly string[]): Promise<MediaItem[]> {
  if (ids.length === 0) return []
  const byId = new Map((await selectItemsById(db, ids)).map((item) => [item.id, item]))
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined)
}

/** Like `findItems`, but served from the cache where the rows have not changed since they were read. */
export async function findCachedItems({ db }: { db: Database }, ids: readonly string[]): Promise<MediaItem[]> {
  return ids.length === 0 ? [] : getCompleteItems(await openCatalogueCache(db), ids)
}

/** Like `findCachedItems`, with only the fields that lists show. */
export async function findListedItems({ db }: { db: Database }, ids: readonly string[]): Promise<ListedItem[]> {
  return ids.length === 0 ? [] : getListedItems(await openCatalogueCache(db), ids)
}
