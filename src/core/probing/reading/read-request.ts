import type { ProbedBook } from '../books/probed-book.ts'
import type { PhotoTimeInput } from '../photos/photo-time.ts'
import type { ProbedPhoto } from '../photos/probed-photo.ts'
import type { ProbedFile } from '../probed-file.ts'
import type { StreamIndex } from '../stream-index.ts'
import type { LocalMetadata } from '../sidecars/local-metadata.ts'
import type { AudioTags } from '../tags/audio-tags.ts'

/** The kinds of files that scans read. */
export type ReadKind = Exclude<ReadRequest['as'], 'sidecars' | 'cover' | 'index'>

/** A request to read one file; plain values, because it is sent to a worker. */
export type ReadRequest = FileToRead &
  /** `audiobook`: audio whose chapters are required, wherever they are in the file. */
  (
    | { as: 'video' | 'audio' | 'audiobook' | 'book' }
    /** Sidecars only; the file itself is not read. */
    | { as: 'sidecars' }
    /** The index of one video stream only. */
    | { as: 'index'; streamIndex: number }
    /** The embedded picture of a song, an audiobook or a book only. */
    | { as: 'cover' }
    /** `time`: fallbacks for a picture without a time. */
    | { as: 'photo'; time: Pick<PhotoTimeInput, 'modifiedAtSeconds' | 'zone'> }
  )

/** Whether a client waits for the result, and not a scan. */
export function isRequestedByClient({ as }: ReadRequest): boolean {
  return as === 'cover' || as === 'index'
}

type FileToRead = {
  /** The library folder; files outside are not opened. */
  root: string
  /** Absolute path. */
  path: string
  /** Size during the walk; a different size now means that the file is being written. */
  sizeBytes: number
  /** Absolute paths of the metadata sidecars, the most trusted last. */
  sidecars: readonly string[]
}

/** Facts from the headers and tags of a file. */
export type FileFacts = {
  /** Null without video and audio. */
  media: ProbedFile | null
  /** Tags of the whole file by ffprobe's names. */
  containerTags: Readonly<Record<string, string>>
  tags: AudioTags | null
  photo?: ProbedPhoto
  book?: ProbedBook
  /** The bytes of the requested picture. */
  cover?: Uint8Array
  index?: StreamIndex
}

/** The result of reading a file. `local` contains the records of the sidecars, in the order of the request. */
export type FileReadResult =
  | { kind: 'read'; facts: FileFacts; local: LocalMetadata[]; contentHash: Uint8Array; hasChanged: boolean }
  /** The header readers do not fully understand the file; ffprobe is required. */
  | {
      kind: 'needs-ffprobe'
      reason: string
      tags: AudioTags | null
      local: LocalMetadata[]
      contentHash: Uint8Array
      hasChanged: boolean
    }
  | { kind: 'unreadable'; code: string; reason: string; local: LocalMetadata[] }
  | { kind: 'gone' }
