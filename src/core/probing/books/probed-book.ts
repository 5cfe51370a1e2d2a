import type { LocalMetadata } from '../sidecars/local-metadata.ts'

/** The metadata of a book or comic file. */
export type ProbedBook = {
  /** Formats without a reader are known by name only. */
  format: 'epub' | 'pdf' | 'cbz' | 'cbr' | 'mobi' | 'azw3'
  metadata: LocalMetadata
  pageCount: number | null
  /** The archive entry with the cover, or `first_page` if the page must be rendered; null without a cover. */
  cover: { entry: string } | 'first_page' | null
}

export type BookUnreadableCode = 'empty' | 'unknown_format' | 'damaged' | 'encrypted' | 'too_large'

export type BookReadOutcome =
  | { kind: 'read'; book: ProbedBook }
  | { kind: 'unreadable'; code: BookUnreadableCode; reason: string }

/** Thrown inside this folder for an unreadable book; `readBook` converts it to an outcome. */
export class UnreadableBook extends Error {
  override name = 'UnreadableBook'
  readonly code: BookUnreadableCode

  constructor(code: BookUnreadableCode, reason: string) {
    super(reason)
    this.code = code
  }
}
