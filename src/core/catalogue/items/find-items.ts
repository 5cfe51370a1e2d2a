import type { Connection } from '../../platform/database/index.ts'
import type { ListedItem, MediaItem } from '../item/media-item.ts'
import type { CatalogueCache } from '../cache/catalogue-cache.ts'
import type { CachePolicy } from '../cache/item-cache.ts'
import { selectItemsById } from '../queries/select-items.ts'

/** The items with these ids, in the order of the ids. Unknown ids are left out. All ids must be UUIDs. */
export async function findItems({ db }: { db: Connection }, ids: readonly string[]): Promise<MediaItem[]> {
  if (ids.length === 0) return []
  const byId = new Map((await selectItemsById(db, ids)).map((item) => [item.id, item]))
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined)
}

type Cached = { catalogueCache: CatalogueCache }

/**
 * Like `findItems`, but served from the cache where the rows have not changed since they were read.
 * @param use whether the items may be cached in the place of others, which a part of a long list may not
 */
export async function findCachedItems(
  { catalogueCache }: Cached,
  ids: readonly string[],
  use?: CachePolicy,
): Promise<MediaItem[]> {
  return ids.length === 0 ? [] : (await catalogueCache.open()).getCompleteItems(ids, use)
}

/** Like `findCachedItems`, with only the fields that lists show. */
export async function findListedItems(
  { catalogueCache }: Cached,
  ids: readonly string[],
  use?: CachePolicy,
): Promise<ListedItem[]> {
  return ids.length === 0 ? [] : (await catalogueCache.open()).getListedItems(ids, use)
}
