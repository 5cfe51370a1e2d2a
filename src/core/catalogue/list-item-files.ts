import type { Connection } from '../platform/database/index.ts'
import { selectItemFiles, type ItemFile } from './queries/read.ts'

export type { ItemFile } from './queries/read.ts'

/** The files that an item consists of: its own, then its versions and parts. */
export async function listItemFiles({ db }: { db: Connection }, itemId: string): Promise<ItemFile[]> {
  return selectItemFiles(db, itemId)
}
