import { createBufferPool, type BufferPool } from '../../platform/files/index.ts'
import type * as books from '../books/read-book.ts'
import type * as bookCovers from '../books/read-book-cover.ts'
import type * as covers from './read-cover.ts'
import type * as indexes from '../containers/read-stream-index.ts'
import type * as headersOfVideos from '../containers/read-headers.ts'
import type * as photos from '../photos/read-photo.ts'
import type * as sidecars from '../sidecars/read-sidecar.ts'
import type * as sniffing from '../tags/sniff-audio.ts'
import type * as tags from '../tags/read-audio-tags.ts'
import { createZoneOffsets, type ZoneOffsets } from '../photos/local-time.ts'
import { loadOnce } from './load-once.ts'
import type { ReadKind } from './read-request.ts'

type Loaders = {
  books: () => Promise<typeof books>
  bookCovers: () => Promise<typeof bookCovers>
  covers: () => Promise<typeof covers>
  indexes: () => Promise<typeof indexes>
  headersOfVideos: () => Promise<typeof headersOfVideos>
  photos: () => Promise<typeof photos>
  sidecars: () => Promise<typeof sidecars>
  sniffing: () => Promise<typeof sniffing>
  tags: () => Promise<typeof tags>
}

/** What a reader thread keeps from file to file: the modules that it has loaded, buffers, and time zones. */
export type ReaderState = { load: Loaders; blocks: BufferPool; offsets: ZoneOffsets }

/**
 * Creates the state of a reader thread. Modules are loaded when a file needs them: loading all takes longer than reading a hundred songs.
 */
export function createReaderState(): ReaderState {
  return {
    load: {
      books: loadOnce(() => import('../books/read-book.ts')),
      bookCovers: loadOnce(() => import('../books/read-book-cover.ts')),
      covers: loadOnce(() => import('./read-cover.ts')),
      indexes: loadOnce(() => import('../containers/read-stream-index.ts')),
      headersOfVideos: loadOnce(() => import('../containers/read-headers.ts')),
      photos: loadOnce(() => import('../photos/read-photo.ts')),
      sidecars: loadOnce(() => import('../sidecars/read-sidecar.ts')),
      sniffing: loadOnce(() => import('../tags/sniff-audio.ts')),
      tags: loadOnce(() => import('../tags/read-audio-tags.ts')),
    },
    blocks: createBufferPool(),
    offsets: createZoneOffsets(),
  }
}

const NEEDED: Readonly<Record<ReadKind, readonly (keyof Loaders)[]>> = {
  video: ['headersOfVideos'],
  audio: ['tags'],
  audiobook: ['tags', 'sniffing', 'headersOfVideos'],
  photo: ['photos'],
  book: ['books'],
}

/** Loads the modules that every file of a kind needs. */
export async function loadModulesFor({ load }: ReaderState, as: ReadKind): Promise<void> {
  for (const name of NEEDED[as]) await load[name]()
}
