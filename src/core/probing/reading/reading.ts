import type { Book } from '../books/book.ts'
import type { PhotoTimeInput } from '../photos/photo-time.ts'
import type { Photo } from '../photos/photo.ts'
import type { ProbedFile } from '../probed-file.ts'
import type { StreamIndex } from '../stream-index.ts'
import type { LocalMetadata } from '../sidecars/local-metadata.ts'
import type { AudioTags } from '../tags/audio-tags.ts'

/** How a file is to be read. */
export type ReadAs = Exclude<ReadRequest['as'], 'sidecars' | 'cover' | 'index'>

/** One file to look into; plain values, for it crosses the border of a worker. */
export type ReadRequest = FileToRead &
  /** `audiobook`: sound whose chapters matter, wherever in the file they are. */
  (
    | { as: 'video' | 'audio' | 'audiobook' | 'book' }
    /** Only what is beside it: nothing is said about the file itself. */
    | { as: 'sidecars' }
    /** Only where one of its picture streams can be cut. */
    | { as: 'index'; streamIndex: number }
    /** Only the picture in it: what shows a song, an audiobook or a book. */
    | { as: 'cover' }
    /** `time`: what its time goes by where the picture does not tell it. */
    | { as: 'photo'; time: Pick<PhotoTimeInput, 'modifiedAtSeconds' | 'zone'> }
  )

type FileToRead = {
  /** The library folder; nothing outside of it is opened. */
  root: string
  /** Absolute. */
  path: string
  /** What the walk saw; another size now means that somebody is writing. */
  sizeBytes: number
  /** Absolute paths of the files beside it that tell about it, the most trusted last. */
  sidecars: readonly string[]
}

/** What the headers and tags of a file say. */
export type FileFacts = {
  /** Null for what has neither picture nor sound. */
  media: ProbedFile | null
  /** Tags of the whole file by the names that ffprobe gives them. */
  containerTags: Readonly<Record<string, string>>
  tags: AudioTags | null
  photo?: Photo
  book?: Book
  /** The bytes of the picture that was asked for. */
  cover?: Uint8Array
  index?: StreamIndex
}

/** What reading a file came to. `local` is what the files beside it say, in the order of the request. */
export type Reading =
  | { kind: 'read'; facts: FileFacts; local: LocalMetadata[]; contentHash: Uint8Array; hasChanged: boolean }
  /** The header readers do not understand all of it; ffprobe is asked. */
  | {
      kind: 'doubt'
      reason: string
      tags: AudioTags | null
      local: LocalMetadata[]
      contentHash: Uint8Array
      hasChanged: boolean
    }
  | { kind: 'unreadable'; code: string; reason: string; local: LocalMetadata[] }
  | { kind: 'gone' }
