import type { Connection } from '../platform/database/index.ts'
import { deleteLibraryRow } from './queries.ts'

/**
 * Removes the row of a library with its folders and jobs, in one statement: whoever deletes a library ends its jobs and removes its
 * items first (upkeep). No file is touched.
 * @returns false when it is gone already
 */
export async function forgetLibrary({ db }: { db: Connection }, libraryId: string): Promise<boolean> {
  return deleteLibraryRow(db, libraryId)
}
