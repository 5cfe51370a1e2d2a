import type { ProbedFile } from '../probing/index.ts'

export const MEDIA_ITEM_TYPES = [
  'movie',
  'series',
  'season',
  'episode',
  'audio',
  'image',
  'track',
  'music',
  'album',
  'artist',
  'video',
  'book',
  'photo',
  'audiobook',
] as const

export type MediaItemType = (typeof MEDIA_ITEM_TYPES)[number]

/** One thing in the catalogue: a film, an episode, but also a series or a season, which have no file (document 1, Media item). */
export type MediaItem = {
  /** UUID. */
  id: string
  libraryId: string
  parentId: string | null
  type: MediaItemType
  name: string
  /** The name without leading article. */
  sortTitle: string
  year: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  episodeTitle: string | null
  /** Absolute; null for what has no file. */
  path: string | null
  sizeBytes: number | null
  /** Of the whole: its own file and its further parts (`cd2`). */
  durationSeconds: number | null
  /** Of its own file alone. */
  fileSeconds: number | null
  /** As ffprobe names it, for example `matroska,webm`. */
  container: string | null
  /** Bits per second of the whole file. */
  bitrate: number | null
  /** Title, year, `source` (document 2, Source profile) and whatever providers added. */
  metadata: Record<string, unknown>
  /** Why the file could not be read; null when it could. */
  probeError: string | null
  /** Since when the file has not been found; null while it is there. */
  missingSince: Date | null
  addedAt: Date
  createdAt: Date
  updatedAt: Date
}

/** An item, as much of it as was asked for, and what changes with every write of its row. */
export type ItemVersion<Item> = { item: Item; rowVersion: string }

/** What lists show of an item; of its metadata only what they show. */
export type ListedItem = Pick<
  MediaItem,
  | 'id'
  | 'libraryId'
  | 'parentId'
  | 'type'
  | 'name'
  | 'sortTitle'
  | 'year'
  | 'seasonNumber'
  | 'episodeNumber'
  | 'episodeTitle'
  | 'path'
  | 'durationSeconds'
  | 'createdAt'
  | 'updatedAt'
  | 'metadata'
>

export const STREAM_TYPES = ['video', 'audio', 'subtitle', 'attachment', 'data'] as const

/** A named part of a film or a book; all of them cover it in order. */
export type Chapter = ProbedFile['chapters'][number]

/** One track of a file. */
export type MediaStream = {
  /** UUID. */
  id: string
  mediaItemId: string
  /** Position among all streams of the file, as ffmpeg counts. */
  index: number
  type: (typeof STREAM_TYPES)[number]
  codec: string | null
  language: string | null
  title: string | null
  /** Bits per second. */
  bitrate: number | null
  width: number | null
  height: number | null
  channels: number | null
  isDefault: boolean
  /** What probing knows beyond these columns: profile, pixel format, frame rate, dispositions. */
  details: Record<string, unknown>
}
