/** A book or comic to read (document 4, 9). */
export type Book = {
  /** UUID. */
  id: string
  libraryId: string
  name: string
  year: number | null
  path: string
  sizeBytes: number
  /** What the book, files beside it and its name say: `author`, `publisher`, `page_count`, `isbn`, `description` … */
  metadata: Record<string, unknown>
}

/** The same book in another format. */
export type BookFormat = Pick<Book, 'id' | 'path' | 'sizeBytes'>

/** A book with what only its detail shows; the first format is the book itself. */
export type BookDetail = Book & { formats: BookFormat[] }
