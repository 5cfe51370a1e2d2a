import type { Connection } from '../../platform/database/index.ts'
import type { Chapter, MediaItem, MediaStream } from '../item/media-item.ts'
import { replaceStreams, upsertItems } from '../queries/write.ts'
import { writeGroups } from '../groups/write-groups.ts'

/** A row that is not a single file. It is identified by library, type and key. */
export type GroupWrite = Pick<MediaItem, 'type' | 'name' | 'sortTitle' | 'year'> & {
  key: string
  seasonNumber?: number | null
  metadata: Record<string, unknown>
}

/** What a scan knows about one file. The row is identified by library and path. */
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
  /** Source of the name. A later name from a provider is only replaced by `local`. Default: the file name. */
  nameSource?: 'file' | 'local'
  /** Metadata from tags and sidecar files. */
  localMetadata?: Record<string, unknown>
  sidecarHash?: Buffer | null
  /** From the top down; the last is the parent, or with `role` the owner. */
  groups?: readonly GroupWrite[]
  /** A row with a role is not listed. Which file it is a version or part of is set afterwards (`arrangeItems`); null removes the role. */
  role?: ItemRole | null
}

export type ItemRole = 'version' | 'part' | 'extra'

export type StreamWrite = Omit<MediaStream, 'id' | 'mediaItemId'>

export type WrittenItem = { id: string; path: string; isNew: boolean }

/**
 * Writes a batch of files as items with their streams and the groups above them, in a constant number of statements. A known path keeps
 * its id, the metadata that providers added and, unless tags or an NFO set another, its name. Everything else that comes from the file is
 * replaced, and the item is no longer missing.
 */
export async function writeItems(
  connection: Connection,
  writes: readonly ItemWrite[],
  now: Date,
): Promise<WrittenItem[]> {
  // One statement cannot write the same row twice; the last write of a path counts.
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
