import { removeUnusedWords, removeSomeItems } from '../catalogue/index.ts'
import { forgetLibrary, getLibrary, type Library } from '../libraries/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { cancelScan, type ScanJob } from '../scanning/index.ts'
import { selectPeople, type Person } from './queries.ts'

/** What one statement removes, with all that hangs on it, well inside its time limit. */
const ITEMS_PER_STATEMENT = 500

export type LibraryContent = {
  library: Library
  /** Whose watching state, favourites and ratings the library carries, by name. */
  people: Person[]
}

export type DeletedLibrary = { library: Library; cancelledJobs: ScanJob[] }

/**
 * What goes when a library is deleted.
 * @throws AppError `library_not_found`
 */
export async function describeContent({ db }: { db: Connection }, libraryId: string): Promise<LibraryContent> {
  const library = await getLibrary({ db }, libraryId)
  return { library, people: await selectPeople(db, library.id) }
}

/**
 * Deletes a library with its items and what everybody has said about them; files are not touched. Its jobs are cancelled first, so
 * that no worker writes to it any more. Items go in parts: should the process die, the rest of the library is still there, and
 * deleting it again finishes.
 * @throws AppError `library_not_found`
 */
export async function deleteLibrary(
  { db, clock }: { db: Database; clock: Clock },
  libraryId: string,
): Promise<DeletedLibrary> {
  const library = await getLibrary({ db }, libraryId)
  const cancelledJobs = await cancelScan({ db, clock }, { libraryId: library.id })
  let removed: number
  do removed = await removeSomeItems(db, { libraryId: library.id, limit: ITEMS_PER_STATEMENT })
  while (removed > 0)
  await db.transaction(async (connection) => {
    // A job that was queued since holds its row while it writes, and then needs the library's: the same order here.
    await cancelScan({ db: connection, clock }, { libraryId: library.id })
    await forgetLibrary({ db: connection }, library.id)
  })
  await removeUnusedWords({ db })
  return { library, cancelledJobs }
}
