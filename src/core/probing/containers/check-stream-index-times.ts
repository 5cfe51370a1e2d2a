import type { StreamIndex } from '../stream-index.ts'
import { rejectHeader } from './unsupported-header.ts'

/** Ten years, including clocks with an arbitrary start. */
const MAX_MICROSECONDS = 10 * 366 * 24 * 3600 * 1_000_000

/** Returns the index if its times are plausible. @throws UnsupportedHeader */
export function checkIndexTimes(index: StreamIndex): StreamIndex {
  const { firstMicroseconds: first, endMicroseconds: end } = index
  const isLikely = Math.abs(first) < MAX_MICROSECONDS && end > first && end < MAX_MICROSECONDS
  return isLikely ? index : rejectHeader('a picture of an impossible length')
}
