import { LRUCache } from 'lru-cache'
import { createBatchLoader, type Connection, type Database } from '../../platform/database/index.ts'
import type { ItemVersion } from '../item/media-item.ts'
import { selectRowVersions } from '../queries/listed-items.ts'

/** `checkedAt` is the catalogue version at which the row was last compared. */
type CachedItem<Item> = ItemVersion<Item> & { checkedAt: string }

type Cache<Item> = {
  known: LRUCache<string, CachedItem<Item>>
  fetchVersion: (id: string) => Promise<string | undefined>
}

type Select<Item> = (connection: Connection, ids: readonly string[]) => Promise<ItemVersion<Item>[]>

/**
 * The items with these ids, in their order, at this version of the catalogue. Items that no longer exist are left out. A cached item is
 * read again if the catalogue has changed and its row has been written since (PostgreSQL manual, 5.6 System Columns, `xmin`). The least
 * recently used entry is evicted first.
 */
export type GetItems<Item> = (version: string, ids: readonly string[], use?: CachePolicy) => Promise<Item[]>

/**
 * `mayEvict`, the default: items are cached in the place of others. Otherwise only free places are filled: a list that is longer than the
 * cache would evict everything else, and its own items before they are read again. Each would live long enough to be moved into the old
 * generation.
 */
export type CachePolicy = { mayEvict: boolean }

/** Creates a cache of at most `maxEntries` items. Concurrent cache misses share one query. */
export function createItemCache<Item extends { id: string }>(
  db: Database,
  { select, maxEntries }: { select: Select<Item>; maxEntries: number },
): GetItems<Item> {
  const known = new LRUCache<string, CachedItem<Item>>({ max: maxEntries })
  const fetchItem = createBatchLoader(async (ids: string[]) => {
    const rows = await select(db, ids)
    return new Map(rows.map((row) => [row.item.id, row]))
  })
  const fetchVersion = createBatchLoader((ids: string[]) => selectRowVersions(db, ids))
  return async (version, ids, { mayEvict } = { mayEvict: true }) => {
    await revalidate({ known, fetchVersion }, version, ids)
    const items = new Map<string, Item>()
    const missing: string[] = []
    for (const id of ids) {
      const entry = known.get(id)
      if (entry?.checkedAt === version) items.set(id, entry.item)
      else missing.push(id)
    }
    for (const fetched of await Promise.all(missing.map(fetchItem))) {
      if (fetched === undefined) continue
      items.set(fetched.item.id, fetched.item)
      if (mayEvict || known.size < maxEntries || known.has(fetched.item.id))
        known.set(fetched.item.id, { checkedAt: version, ...fetched })
    }
    return ids.map((id) => items.get(id)).filter((item) => item !== undefined)
  }
}

/** Revalidates entries that were compared at another catalogue version. Most rows have not changed. */
async function revalidate<Item extends { id: string }>(
  { known, fetchVersion }: Cache<Item>,
  version: string,
  ids: readonly string[],
): Promise<void> {
  const old = ids
    .map((id) => known.get(id))
    .filter((entry) => entry !== undefined)
    .filter(({ checkedAt }) => checkedAt !== version)
  const rowVersions = await Promise.all(old.map(({ item }) => fetchVersion(item.id)))
  for (const [index, entry] of old.entries()) {
    if (rowVersions[index] === entry.rowVersion) entry.checkedAt = version
  }
}
