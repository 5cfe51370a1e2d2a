import type { ByteSource } from '../../platform/files/index.ts'
import type { StreamIndex } from '../stream-index.ts'
import { boundSource } from './bounded-source.ts'
import { Doubt, doubt } from './doubt.ts'
import { readIsoIndex } from './iso-index.ts'
import { readMatroskaIndex } from './matroska-index.ts'
import { isMatroska } from './read-headers.ts'

/** With doubt the packets of the file have to be looked at one by one; the reason is for a log. */
export type IndexReading = { index: StreamIndex; doubt: undefined } | { index: undefined; doubt: string }

/**
 * The index of one picture stream of an MP4, QuickTime, Matroska or WebM file from the tables of its container, in a
 * few reads. Damaged and hostile tables are doubt.
 * @throws AppError `file_unreadable` when the device answers with an error
 */
export function readIndex(source: ByteSource, streamIndex: number): IndexReading {
  try {
    const bounded = boundSource(source)
    const read = isMatroska(bounded) ? readMatroskaIndex : readIsoIndex
    return { index: checked(read(bounded, streamIndex)), doubt: undefined }
  } catch (error) {
    if (error instanceof Doubt) return { index: undefined, doubt: error.message }
    throw error
  }
}

/** Ten years: clocks that begin anywhere included. */
const LATEST_MICROSECONDS = 10 * 366 * 24 * 3600 * 1_000_000

function checked(index: StreamIndex): StreamIndex {
  const { firstMicroseconds: first, endMicroseconds: end } = index
  const isLikely = Math.abs(first) < LATEST_MICROSECONDS && end > first && end < LATEST_MICROSECONDS
  return isLikely ? index : doubt('a picture of an impossible length')
}
