import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import { libraryErrors } from './errors.ts'
import type { Library } from './library.ts'
import { selectLibrary } from './queries.ts'

const Id = z.guid()

/**
 * Reads one library with its item count.
 * @throws AppError `library_not_found`. An id that is not a UUID causes no query
 */
export async function getLibrary({ db }: { db: Connection }, id: string): Promise<Library> {
  const library = Id.safeParse(id).success ? await selectLibrary(db, id) : undefined
  if (library === undefined) throw libraryErrors.library_not_found()
  return library
}
