import { createBatchLoader, isId, type Connection } from '../platform/database/index.ts'
import { libraryErrors } from './errors.ts'
import { selectPaths } from './queries.ts'

/** The batch loader of each connection; it is collected together with the connection. */
const readers = new WeakMap<Connection, (id: string) => Promise<string[] | undefined>>()

/**
 * The folders of a library, in their order. They are read for every file request, so concurrent requests share a query that starts after
 * all of them arrived.
 * @throws AppError `library_not_found`
 */
export async function getLibraryPaths({ db }: { db: Connection }, id: string): Promise<readonly string[]> {
  const read = readers.get(db) ?? createBatchLoader((ids: string[]) => selectPaths(db, ids))
  readers.set(db, read)
  const paths = isId(id) ? await read(id.toLowerCase()) : undefined
  if (paths === undefined) throw libraryErrors.library_not_found()
  return paths
}
