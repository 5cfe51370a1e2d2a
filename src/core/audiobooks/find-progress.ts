import type { Connection } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { fitProgress, positionInBook, type BookProgress } from './progress.ts'
import { selectProgress, selectProgressVersion } from './queries/progress.ts'

/** The progress of a user in an existing book, mapped to its current chapters; undefined if there is none. */
export async function findProgress(
  { db }: { db: Connection },
  { book, userId }: { book: Audiobook; userId: string },
): Promise<BookProgress | undefined> {
  const saved = await selectProgress(db, { audiobookId: book.id, userId })
  return saved === undefined ? undefined : positionInBook(book, fitProgress(book, saved))
}

/**
 * The version of a user's progress in all books. It differs after every change. Data read after the version is valid until the version
 * changes.
 */
export async function readProgressVersion({ db }: { db: Connection }, userId: string): Promise<string> {
  return selectProgressVersion(db, userId)
}
