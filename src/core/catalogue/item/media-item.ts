import type { ProbedFile } from '../../probing/index.ts'

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

/** An entry of the catalogue: a film, an episode or another file, or a series or season, which have no file. */
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
  /** Absolute; null for an item without a file. */
  path: string | null
  sizeBytes: number | null
  /** Duration of the whole item: its own file and its further parts (`cd2`). */
  durationSeconds: number | null
  /** Duration of its own file only. */
  fileSeconds: number | null
  /** Container format in the notation of ffprobe, for example `matroska,webm`. */
  container: string | null
  /** Bits per second of the whole file. */
  bitrate: number | null
  /** Title, year, `source` (the source profile) and the fields that providers added. */
  metadata: Record<string, unknown>
  /** Why the file could not be read; null if it could. */
  probeError: string | null
  /** Time since which the file has been missing; null while it is present. */
  missingSince: Date | null
  addedAt: Date
  createdAt: Date
  updatedAt: Date
}

/** An item with the requested fields, and the version of its row, which changes with every write. */
export type ItemVersion<Item> = { item: Item; rowVersion: string }

/** The fields of an item that lists show; of its metadata only those that lists show. */
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

/** A named section of a film or a book; the chapters together cover it in order. */
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
  /** Probe results beyond these columns: profile, pixel format, frame rate, dispositions. */
  details: Record<string, unknown>
}
