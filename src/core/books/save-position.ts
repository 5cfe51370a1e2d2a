import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { bookErrors } from './errors.ts'
import { getBook } from './get-book.ts'
import { readPageCount } from './read-page-count.ts'
import { copyReadingPositions, selectReadingPosition, upsertReadingPosition } from './queries/positions.ts'
import { fillInPosition, type ReadingPosition, type ReportedPosition } from './reading-position.ts'

type Address = Pick<ReadingPosition, 'bookId' | 'profileId'>

/**
 * Stores the position of a profile in a book. The last write is kept, whichever client sends it.
 * @param input.place numbers in their ranges: not negative, percentages to 100
 * @throws AppError `book_not_found`
 */
export async function saveReadingPosition(
  { db, clock }: { db: Connection; clock: Clock },
  { place, ...address }: Address & { place: ReportedPosition },
): Promise<ReadingPosition> {
  const book = await getBook({ db }, address.bookId)
  const measured = fillInPosition(place, readPageCount(book))
  const saved = await upsertReadingPosition(db, { ...address, ...measured, lastReadAt: clock.now() })
  if (saved === undefined) throw bookErrors.book_not_found()
  return saved
}

/**
 * The position of a profile in a book.
 * @throws AppError `book_not_found`, `book_progress_not_found`
 */
export async function getReadingPosition({ db }: { db: Connection }, address: Address): Promise<ReadingPosition> {
  const book = await getBook({ db }, address.bookId)
  const place = await findReadingPosition({ db }, { ...address, bookId: book.id })
  if (place === undefined) throw bookErrors.book_progress_not_found()
  return place
}

/** Like `getReadingPosition` for a book that exists; undefined if the profile has no position. */
export async function findReadingPosition(
  { db }: { db: Connection },
  address: Address,
): Promise<ReadingPosition | undefined> {
  return selectReadingPosition(db, address)
}

/** Moves the positions of all readers from one row of a book to another, before the first is deleted; the later position is kept. */
export async function moveReadingPositions(
  connection: Connection,
  move: { fromId: string; toId: string },
): Promise<void> {
  await copyReadingPositions(connection, move)
}
