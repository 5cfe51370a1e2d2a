import type { GroupWrite } from './group-write.ts'
import type { Chapter, MediaItem, MediaStream } from './media-item.ts'

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
  /** The groups from the top down. The last one is the parent of the item, or its owner if the item has a `role`. */
  groups?: readonly GroupWrite[]
  /** A row with a role is not listed. Which file it is a version or part of is set afterwards (`storeFolderArrangement`); null removes the role. */
  role?: ItemRole | null
}

export type ItemRole = 'version' | 'part' | 'extra'

export type StreamWrite = Omit<MediaStream, 'id' | 'mediaItemId'>

export type WrittenItem = { id: string; path: string; isNew: boolean }
