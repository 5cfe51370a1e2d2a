import type { Connection } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { fitProgress, placeInBook, type PlacedProgress } from './progress.ts'
import { selectProgress, selectProgressVersion } from './queries/progress.ts'

/** Where a user is in a book that is there, among its present chapters; undefined for who has not listened. */
export async function findProgress(
  { db }: { db: Connection },
  { book, userId }: { book: Audiobook; userId: string },
): Promise<PlacedProgress | undefined> {
  const saved = await selectProgress(db, { audiobookId: book.id, userId })
  return saved === undefined ? undefined : placeInBook(book, fitProgress(book, saved))
}

/** Another text whenever the progress of a user has changed in any book. What was read after it still holds while it is the same. */
export async function readProgressVersion({ db }: { db: Connection }, userId: string): Promise<string> {
  return selectProgressVersion(db, userId)
}
