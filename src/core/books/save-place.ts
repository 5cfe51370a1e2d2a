import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { bookErrors } from './errors.ts'
import { getBook } from './get-book.ts'
import { pageCountOf } from './page-count.ts'
import { copyPlaces, selectPlace, upsertPlace } from './queries/places.ts'
import { measurePlace, type ReadingPlace, type ReportedPlace } from './reading-place.ts'

type Address = Pick<ReadingPlace, 'bookId' | 'userId'>

/**
 * Stores the position of a user in a book. The last write is kept, whichever client sends it.
 * @param input.place numbers in their ranges: not negative, percentages to 100
 * @throws AppError `book_not_found`
 */
export async function saveReadingPlace(
  { db, clock }: { db: Connection; clock: Clock },
  { place, ...address }: Address & { place: ReportedPlace },
): Promise<ReadingPlace> {
  const book = await getBook({ db }, address.bookId)
  const measured = measurePlace(place, pageCountOf(book))
  const saved = await upsertPlace(db, { ...address, ...measured, lastReadAt: clock.now() })
  if (saved === undefined) throw bookErrors.book_not_found()
  return saved
}

/**
 * The position of a user in a book.
 * @throws AppError `book_not_found`, `book_progress_not_found`
 */
export async function getReadingPlace({ db }: { db: Connection }, address: Address): Promise<ReadingPlace> {
  const book = await getBook({ db }, address.bookId)
  const place = await findReadingPlace({ db }, { ...address, bookId: book.id })
  if (place === undefined) throw bookErrors.book_progress_not_found()
  return place
}

/** Like `getReadingPlace` for a book that exists; undefined if the user has no position. */
export async function findReadingPlace(
  { db }: { db: Connection },
  address: Address,
): Promise<ReadingPlace | undefined> {
  return selectPlace(db, address)
}

/** Moves the positions of all readers from one row of a book to another, before the first is deleted; the later position is kept. */
export async function moveReadingPlaces(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await copyPlaces(connection, move)
}
