/** A book or comic to read. */
export type Book = {
  /** UUID. */
  id: string
  libraryId: string
  name: string
  year: number | null
  path: string
  sizeBytes: number
  /** Data of the book, sidecar files and the file name: `author`, `publisher`, `page_count`, `isbn`, `description` … */
  metadata: Record<string, unknown>
}

/** The same book in another format. */
export type BookFormat = Pick<Book, 'id' | 'path' | 'sizeBytes'>

/** A book with the fields of its detail; the first format is the book itself. */
export type BookDetail = Book & { formats: BookFormat[] }
