import { LRUCache } from 'lru-cache'
import type { CatalogueCache, MediaItemType } from '../catalogue/index.ts'
import { createBatchLoader, type Database } from '../platform/database/index.ts'
import { selectArtworkStamps, type ArtworkStamp } from './queries/artwork-sources.ts'

/** Enough for the pages in current use; some 5 MB. */
const MAX_ENTRIES = 10_000

type CachedStamps = { version: string; stamps: readonly ArtworkStamp[] }

type LoadStamps = (ownerId: string) => Promise<readonly ArtworkStamp[] | undefined>

/** Returns the stamps of the pictures of owners (items, albums, artists), by owner id; owners without a picture are absent. */
export type GetArtworkStamps = (input: {
  ownerIds: readonly string[]
  types?: ReadonlySet<MediaItemType> | undefined
}) => Promise<Map<string, readonly ArtworkStamp[]>>

/**
 * Creates a cache of the stamps of pictures. An entry is valid until the catalogue changes. Concurrent cache misses share one query. The
 * least recently used entry is evicted first.
 */
export function createStampCache({
  db,
  catalogueCache,
}: {
  db: Database
  catalogueCache: Pick<CatalogueCache, 'readVersion'>
}): GetArtworkStamps {
  const known = new LRUCache<string, CachedStamps>({ max: MAX_ENTRIES })
  /** One loader for each combination of owner types. */
  const loaders = new Map<string, LoadStamps>()

  function loaderOf(types: ReadonlySet<MediaItemType> | undefined): LoadStamps {
    const key = types === undefined ? 'all' : [...types].toSorted().join(' ')
    const loader = loaders.get(key) ?? createStampLoader(db, types)
    loaders.set(key, loader)
    return loader
  }

  return async ({ ownerIds, types }) => {
    if (ownerIds.length === 0) return new Map()
    const version = await catalogueCache.readVersion()
    const stampsById = new Map<string, readonly ArtworkStamp[]>()
    const missing: string[] = []
    for (const id of ownerIds) {
      const entry = known.get(id)
      if (entry?.version === version) stampsById.set(id, entry.stamps)
      else missing.push(id)
    }
    const fetched = await Promise.all(missing.map(loaderOf(types)))
    for (const [index, id] of missing.entries()) {
      const stamps = fetched[index] ?? []
      stampsById.set(id, stamps)
      known.set(id, { version, stamps })
    }
    for (const [id, stamps] of stampsById) if (stamps.length === 0) stampsById.delete(id)
    return stampsById
  }
}

function createStampLoader(db: Database, types: ReadonlySet<MediaItemType> | undefined): LoadStamps {
  return createBatchLoader(async (ids: string[]) => {
    return Map.groupBy(await selectArtworkStamps(db, ids, { types }), ({ ownerId }) => ownerId)
  })
}
