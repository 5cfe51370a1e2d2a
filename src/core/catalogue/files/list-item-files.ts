import type { Connection } from '../../platform/database/index.ts'
import { selectItemFiles, type ItemFile } from '../queries/select-items.ts'

export type { ItemFile } from '../queries/select-items.ts'

/** The files of an item: its own, then its parts and versions. */
export async function listItemFiles({ db }: { db: Connection }, itemId: string): Promise<ItemFile[]> {
  return (await selectItemFiles(db, [itemId])).get(itemId) ?? []
}

/** Like `listItemFiles` for several items, by item id. */
export async function listFilesOfItems(
  { db }: { db: Connection },
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ItemFile[]>> {
  return selectItemFiles(db, itemIds)
}
