import type { Connection } from '../platform/database/index.ts'
import { selectItemFiles, type ItemFile } from './queries/read.ts'

export type { ItemFile } from './queries/read.ts'

/** The files that an item consists of: its own, then its parts and versions. */
export async function listItemFiles({ db }: { db: Connection }, itemId: string): Promise<ItemFile[]> {
  return (await selectItemFiles(db, [itemId])).get(itemId) ?? []
}

/** The same of several items, by their ids. */
export async function listFilesOfItems(
  { db }: { db: Connection },
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ItemFile[]>> {
  return selectItemFiles(db, itemIds)
}
