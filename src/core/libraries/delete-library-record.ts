import type { Connection } from '../platform/database/index.ts'
import { deleteLibraryRow } from './queries.ts'

/**
 * Deletes the row of a library with its folders and jobs, in one statement. The caller has cancelled its jobs and deleted its items before.
 * No file is touched.
 * @returns false when it was already deleted
 */
export async function deleteLibraryRecord({ db }: { db: Connection }, libraryId: string): Promise<boolean> {
  return deleteLibraryRow(db, libraryId)
}
