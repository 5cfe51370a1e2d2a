import type { Connection } from '../../platform/database/index.ts'
import { deleteLibraryItems } from '../queries/deletions.ts'

/**
 * Deletes up to `limit` items of a library with their user data. It does not matter whether their files exist; no file is touched.
 * @returns the number of deleted items; 0 if the library has none
 */
export async function removeLibraryItems(
  connection: Connection,
  input: { libraryId: string; limit: number },
): Promise<number> {
  return deleteLibraryItems(connection, input)
}
