import { LRUCache } from 'lru-cache'
import { createBatchLoader, type Connection, type Database } from '../../platform/database/index.ts'
import type { CatalogueCache } from './catalogue-cache.ts'
import type { ItemVersion } from '../item/media-item.ts'
import { selectListedById, selectVersions } from '../queries/listed.ts'
import { selectCompleteById } from '../queries/read.ts'

/** `checkedAt` is the catalogue version at which the row was last compared. */
type CachedItem<Item> = ItemVersion<Item> & { checkedAt: string }

type Cache<Item> = {
  known: LRUCache<string, CachedItem<Item>>
  /** Batched: concurrent cache misses share one query. */
  fetchItem: (id: string) => Promise<ItemVersion<Item> | undefined>
  fetchVersion: (id: string) => Promise<string | undefined>
}

type Select<Item> = (connection: Connection, ids: readonly string[]) => Promise<ItemVersion<Item>[]>

/**
 * The items with these ids, in their order. Items that no longer exist are left out. A cached item is read again if the catalogue has
 * changed and its row has been written since (PostgreSQL manual, 5.6 System Columns, `xmin`). The least recently used entry is
 * evicted first.
 */
export type GetItems<Item> = (
  catalogue: Pick<CatalogueCache, 'db' | 'version'>,
  ids: readonly string[],
) => Promise<Item[]>

/** The cache of items with the fields that lists show. The size suits the pages in current use, some 10 MB. */
export const getListedItems = createItemCache(selectListedById, 5000)

/** The cache of complete items, each with up to some 100 KB of cast and crew. The size suits the items that are being played. */
export const getCompleteItems = createItemCache(selectCompleteById, 300)

function createItemCache<Item extends { id: string }>(select: Select<Item>, maxEntries: number): GetItems<Item> {
  /** One cache per database, released with the pool. */
  const caches = new WeakMap<Database, Cache<Item>>()
  return async ({ db, version }, ids) => {
    const cache = caches.get(db) ?? createCache(db, { select, maxEntries })
    caches.set(db, cache)
    await revalidate(cache, version, ids)
    const items = new Map<string, Item>()
    const missing: string[] = []
    for (const id of ids) {
      const entry = cache.known.get(id)
      if (entry?.checkedAt === version) items.set(id, entry.item)
      else missing.push(id)
    }
    for (const fetched of await Promise.all(missing.map(cache.fetchItem))) {
      if (fetched === undefined) continue
      items.set(fetched.item.id, fetched.item)
      cache.known.set(fetched.item.id, { checkedAt: version, ...fetched })
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

function createCache<Item extends { id: string }>(
  db: Database,
  { select, maxEntries }: { select: Select<Item>; maxEntries: number },
): Cache<Item> {
  return {
    known: new LRUCache({ max: maxEntries }),
    fetchItem: createBatchLoader(async (ids: string[]) => {
      const rows = await select(db, ids)
      return new Map(rows.map((row) => [row.item.id, row]))
    }),
    fetchVersion: createBatchLoader((ids: string[]) => selectVersions(db, ids)),
  }
}
