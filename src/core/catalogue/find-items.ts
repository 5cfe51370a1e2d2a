import type { Connection, Database } from '../platform/database/index.ts'
import type { ListedItem, MediaItem } from './media-item.ts'
import { recallItems } from './item-memory.ts'
import { selectVersions } from './queries/listed.ts'
import { selectItemsById } from './queries/read.ts'

/** The items with these ids, in the order of the ids; ids that no item has are left out. All ids must be UUIDs. */
export async function findItems({ db }: { db: Connection }, ids: readonly string[]): Promise<MediaItem[]> {
  if (ids.length === 0) return []
  const byId = new Map((await selectItemsById(db, ids)).map((item) => [item.id, item]))
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined)
}

/** The same with what lists show. */
export async function findListedItems({ db }: { db: Database }, ids: readonly string[]): Promise<ListedItem[]> {
  if (ids.length === 0) return []
  const byId = new Map((await selectVersions(db, ids)).map((row) => [row.id, row]))
  return recallItems(
    { db },
    ids.map((id) => byId.get(id)).filter((row) => row !== undefined),
  )
}
