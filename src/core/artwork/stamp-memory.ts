import { readCatalogueVersion, type MediaItemType } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import { selectStamps, type Stamp } from './queries/sources.ts'

/** Of the pages that are looked at just now; some 5 MB. */
const MOST_REMEMBERED = 10_000

type Known = { version: string; stamps: readonly Stamp[] }

/** One for each database that the process knows: it lives and goes with the pool. */
const memories = new WeakMap<Database, Map<string, Known>>()

/**
 * The pictures of owners, by their ids; who has none is not in the map. From memory as long as the catalogue has not changed. Who was
 * asked for first is forgotten first.
 */
export async function recallStamps(
  { db }: { db: Database },
  { ownerIds, types }: { ownerIds: readonly string[]; types?: ReadonlySet<MediaItemType> | undefined },
): Promise<Map<string, readonly Stamp[]>> {
  if (ownerIds.length === 0) return new Map()
  const known = memoryOf(db)
  const version = await readCatalogueVersion({ db })
  const missing = ownerIds.filter((id) => known.get(id)?.version !== version)
  const found = Map.groupBy(await selectStamps(db, missing, { types }), ({ ownerId }) => ownerId)
  for (const id of ownerIds) {
    const entry = known.get(id)
    if (entry?.version === version && entry.stamps.length > 0) found.set(id, [...entry.stamps])
  }
  for (const id of missing) {
    known.delete(id)
    known.set(id, { version, stamps: found.get(id) ?? [] })
  }
  forgetOldest(known)
  return found
}

function memoryOf(db: Database): Map<string, Known> {
  const known = memories.get(db) ?? new Map<string, Known>()
  memories.set(db, known)
  return known
}

function forgetOldest(known: Map<string, Known>): void {
  for (const id of known.keys()) {
    if (known.size <= MOST_REMEMBERED) break
    known.delete(id)
  }
}
