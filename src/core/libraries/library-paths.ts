import { createBatchLoader, isId, type Connection } from '../platform/database/index.ts'
import { libraryErrors } from './errors.ts'
import { selectPaths } from './queries.ts'

/** How folders are read, for each connection that the process knows; it lives and goes with it. */
const readers = new WeakMap<Connection, (id: string) => Promise<string[] | undefined>>()

/**
 * The folders of a library, in their order. Every byte that is sent of a file asks for them: those who ask at the same time share a
 * query, which begins after all of them have come.
 * @throws AppError `library_not_found`
 */
export async function getLibraryPaths({ db }: { db: Connection }, id: string): Promise<readonly string[]> {
  const read = readers.get(db) ?? createBatchLoader((ids: string[]) => selectPaths(db, ids))
  readers.set(db, read)
  const paths = isId(id) ? await read(id.toLowerCase()) : undefined
  if (paths === undefined) throw libraryErrors.library_not_found()
  return paths
}
