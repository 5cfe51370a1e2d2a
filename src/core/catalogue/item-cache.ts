import { evictOldest, createBatchLoader, type Connection, type Database } from '../platform/database/index.ts'
import type { CatalogueCache } from './catalogue-cache.ts'
import type { ItemVersion } from './media-item.ts'
import { selectListedById, selectVersions } from './queries/listed.ts'
import { selectWholeById } from './queries/read.ts'

/** `checkedAt` is the version of the catalogue at which the row was last compared. */
type Known<Item> = ItemVersion<Item> & { checkedAt: string }

type Memory<Item> = {
  known: Map<string, Known<Item>>
  /** Those who miss something at the same time fetch it together. */
  fetchItem: (id: string) => Promise<ItemVersion<Item> | undefined>
  fetchVersion: (id: string) => Promise<string | undefined>
}

type Select<Item> = (connection: Connection, ids: readonly string[]) => Promise<ItemVersion<Item>[]>

/**
 * The items with these ids, in their order; those that are gone by now are left out. An item that was fetched before is fetched again when
 * the catalogue has changed and its row has been written since (PostgreSQL manual, 5.6 System Columns, `xmin`). The item that was fetched
 * first is forgotten first.
 */
export type GetItems<Item> = (
  catalogue: Pick<CatalogueCache, 'db' | 'version'>,
  ids: readonly string[],
) => Promise<Item[]>

/** With what lists show: the pages that are looked at just now take some 10 MB. */
export const getListedItems = createItemCache(selectListedById, 5000)

/** With all that is known of them, up to some 100 KB of cast and crew each: what people are in the middle of. */
export const getWholeItems = createItemCache(selectWholeById, 300)

function createItemCache<Item extends { id: string }>(select: Select<Item>, maxRemembered: number): GetItems<Item> {
  /** One for each database that the process knows: it lives and goes with the pool. */
  const memories = new WeakMap<Database, Memory<Item>>()
  return async ({ db, version }, ids) => {
    const memory = memories.get(db) ?? createMemory(db, select)
    memories.set(db, memory)
    await checkAgain(memory, version, ids)
    const items = new Map<string, Item>()
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
    evictOldest(memory.known, maxRemembered)
    return ids.map((id) => items.get(id)).filter((item) => item !== undefined)
  }
}

/** What was compared at another version of the catalogue: most of it is still as it was. */
async function checkAgain<Item extends { id: string }>(
  { known, fetchVersion }: Memory<Item>,
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

function createMemory<Item extends { id: string }>(db: Database, select: Select<Item>): Memory<Item> {
  return {
    known: new Map(),
    fetchItem: createBatchLoader(async (ids: string[]) => {
      const rows = await select(db, ids)
      return new Map(rows.map((row) => [row.item.id, row]))
    }),
    fetchVersion: createBatchLoader((ids: string[]) => selectVersions(db, ids)),
  }
}
