import { createBatchLoader, isRowId, type Database } from '../platform/database/index.ts'
import { libraryErrors } from './errors.ts'
import { selectLibraryPaths } from './queries.ts'

/**
 * The folders of a library, in their order.
 * @throws AppError `library_not_found`
 */
export type GetLibraryPaths = (id: string) => Promise<readonly string[]>

/**
 * Creates the reader of library folders. It runs for every file request, so concurrent requests share a query, which starts after the last
 * of them.
 */
export function createGetLibraryPaths({ db }: { db: Database }): GetLibraryPaths {
  const read = createBatchLoader((ids: string[]) => selectLibraryPaths(db, ids))
  return async (id) => {
    const paths = isRowId(id) ? await read(id.toLowerCase()) : undefined
    if (paths === undefined) throw libraryErrors.library_not_found()
    return paths
  }
}
