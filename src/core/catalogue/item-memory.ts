import { forgetOldest, gatherReads, type Database } from '../platform/database/index.ts'
import type { CatalogueMemory } from './catalogue-memory.ts'
import type { ListedItem } from './media-item.ts'
import { selectListedById, selectVersions, type ItemRow } from './queries/listed.ts'

/** What the pages show that are looked at just now; some 10 MB. */
const MOST_REMEMBERED = 5000

/** `checkedAt` is the version of the catalogue at which the row was last compared. */
type Known = ItemRow & { checkedAt: string }

type Memory = {
  known: Map<string, Known>
  /** Those who miss something at the same time fetch it together. */
  fetchItem: (id: string) => Promise<ItemRow | undefined>
  fetchVersion: (id: string) => Promise<string | undefined>
}

/** One for each database that the process knows: it lives and goes with the pool. */
const memories = new WeakMap<Database, Memory>()

/**
 * The items with these ids, in their order; those that are gone by now are left out. An item that was fetched before is fetched again when
 * the catalogue has changed and its row has been written since (PostgreSQL manual, 5.6 System Columns, `xmin`). The item that was fetched
 * first is forgotten first.
 */
export async function recallItems(
  { db, version }: Pick<CatalogueMemory, 'db' | 'version'>,
  ids: readonly string[],
): Promise<ListedItem[]> {
  const memory = memoryOf(db)
  await checkAgain(memory, version, ids)
  const items = new Map<string, ListedItem>()
  const missing: string[] = []
  for (const id of ids) {
    const entry = memory.known.get(id)
    if (entry?.checkedAt === version) items.set(id, entry.item)
    else missing.push(id)
  }
  for (const fetched of await Promise.all(missing.map(memory.fetchItem))) {
    if (fetched === undefined) continue
    items.set(fetched.item.id, fetched.item)
    memory.known.delete(fetched.item.id)
    memory.known.set(fetched.item.id, { checkedAt: version, ...fetched })
  }
  forgetOldest(memory.known, MOST_REMEMBERED)
  return ids.map((id) => items.get(id)).filter((item) => item !== undefined)
}

/** What was compared at another version of the catalogue: most of it is still as it was. */
async function checkAgain({ known, fetchVersion }: Memory, version: string, ids: readonly string[]): Promise<void> {
  const old = ids
    .map((id) => known.get(id))
    .filter((entry) => entry !== undefined)
    .filter(({ checkedAt }) => checkedAt !== version)
  const rowVersions = await Promise.all(old.map(({ item }) => fetchVersion(item.id)))
  for (const [index, entry] of old.entries()) {
    if (rowVersions[index] === entry.rowVersion) entry.checkedAt = version
  }
}

function memoryOf(db: Database): Memory {
  const memory = memories.get(db) ?? {
    known: new Map<string, Known>(),
    fetchItem: gatherReads(async (ids: string[]) => {
      const rows = await selectListedById(db, ids)
      return new Map(rows.map((row) => [row.item.id, row]))
    }),
    fetchVersion: gatherReads((ids: string[]) => selectVersions(db, ids)),
  }
  memories.set(db, memory)
  return memory
}
