import { extname } from 'node:path'
import type { ArtworkAddresses } from '../../../core/artwork/index.ts'
import { readPageCount, type Book, type BookDetail, type ReadingPosition } from '../../../core/books/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'

type Action = 'cover' | 'download' | 'read'

/** The signed resource of one action on a book. */
export function bookUrlPath(id: string, action: Action): string {
  return `/api/v1/books/${id}/${action}`
}

type Extras = { picture: ArtworkAddresses | undefined; signer: UrlSigner; showPath: FormatPath }

/** A row of the list. Unknown fields of `metadata` are null. */
export function bookRowView(book: Book, { picture, signer, showPath }: Extras) {
  return {
    id: book.id,
    library_id: book.libraryId,
    name: book.name,
    type: 'book' as const,
    year: book.year,
    path: showPath(book.path),
    format: formatOf(book.path),
    size_bytes: book.sizeBytes,
    metadata: { ...UNKNOWN, ...book.metadata },
    // A picture file beside the book has precedence over the embedded picture.
    cover_url: picture?.poster?.url ?? null,
    read_url: signer.signUrl(bookUrlPath(book.id, 'read')),
    download_url: signer.signUrl(bookUrlPath(book.id, 'download')),
  }
}

const UNKNOWN = { author: null, publisher: null, page_count: null, isbn: null, description: null }

/** A book with the files of all its formats. */
export function bookView(book: BookDetail, extras: Extras) {
  const formats = book.formats.map(({ id, path, sizeBytes }) => ({
    id,
    format: formatOf(path),
    size_bytes: sizeBytes,
    download_url: extras.signer.signUrl(bookUrlPath(id, 'download')),
  }))
  return { ...bookRowView(book, extras), formats }
}

/** The data that a reader needs to open the book. */
export function readBookView(book: BookDetail, place: ReadingPosition | undefined, extras: Extras) {
  return {
    book: bookView(book, extras),
    chapters: [],
    current_page: place?.currentPage ?? 0,
    total_pages: place === undefined ? readPageCount(book) : place.totalPages,
    progress: place === undefined ? null : placeView(place),
  }
}

/** `user_id` is the profile: the main profile has the id of its account. */
export function placeView(place: ReadingPosition) {
  return {
    book_id: place.bookId,
    user_id: place.profileId,
    position_ms: place.positionMs,
    current_page: place.currentPage,
    total_pages: place.totalPages,
    percent_complete: place.percentComplete,
    locator: place.locator,
    last_read_at: Math.floor(place.lastReadAt.getTime() / 1000),
  }
}

function formatOf(path: string): string {
  return extname(path).slice(1).toLowerCase()
}
