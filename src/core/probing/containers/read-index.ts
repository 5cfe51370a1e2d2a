import type { ByteSource } from '../../platform/files/index.ts'
import type { StreamIndex } from '../stream-index.ts'
import { boundSource } from './bounded-source.ts'
import { checkIndexTimes } from './check-index-times.ts'
import { UnsupportedHeader } from './unsupported-header.ts'
import { readIsoIndex } from './iso-index.ts'
import { readMatroskaIndex } from './matroska-index.ts'
import { isMatroska } from './read-headers.ts'

/** The index, or the reason why the caller must read the packets instead. */
export type IndexReading =
  | { index: StreamIndex; unsupportedReason: undefined }
  | { index: undefined; unsupportedReason: string }

/**
 * Returns the index of one video stream of an MP4, QuickTime, Matroska or WebM file from the tables of its container, in a few reads.
 * Damaged and hostile tables are rejected.
 * @throws AppError `file_unreadable` if the device reports an error
 */
export function readIndex(source: ByteSource, streamIndex: number): IndexReading {
  try {
    const bounded = boundSource(source)
    const read = isMatroska(bounded) ? readMatroskaIndex : readIsoIndex
    return { index: checkIndexTimes(read(bounded, streamIndex)), unsupportedReason: undefined }
  } catch (error) {
    if (error instanceof UnsupportedHeader) return { index: undefined, unsupportedReason: error.message }
    throw error
  }
}
