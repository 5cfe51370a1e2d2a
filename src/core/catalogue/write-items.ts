import type { Connection } from '../platform/database/index.ts'
import type { Chapter, MediaItem, MediaStream } from './media-item.ts'
import { replaceStreams, upsertItems } from './queries/write.ts'
import { writeGroups } from './write-groups.ts'

/** A row that stands for more than a file, found again by its library, type and key. */
export type GroupWrite = Pick<MediaItem, 'type' | 'name' | 'sortTitle' | 'year'> & {
  key: string
  seasonNumber?: number | null
  metadata: Record<string, unknown>
}

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
  seasonNumber?: number | null
  episodeNumber?: number | null
  endingEpisodeNumber?: number | null
  episodeTitle?: string | null
  /** Who named it; a name that came from a provider since is only replaced by `local`. Unless said, the file's name. */
  nameSource?: 'file' | 'local'
  /** What tags and the files beside it say. */
  localMetadata?: Record<string, unknown>
  sidecarHash?: Buffer | null
  /** From the top down; the last is the parent, or with `role` the owner. */
  groups?: readonly GroupWrite[]
  /** Lists leave the row out. Of which file it is a version or part is said afterwards (`arrangeItems`); null takes all that back. */
  role?: ItemRole | null
}

export type ItemRole = 'version' | 'part' | 'extra'

export type StreamWrite = Omit<MediaStream, 'id' | 'mediaItemId'>

export type WrittenItem = { id: string; path: string; isNew: boolean }

/**
 * Writes a batch of files as items with their streams and the groups above them, in a constant number of statements. A path that is
 * known keeps its id, what providers added to its metadata, and unless tags or an NFO say otherwise its name; what comes from the file
 * is replaced, and it is no longer missing.
 */
export async function writeItems(
  connection: Connection,
  writes: readonly ItemWrite[],
  now: Date,
): Promise<WrittenItem[]> {
  // One statement cannot write the same row twice; the last word counts.
  const byPath = new Map(writes.map((write) => [write.path, write]))
  const items = [...byPath.values()]
  const [first] = items
  if (first === undefined) return []
  const groups = await writeGroups(connection, { libraryId: first.libraryId, chains: items.map(chainOf), now })
  const placed = items.map((item) => Object.assign({ ownerId: groups.idOf(chainOf(item)) }, item))
  const written = await upsertItems(connection, placed, now)
  await replaceStreams(
    connection,
    written.map(({ id, path, isNew }) => ({ itemId: id, isNew, streams: byPath.get(path)?.streams ?? [] })),
  )
  return written
}

function chainOf({ groups = [] }: ItemWrite): readonly GroupWrite[] {
  return groups
}
