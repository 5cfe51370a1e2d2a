/** The position of a profile in a book. */
export type ReadingPosition = {
  bookId: string
  profileId: string
  /** Position in a unit that the client chooses; the server does not interpret it. */
  positionMs: number
  /** Counted from 1; 0 is before the first page. */
  currentPage: number
  /** 0: unknown. */
  totalPages: number
  percentComplete: number
  /** The point in the text, as the reader wrote it, for example the CFI of an EPUB; null: unknown. The server does not interpret it. */
  locator: string | null
  lastReadAt: Date
}

/** A position as a client sends it; every field may be absent. */
export type ReportedPosition = {
  positionMs?: number | undefined
  currentPage?: number | undefined
  totalPages?: number | undefined
  percentComplete?: number | undefined
  locator?: string | null | undefined
}

/**
 * Fills in what a client has not sent: the total pages come from the book, and the percentage from the pages. A page beyond the last one becomes
 * the last one. Without a locator there is none: that of an earlier position is another point in the text. Pure.
 * @param pageCount of the book, 0 if unknown
 */
export function fillInPosition(
  { positionMs = 0, currentPage = 0, totalPages = 0, percentComplete, locator = null }: ReportedPosition,
  pageCount: number,
): Pick<ReadingPosition, 'positionMs' | 'currentPage' | 'totalPages' | 'percentComplete' | 'locator'> {
  const pages = totalPages > 0 ? totalPages : pageCount
  const page = pages > 0 ? Math.min(currentPage, pages) : currentPage
  const byPages = pages > 0 ? (page / pages) * 100 : 0
  return {
    positionMs,
    currentPage: page,
    totalPages: pages,
    percentComplete: toTwoDecimals(percentComplete ?? byPages),
    locator,
  }
}

function toTwoDecimals(percent: number): number {
  return Math.round(percent * 100) / 100
}
