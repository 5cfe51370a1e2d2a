import type { Connection } from '../platform/database/index.ts'
import type { Chapter, MediaItem, MediaStream } from './media-item.ts'
import { replaceStreams, upsertItems } from './queries/write.ts'

/** What a scan knows about one file. The row is found by library and path. */
export type ItemWrite = Pick<
  MediaItem,
  | 'libraryId'
  | 'type'
  | 'name'
  | 'sortTitle'
  | 'year'
  | 'durationSeconds'
  | 'container'
  | 'bitrate'
  | 'metadata'
  | 'probeError'
> & {
  path: string
  sizeBytes: number
  modifiedAtNanoseconds: bigint
  canonicalKey: string
  contentHash: Buffer | null
  chapters?: readonly Chapter[]
  streams: StreamWrite[]
}

export type StreamWrite = Omit<MediaStream, 'id' | 'mediaItemId'>

export type WrittenItem = { id: string; path: string; isNew: boolean }

/**
 * Writes a batch of files as items with their streams, in a constant number of statements. A path that is known keeps its id, its
 * name and what providers added to its metadata; what comes from the file is replaced, and it is no longer missing.
 */
export async function writeItems(
  connection: Connection,
  writes: readonly ItemWrite[],
  now: Date,
): Promise<WrittenItem[]> {
  // One statement cannot write the same row twice; the last word counts.
  const byPath = new Map(writes.map((write) => [write.path, write]))
  if (byPath.size === 0) return []
  const written = await upsertItems(connection, [...byPath.values()], now)
  await replaceStreams(
    connection,
    written.map(({ id, path }) => ({ itemId: id, streams: byPath.get(path)?.streams ?? [] })),
  )
  return written
}
