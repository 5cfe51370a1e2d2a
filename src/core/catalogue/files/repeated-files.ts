import { addMissingKey, hasKey, type Connection, type RequiredKey } from '../../platform/database/index.ts'
import {
  countRepeatedFiles,
  deleteRepeatedFile,
  selectRepeatedFiles,
  type RepeatedFile,
} from '../queries/repeated-files.ts'

export type { RepeatedFile } from '../queries/repeated-files.ts'

/** Of migration 0003. With it a file cannot have two rows in a library. */
export const FILE_KEY: RequiredKey = {
  table: 'media_items',
  name: 'media_items_path_key',
  kind: 'unique',
  columns: ['library_id', 'path_hash'],
}

/** The first files with more than one row in their library. */
export async function listRepeatedFiles(db: Connection, limit: number): Promise<readonly RepeatedFile[]> {
  return selectRepeatedFiles(db, limit)
}

/** The number of rows that are too many, and whether the key is missing. */
export async function examineRepeatedFiles({
  db,
  connectionUri,
}: {
  db: Connection
  connectionUri: string
}): Promise<{ count: number; isKeyMissing: boolean }> {
  return { count: await countRepeatedFiles(db), isKeyMissing: !(await hasKey(connectionUri, FILE_KEY)) }
}

/** Deletes a row. User data about it must have been transferred. Within a transaction. */
export async function removeRepeatedFile(
  connection: Connection,
  move: { fromId: string; toId: string },
): Promise<void> {
  await deleteRepeatedFile(connection, move)
}

/** @returns false if there are files with more than one row */
export async function restoreFileKey(connectionUri: string): Promise<boolean> {
  return addMissingKey(connectionUri, FILE_KEY)
}
