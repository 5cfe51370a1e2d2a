import type { Connection } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { fitProgress, type AudiobookProgress } from './progress.ts'
import { selectProgress } from './queries/progress.ts'

/** Where a user is in a book that is there, among its present chapters; undefined for who has not listened. */
export async function findProgress(
  { db }: { db: Connection },
  { book, userId }: { book: Audiobook; userId: string },
): Promise<AudiobookProgress | undefined> {
  const saved = await selectProgress(db, { audiobookId: book.id, userId })
  return saved === undefined ? undefined : fitProgress(book, saved)
}
