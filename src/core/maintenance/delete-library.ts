import { removeUnusedSearchWords, removeLibraryItems } from '../catalogue/index.ts'
import { deleteLibraryRecord, getLibrary, type Library } from '../libraries/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { cancelScan, type ScanJob } from '../scanning/index.ts'
import { selectUsersWithData, type LibraryUser } from './queries.ts'

/** Number of items that one statement deletes with their dependent rows, well within its time limit. */
const ITEMS_PER_STATEMENT = 500

export type LibraryContent = {
  library: Library
  /** Users with playback states, favourites or ratings in the library, sorted by name. */
  people: LibraryUser[]
}

export type DeletedLibrary = { library: Library; cancelledJobs: ScanJob[] }

/**
 * Describes what the deletion of a library removes.
 * @throws AppError `library_not_found`
 */
export async function describeLibraryContent({ db }: { db: Connection }, libraryId: string): Promise<LibraryContent> {
  const library = await getLibrary({ db }, libraryId)
  return { library, people: await selectUsersWithData(db, library.id) }
}

/**
 * Deletes a library with its items and all user data about them; files are not touched. Its jobs are cancelled first, so that no worker
 * writes to it any more. Items are deleted in batches: if the process dies, the rest of the library still exists, and another deletion
 * completes it.
 * @throws AppError `library_not_found`
 */
export async function deleteLibrary(
  { db, clock }: { db: Database; clock: Clock },
  libraryId: string,
): Promise<DeletedLibrary> {
  const library = await getLibrary({ db }, libraryId)
  const cancelledJobs = await cancelScan({ db, clock }, { libraryId: library.id })
  let removed: number
  do removed = await removeLibraryItems(db, { libraryId: library.id, limit: ITEMS_PER_STATEMENT })
  while (removed > 0)
  await db.transaction(async (connection) => {
    // A job that was queued in the meantime locks its own row first and then the row of the library; this transaction uses the same order.
    await cancelScan({ db: connection, clock }, { libraryId: library.id })
    await deleteLibraryRecord({ db: connection }, library.id)
  })
  await removeUnusedSearchWords({ db })
  return { library, cancelledJobs }
}
