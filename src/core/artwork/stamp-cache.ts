import { LRUCache } from 'lru-cache'
import type { CatalogueCache, MediaItemType } from '../catalogue/index.ts'
import { createBatchLoader, type Database } from '../platform/database/index.ts'
import { selectStamps, type Stamp } from './queries/sources.ts'

/** Enough for the pages in current use; some 5 MB. */
const MAX_ENTRIES = 10_000

type CachedStamps = { version: string; stamps: readonly Stamp[] }

type Fetch = (ownerId: string) => Promise<readonly Stamp[] | undefined>

type Cache = {
  known: LRUCache<string, CachedStamps>
  /** By the types of the owners. Concurrent cache misses share one query. */
  fetches: Map<string, Fetch>
}

/** One cache per database, released with the pool. */
const caches = new WeakMap<Database, Cache>()

/**
 * The pictures of owners, by their ids; owners without a picture are absent. Cached as long as the catalogue has not changed. The least
 * recently used entry is evicted first.
 */
export async function getStamps(
  { db, catalogueCache }: { db: Database; catalogueCache: CatalogueCache },
  { ownerIds, types }: { ownerIds: readonly string[]; types?: ReadonlySet<MediaItemType> | undefined },
): Promise<Map<string, readonly Stamp[]>> {
  if (ownerIds.length === 0) return new Map()
  const { known, fetches } = cacheOf(db)
  const version = await catalogueCache.readVersion()
  const found = new Map<string, readonly Stamp[]>()
  const missing: string[] = []
  for (const id of ownerIds) {
    const entry = known.get(id)
    if (entry?.version === version) found.set(id, entry.stamps)
    else missing.push(id)
  }
  const fetched = await Promise.all(missing.map(fetchOf(db, fetches, types)))
  for (const [index, id] of missing.entries()) {
    const stamps = fetched[index] ?? []
    found.set(id, stamps)
    known.set(id, { version, stamps })
  }
  for (const [id, stamps] of found) if (stamps.length === 0) found.delete(id)
  return found
}

function fetchOf(db: Database, fetches: Map<string, Fetch>, types: ReadonlySet<MediaItemType> | undefined): Fetch {
  const key = types === undefined ? 'all' : [...types].toSorted().join(' ')
  const fetch =
    fetches.get(key) ??
    createBatchLoader(async (ids: string[]) => {
      return Map.groupBy(await selectStamps(db, ids, { types }), ({ ownerId }) => ownerId)
    })
  fetches.set(key, fetch)
  return fetch
}

function cacheOf(db: Database): Cache {
  const cache = caches.get(db) ?? {
    known: new LRUCache<string, CachedStamps>({ max: MAX_ENTRIES }),
    fetches: new Map<string, Fetch>(),
  }
  caches.set(db, cache)
  return cache
}
