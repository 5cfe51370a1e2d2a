import { basename } from 'node:path'
import { mediaKindOf, type ByteSource } from '../../platform/files/index.ts'
import { UnreadableBook } from '../books/book.ts'
import { openBookArchive } from '../books/book-archive.ts'
import { drawFirstPage } from '../books/draw-first-page.ts'
import { readBook } from '../books/read-book.ts'
import { readAudioTags } from '../tags/read-audio-tags.ts'
import type { Reading } from './reading.ts'

/** The same as for pictures in tags. */
const LARGEST_COVER_BYTES = 32 * 1024 * 1024

/** The picture in a song or a book, as it is in there; nothing says that it can be shown. */
export async function readCover(source: ByteSource, path: string): Promise<Reading> {
  const cover = mediaKindOf(path) === 'book' ? await coverOfBook(source, path) : await coverOfAudio(source, path)
  if (cover === undefined)
    return { kind: 'unreadable', code: 'no_cover', reason: 'there is no picture in it', local: [] }
  // A copy of its own: what crosses the border of a thread takes the whole block that it lies in with it.
  const facts = { media: null, containerTags: {}, tags: null, cover: new Uint8Array(cover) }
  return { kind: 'read', facts, local: [], contentHash: new Uint8Array(), hasChanged: false }
}

async function coverOfAudio(source: ByteSource, path: string): Promise<Uint8Array | undefined> {
  const outcome = await readAudioTags({ source, name: basename(path), withPictures: true })
  return outcome.kind === 'read' ? outcome.tags.pictures[0]?.bytes : undefined
}

async function coverOfBook(source: ByteSource, path: string): Promise<Uint8Array | undefined> {
  const outcome = await readBook(source, basename(path))
  const cover = outcome.kind === 'read' ? outcome.book.cover : null
  if (cover === null) return undefined
  try {
    if (cover === 'first_page') return await drawFirstPage(source)
    return await (await openBookArchive(source)).read(cover.entry, LARGEST_COVER_BYTES)
  } catch (error) {
    if (error instanceof UnreadableBook) return undefined
    throw error
  }
}
