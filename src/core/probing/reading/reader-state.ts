import { createBlockPool, type BlockPool } from '../../platform/files/index.ts'
import { createZoneOffsets, type ZoneOffsets } from '../photos/wall-clock.ts'
import { lazily } from './lazily.ts'

type Loaders = {
  books: () => Promise<typeof import('../books/read-book.ts')>
  bookCovers: () => Promise<typeof import('../books/cover-of.ts')>
  covers: () => Promise<typeof import('./read-cover.ts')>
  indexes: () => Promise<typeof import('../containers/read-index.ts')>
  headersOfVideos: () => Promise<typeof import('../containers/read-headers.ts')>
  photos: () => Promise<typeof import('../photos/read-photo.ts')>
  sidecars: () => Promise<typeof import('../sidecars/read-sidecar.ts')>
  sniffing: () => Promise<typeof import('../tags/sniff-audio.ts')>
  tags: () => Promise<typeof import('../tags/read-audio-tags.ts')>
}

/** What a reader thread keeps from file to file: the modules that it has loaded, buffers, and time zones. */
export type ReaderState = { load: Loaders; blocks: BlockPool; offsets: ZoneOffsets }

/** Creates the state of a reader thread. Modules are loaded when a file needs them: loading all takes longer than reading a hundred songs. */
export function createReaderState(): ReaderState {
  return {
    load: {
      books: lazily(() => import('../books/read-book.ts')),
      bookCovers: lazily(() => import('../books/cover-of.ts')),
      covers: lazily(() => import('./read-cover.ts')),
      indexes: lazily(() => import('../containers/read-index.ts')),
      headersOfVideos: lazily(() => import('../containers/read-headers.ts')),
      photos: lazily(() => import('../photos/read-photo.ts')),
      sidecars: lazily(() => import('../sidecars/read-sidecar.ts')),
      sniffing: lazily(() => import('../tags/sniff-audio.ts')),
      tags: lazily(() => import('../tags/read-audio-tags.ts')),
    },
    blocks: createBlockPool(),
    offsets: createZoneOffsets(),
  }
}
