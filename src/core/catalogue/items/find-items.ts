import type { Connection } from '../../platform/database/index.ts'
import type { ListedItem, MediaItem } from '../item/media-item.ts'
import type { CatalogueCache } from '../cache/catalogue-cache.ts'
import { selectItemsById } from '../queries/read.ts'

/** The items with these ids, in the order of the ids. Unknown ids are left out. All ids must be UUIDs. */
export async function findItems({ db }: { db: Connection }, ids: readonly string[]): Promise<MediaItem[]> {
  if (ids.length === 0) return []
  const byId = new Map((await selectItemsById(db, ids)).map((item) => [item.id, item]))
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined)
}

type Cached = { catalogueCache: CatalogueCache }

/** Like `findItems`, but served from the cache where the rows have not changed since they were read. */
export async function findCachedItems({ catalogueCache }: Cached, ids: readonly string[]): Promise<MediaItem[]> {
  return ids.length === 0 ? [] : (await catalogueCache.open()).getCompleteItems(ids)
}

/** Like `findCachedItems`, with only the fields that lists show. */
export async function findListedItems({ catalogueCache }: Cached, ids: readonly string[]): Promise<ListedItem[]> {
  return ids.length === 0 ? [] : (await catalogueCache.open()).getListedItems(ids)
}
