import { LRUCache } from 'lru-cache'
import { createBatchLoader, type Database } from '../../platform/database/index.ts'
import type { ListedItem, MediaItem } from '../item/media-item.ts'
import { selectCatalogueVersion } from '../queries/catalogue-version.ts'
import { selectListedById } from '../queries/listed-items.ts'
import { selectCompleteById } from '../queries/select-items.ts'
import { createItemCache, type CachePolicy } from './item-cache.ts'

/** Maximum number of cached query results. Each is a count or at most 200 ids; together they take some 10 MB. */
const MAX_VALUES = 500

/** Maximum number of cached items of lists: enough for the pages in current use, some 10 MB. */
const MAX_LISTED_ITEMS = 5000

/** Maximum number of complete items, each with up to some 100 KB of cast and crew: enough for the items that are being played. */
const MAX_COMPLETE_ITEMS = 300

/**
 * Returns the cached value of a key if the catalogue has not changed, and computes it otherwise. The key identifies the query and its
 * parameters.
 */
export type GetOrCompute = <Value>(key: string, compute: () => Promise<Value>) => Promise<Value>

/** The cache for one version of the catalogue, with the database for everything that is not cached. */
export type CurrentCatalogue = {
  db: Database
  version: string
  getOrCompute: GetOrCompute
  /** Items with the fields that lists show, in the order of the ids. Items that no longer exist are left out. */
  getListedItems: (ids: readonly string[], use?: CachePolicy) => Promise<ListedItem[]>
  /** Items with all fields, in the order of the ids. Items that no longer exist are left out. */
  getCompleteItems: (ids: readonly string[], use?: CachePolicy) => Promise<MediaItem[]>
}

/** Results of queries and items of one database. */
export type CatalogueCache = {
  /**
   * The version of the catalogue. It differs after every change of what lists show: items, their order, and the source of their pictures.
   * Data read after the version is valid until the version changes.
   */
  readVersion: () => Promise<string>
  /** Opens the cache for the current version of the catalogue. */
  open: () => Promise<CurrentCatalogue>
}

type Entry = { version: string; value: Promise<unknown> }

/**
 * Creates the cache of a database. The version comes from the rows that every change leaves, whichever process made it. Concurrent
 * requests share one query for the version, and concurrent calls with one key share one computation. The least recently used entry is
 * evicted first.
 */
export function createCatalogueCache({ db }: { db: Database }): CatalogueCache {
  const entries = new LRUCache<string, Entry>({ max: MAX_VALUES })
  const fetchVersion = createBatchLoader(async () => new Map([['version' as const, await selectCatalogueVersion(db)]]))
  const readVersion = async (): Promise<string> => (await fetchVersion('version')) ?? ''
  const listed = createItemCache(db, { select: selectListedById, maxEntries: MAX_LISTED_ITEMS })
  const complete = createItemCache(db, { select: selectCompleteById, maxEntries: MAX_COMPLETE_ITEMS })
  return {
    readVersion,
    async open() {
      const version = await readVersion()
      return {
        db,
        version,
        getOrCompute: (key, compute) => getOrCompute(entries, { version, key }, compute),
        getListedItems: (ids, use) => listed(version, ids, use),
        getCompleteItems: (ids, use) => complete(version, ids, use),
      }
    },
  }
}

async function getOrCompute<Value>(
  entries: LRUCache<string, Entry>,
  { version, key }: { version: string; key: string },
  compute: () => Promise<Value>,
): Promise<Value> {
  const known = entries.get(key)
  const entry = known?.version === version ? known : { version, value: compute() }
  entries.set(key, entry)
  try {
    return (await entry.value) as Value
  } catch (error) {
    if (entries.peek(key) === entry) entries.delete(key)
    throw error
  }
}
