import type { Database } from '../platform/database/index.ts'
import type { ListedItem } from './media-item.ts'
import { selectListedById, type RowVersion } from './queries/listed.ts'

/** What the pages show that are looked at just now; some 10 MB. */
const MOST_REMEMBERED = 5000

type Known = { version: string; item: ListedItem }

/** One for each database that the process knows: it lives and goes with the pool. */
const memories = new WeakMap<Database, Map<string, Known>>()

/**
 * The items of these rows, in their order; rows that are gone by now are left out. An item is fetched when it is not known, or when its row
 * has been written since: every write gives a row another version, whoever makes it (PostgreSQL manual, 5.6 System Columns, `xmin`). The
 * item that was fetched first is forgotten first.
 */
export async function recallItems({ db }: { db: Database }, rows: readonly RowVersion[]): Promise<ListedItem[]> {
  const known = memoryOf(db)
  const items = new Map<string, ListedItem>()
  for (const { id, version } of rows) {
    const entry = known.get(id)
    if (entry?.version === version) items.set(id, entry.item)
  }
  if (items.size < rows.length) {
    const missing = rows.map(({ id }) => id).filter((id) => !items.has(id))
    for (const entry of await selectListedById(db, missing)) {
      items.set(entry.item.id, entry.item)
      known.delete(entry.item.id)
      known.set(entry.item.id, entry)
    }
    forgetOldest(known)
  }
  return rows.map(({ id }) => items.get(id)).filter((item) => item !== undefined)
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
