import type { Connection } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { mapProgressToChapters, positionInBook, type BookProgress } from './progress.ts'
import { selectProgress, selectProgressVersion } from './queries/progress.ts'

/** The progress of a profile in an existing book, mapped to its current chapters; undefined if there is none. */
export async function findProgress(
  { db }: { db: Connection },
  { book, profileId }: { book: Audiobook; profileId: string },
): Promise<BookProgress | undefined> {
  const saved = await selectProgress(db, { audiobookId: book.id, profileId })
  return saved === undefined ? undefined : positionInBook(book, mapProgressToChapters(book, saved))
}

/**
 * The version of a profile's progress in all books. It differs after every change. Data read after the version is valid until the version
 * changes.
 */
export async function readProgressVersion({ db }: { db: Connection }, profileId: string): Promise<string> {
  return selectProgressVersion(db, profileId)
}
