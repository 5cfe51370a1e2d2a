import { basename } from 'node:path'
import { mediaFileKind, type ByteSource } from '../../platform/files/index.ts'
import type * as bookCovers from '../books/read-book-cover.ts'
import { readAudioTags } from '../tags/read-audio-tags.ts'
import type { FileReadResult } from './read-request.ts'

type CoverFile = { source: ByteSource; load: { bookCovers: () => Promise<typeof bookCovers> } }

/** Returns the embedded picture of a song or a book, unchanged; it may not be decodable. */
export async function readCover({ load, source }: CoverFile, path: string): Promise<FileReadResult> {
  const cover =
    mediaFileKind(path) === 'book'
      ? await (await load.bookCovers()).readBookCover(source, basename(path))
      : await coverOfAudio(source, path)
  if (cover === undefined)
    return { kind: 'unreadable', code: 'no_cover', reason: 'the file contains no picture', local: [] }
  // Copied, because a transfer between threads includes the whole underlying buffer.
  const facts = { media: null, containerTags: {}, tags: null, cover: new Uint8Array(cover) }
  return { kind: 'read', facts, local: [], contentHash: new Uint8Array(), hasChanged: false }
}

async function coverOfAudio(source: ByteSource, path: string): Promise<Uint8Array | undefined> {
  const outcome = await readAudioTags({ source, name: basename(path), withPictures: true })
  return outcome.kind === 'read' ? outcome.tags.pictures[0]?.bytes : undefined
}
