import { LRUCache } from 'lru-cache'
import { createBatchLoader, type Database } from '../../platform/database/index.ts'
import { selectCatalogueVersion } from '../queries/counts.ts'

const MAX_ENTRIES = 500

type Entry = { version: string; value: Promise<unknown> }

type Cache = { entries: LRUCache<string, Entry>; readVersion: (key: 'version') => Promise<string | undefined> }

/** One cache per database, released with the pool. */
const caches = new WeakMap<Database, Cache>()

/**
 * Returns the cached value of a key if the catalogue has not changed, and computes it otherwise. The key identifies the query and its
 * parameters.
 */
export type GetOrCompute = <Value>(key: string, compute: () => Promise<Value>) => Promise<Value>

/** The cache for the current version of the catalogue, with the database for everything that is not cached. */
export type CatalogueCache = { db: Database; version: string; getOrCompute: GetOrCompute }

/**
 * Opens the cache for the current version of the catalogue. The version comes from the rows that every change leaves, whichever process
 * made it. Concurrent requests share one query for the version, and concurrent calls with one key share one computation. The least
 * recently used entry is evicted first. Values are counts and at most 200 ids: all of them together take some 10 MB.
 */
export async function openCatalogueCache(db: Database): Promise<CatalogueCache> {
  const { entries } = cacheOf(db)
  const version = await readCatalogueVersion({ db })
  const getOrCompute = async <Value>(key: string, compute: () => Promise<Value>): Promise<Value> => {
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
  return { db, version, getOrCompute }
}

/**
 * The version of the catalogue. It differs after every change of what lists show: items, their order, and the source of their pictures.
 * Data read after the version is valid until the version changes.
 */
export async function readCatalogueVersion({ db }: { db: Database }): Promise<string> {
  return (await cacheOf(db).readVersion('version')) ?? ''
}

function cacheOf(db: Database): Cache {
  const known = caches.get(db)
  if (known !== undefined) return known
  const readVersion = createBatchLoader(async () => new Map([['version' as const, await selectCatalogueVersion(db)]]))
  const cache: Cache = { entries: new LRUCache({ max: MAX_ENTRIES }), readVersion }
  caches.set(db, cache)
  return cache
}
