import type { Database } from '../platform/database/index.ts'
import type { CatalogueMemory } from './catalogue-memory.ts'
import type { ListedItem } from './media-item.ts'
import { selectListedById, selectVersions } from './queries/listed.ts'

/** What the pages show that are looked at just now; some 10 MB. */
const MOST_REMEMBERED = 5000

/** `rowVersion` changes with every write of the row; `checkedAt` is the version of the catalogue at which it was last compared. */
type Known = { checkedAt: string; rowVersion: string; item: ListedItem }

/** One for each database that the process knows: it lives and goes with the pool. */
const memories = new WeakMap<Database, Map<string, Known>>()

/**
 * The items with these ids, in their order; those that are gone by now are left out. An item that was fetched before is fetched again when
 * the catalogue has changed and its row has been written since (PostgreSQL manual, 5.6 System Columns, `xmin`). The item that was fetched
 * first is forgotten first.
 */
export async function recallItems(
  { db, version }: Pick<CatalogueMemory, 'db' | 'version'>,
  ids: readonly string[],
): Promise<ListedItem[]> {
  const known = memoryOf(db)
  await checkAgain(db, version, knownOf(known, ids))
  const items = new Map<string, ListedItem>()
  for (const id of ids) {
    const entry = known.get(id)
    if (entry?.checkedAt === version) items.set(id, entry.item)
  }
  const missing = ids.filter((id) => !items.has(id))
  if (missing.length > 0) {
    for (const { item, rowVersion } of await selectListedById(db, missing)) {
      items.set(item.id, item)
      known.delete(item.id)
      known.set(item.id, { checkedAt: version, rowVersion, item })
    }
    forgetOldest(known)
  }
  return ids.map((id) => items.get(id)).filter((item) => item !== undefined)
}

function knownOf(known: ReadonlyMap<string, Known>, ids: readonly string[]): Known[] {
  return ids.map((id) => known.get(id)).filter((entry) => entry !== undefined)
}

/** What was compared at another version of the catalogue: most of it is still as it was. */
async function checkAgain(db: Database, version: string, entries: readonly Known[]): Promise<void> {
  const old = entries.filter(({ checkedAt }) => checkedAt !== version)
  if (old.length === 0) return
  const versions = await selectVersions(
    db,
    old.map(({ item }) => item.id),
  )
  for (const entry of old) {
    if (versions.get(entry.item.id) === entry.rowVersion) entry.checkedAt = version
  }
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
