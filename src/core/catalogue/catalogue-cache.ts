import { evictOldest, createBatchLoader, type Database } from '../platform/database/index.ts'
import { selectCatalogueVersion } from './queries/counts.ts'

const MAX_ENTRIES = 500

type Entry = { version: string; value: Promise<unknown> }

type Cache = { entries: Map<string, Entry>; readVersion: (key: 'version') => Promise<string | undefined> }

/** One cache per database, released with the pool. */
const caches = new WeakMap<Database, Cache>()

/**
 * Returns the cached answer to a question about the catalogue if the catalogue has not changed, and computes it otherwise. `question` is
 * the cache key: a text that identifies what is counted or found.
 */
export type GetOrCompute = <Value>(question: string, answer: () => Promise<Value>) => Promise<Value>

/** The cache for the current version of the catalogue, with the database for everything that is not cached. */
export type CatalogueCache = { db: Database; version: string; getOrCompute: GetOrCompute }

/**
 * Opens the cache for the current version of the catalogue. The version comes from the rows that every change leaves, whichever process
 * made it. Concurrent requests share one query for the version, and concurrent identical questions share one computation. The least
 * recently asked question is evicted first. Answers are counts and at most 200 ids: all of them together take some 10 MB.
 */
export async function openCatalogueCache(db: Database): Promise<CatalogueCache> {
  const { entries } = cacheOf(db)
  const version = await readCatalogueVersion({ db })
  const getOrCompute = async <Value>(question: string, answer: () => Promise<Value>): Promise<Value> => {
    const known = entries.get(question)
    entries.delete(question)
    const entry = known?.version === version ? known : { version, value: answer() }
    entries.set(question, entry)
    evictOldest(entries, MAX_ENTRIES)
    try {
      return (await entry.value) as Value
    } catch (error) {
      if (entries.get(question) === entry) entries.delete(question)
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
  const cache: Cache = { entries: new Map(), readVersion }
  caches.set(db, cache)
  return cache
}
