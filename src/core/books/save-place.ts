import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { bookErrors } from './errors.ts'
import { getBook } from './get-book.ts'
import { pageCountOf } from './page-count.ts'
import { copyPlaces, selectPlace, upsertPlace } from './queries/places.ts'
import { measurePlace, type ReadingPlace, type SaidPlace } from './reading-place.ts'

type Address = Pick<ReadingPlace, 'bookId' | 'userId'>

/**
 * Notes where a user is in a book. The last word counts, wherever it comes from.
 * @param input.place numbers in their ranges: not negative, percentages to 100
 * @throws AppError `book_not_found`
 */
export async function saveReadingPlace(
  { db, clock }: { db: Connection; clock: Clock },
  { place, ...address }: Address & { place: SaidPlace },
): Promise<ReadingPlace> {
  const book = await getBook({ db }, address.bookId)
  const measured = measurePlace(place, pageCountOf(book))
  const saved = await upsertPlace(db, { ...address, ...measured, lastReadAt: clock.now() })
  if (saved === undefined) throw bookErrors.book_not_found()
  return saved
}

/**
 * Where a user is in a book.
 * @throws AppError `book_not_found`, `book_progress_not_found`
 */
export async function getReadingPlace({ db }: { db: Connection }, address: Address): Promise<ReadingPlace> {
  const book = await getBook({ db }, address.bookId)
  const place = await findReadingPlace({ db }, { ...address, bookId: book.id })
  if (place === undefined) throw bookErrors.book_progress_not_found()
  return place
}

/** The same of a book that is there; undefined for who has not read in it. */
export async function findReadingPlace(
  { db }: { db: Connection },
  address: Address,
): Promise<ReadingPlace | undefined> {
  return selectPlace(db, address)
}

/** Lets a book take over where all readers were in another row of it, which is about to be removed; the later place counts. */
export async function moveReadingPlaces(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await copyPlaces(connection, move)
}
