import type { Database } from '../platform/database/index.ts'
import type { Library } from './library.ts'
import { selectLibraries } from './queries.ts'

/** All libraries with their item counts, by display order, then name. */
export async function listLibraries({ db }: { db: Database }): Promise<Library[]> {
  return selectLibraries(db)
}
