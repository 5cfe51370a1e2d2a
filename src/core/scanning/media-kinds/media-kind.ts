import type { MediaItemType } from '../../catalogue/index.ts'
import type { MediaKind as FileKind } from '../../platform/files/index.ts'

/** What a file's name says about it. */
export type Identification = {
  type: MediaItemType
  name: string
  sortTitle: string
  year: number | null
  metadata: Record<string, unknown>
}

/** What is different from one library type to the next; a new type is a new file beside this one. Pure. */
export type MediaKind = {
  /** Which files can be media of such a library at all; the walk leaves the others out unseen. */
  fileKinds: readonly FileKind[]
  /** Whether a media file is an item by itself: a trailer is not. `pathInsideRoot` is relative to the library folder. */
  isItem(pathInsideRoot: string): boolean
  /** Reads the name of an item. */
  identify(pathInsideRoot: string): Identification
}
