import type { ByteSource } from '../../platform/files/index.ts'
import type { StreamIndex } from '../stream-index.ts'
import { limitHeaderReads } from './limit-header-reads.ts'
import { checkIndexTimes } from './check-stream-index-times.ts'
import { UnsupportedHeader } from './unsupported-header.ts'
import { readIsoIndex } from './iso-stream-index.ts'
import { readMatroskaIndex } from './matroska-stream-index.ts'
import { isMatroska } from './read-headers.ts'

/** The index, or the reason why the caller must read the packets instead. */
export type IndexReadResult =
  | { index: StreamIndex; unsupportedReason: undefined }
  | { index: undefined; unsupportedReason: string }

/**
 * Returns the index of one video stream of an MP4, QuickTime, Matroska or WebM file from the tables of its container, in a few reads.
 * Damaged and hostile tables are rejected.
 * @throws AppError `file_unreadable` if the device reports an error
 */
export function readStreamIndex(source: ByteSource, streamIndex: number): IndexReadResult {
  try {
    const bounded = limitHeaderReads(source)
    const read = isMatroska(bounded) ? readMatroskaIndex : readIsoIndex
    return { index: checkIndexTimes(read(bounded, streamIndex)), unsupportedReason: undefined }
  } catch (error) {
    if (error instanceof UnsupportedHeader) return { index: undefined, unsupportedReason: error.message }
    throw error
  }
}
