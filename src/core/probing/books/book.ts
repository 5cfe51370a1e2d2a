import type { LocalMetadata } from '../sidecars/local-metadata.ts'

/** What a book or comic file says about itself. */
export type Book = {
  /** Formats without a reader are told by their name alone; nothing else is known of them. */
  format: 'epub' | 'pdf' | 'cbz' | 'cbr' | 'mobi' | 'azw3'
  metadata: LocalMetadata
  pageCount: number | null
  /** The entry of the archive that holds the cover, or the first page, which has to be drawn; null where there is none. */
  cover: { entry: string } | 'first_page' | null
}

export type BookUnreadableCode = 'empty' | 'unknown_format' | 'damaged' | 'encrypted' | 'too_large'

export type BookOutcome =
  | { kind: 'read'; book: Book }
  | { kind: 'unreadable'; code: BookUnreadableCode; reason: string }

/** A book that cannot be read, thrown inside this folder only; `readBook` turns it into an outcome. */
export class UnreadableBook extends Error {
  override name = 'UnreadableBook'
  readonly code: BookUnreadableCode

  constructor(code: BookUnreadableCode, reason: string) {
    super(reason)
    this.code = code
  }
}
