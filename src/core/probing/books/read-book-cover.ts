import type { ByteSource } from '../../platform/files/index.ts'
import { UnreadableBook } from './probed-book.ts'
import { openBookArchive } from './book-archive.ts'
import { drawFirstPage } from './draw-first-page.ts'
import { readBook } from './read-book.ts'

/** Equal to the limit for embedded pictures of audio files. */
const MAX_COVER_BYTES = 32 * 1024 * 1024

/** Returns the cover of a book, rendered if it is the first page; undefined if there is no readable cover. */
export async function readBookCover(source: ByteSource, name: string): Promise<Uint8Array | undefined> {
  const outcome = await readBook(source, name)
  const cover = outcome.kind === 'read' ? outcome.book.cover : null
  if (cover === null) return undefined
  try {
    if (cover === 'first_page') return await drawFirstPage(source)
    return await (await openBookArchive(source)).read(cover.entry, MAX_COVER_BYTES)
  } catch (error) {
    if (error instanceof UnreadableBook) return undefined
    throw error
  }
}
