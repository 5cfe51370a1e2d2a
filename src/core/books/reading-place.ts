/** Where a user is in a book (document 4, 9). */
export type ReadingPlace = {
  bookId: string
  userId: string
  /** What the reader's program counts in; no meaning is read into it. */
  positionMs: number
  /** From 1; 0 is before the first one. */
  currentPage: number
  /** 0: not known. */
  totalPages: number
  percentComplete: number
  lastReadAt: Date
}

/** What a client says of a place; it need not say all. */
export type SaidPlace = {
  positionMs?: number | undefined
  currentPage?: number | undefined
  totalPages?: number | undefined
  percentComplete?: number | undefined
}

/**
 * A place with all that follows from what was said: the pages of the book where the client counts none, and how much of it is read, by
 * pages where the client says no percentage. A page beyond the last one is the last one. Pure.
 * @param pageCount of the book, 0 when not known
 */
export function measurePlace(
  { positionMs = 0, currentPage = 0, totalPages = 0, percentComplete }: SaidPlace,
  pageCount: number,
): Pick<ReadingPlace, 'positionMs' | 'currentPage' | 'totalPages' | 'percentComplete'> {
  const pages = totalPages > 0 ? totalPages : pageCount
  const page = pages > 0 ? Math.min(currentPage, pages) : currentPage
  const byPages = pages > 0 ? (page / pages) * 100 : 0
  return {
    positionMs,
    currentPage: page,
    totalPages: pages,
    percentComplete: toTwoDecimals(percentComplete ?? byPages),
  }
}

function toTwoDecimals(percent: number): number {
  return Math.round(percent * 100) / 100
}
