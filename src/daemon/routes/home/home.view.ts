import type { ArtworkAddresses } from '../../../core/artwork/index.ts'
import type { StartedAudiobook } from '../../../core/audiobooks/index.ts'
import type { StartedBook } from '../../../core/books/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import { audiobookRowView } from '../audiobooks/audiobooks.view.ts'
import { bookRowView } from '../books/books.view.ts'

type Extras = { pictures: ReadonlyMap<string, ArtworkAddresses>; signer: UrlSigner }

/** Rows of the audiobook list with the time of the last report. */
export function listeningView(books: readonly StartedAudiobook[], { pictures, signer }: Extras) {
  return books.map((book) => ({
    ...audiobookRowView(book, { picture: pictures.get(book.id), signer }),
    last_played_at: toIsoTimestamp(book.lastPlayedAt),
  }))
}

/** Rows of the book list with the position of the user. */
export function readingView(
  books: readonly StartedBook[],
  { pictures, signer, showPath }: Extras & { showPath: FormatPath },
) {
  return books.map((book) => ({
    ...bookRowView(book, { picture: pictures.get(book.id), signer, showPath }),
    current_page: book.currentPage,
    total_pages: book.totalPages,
    progress_percent: book.percentComplete,
    last_read_at: toIsoTimestamp(book.lastReadAt),
  }))
}
