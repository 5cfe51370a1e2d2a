import { readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { ByteReader } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'

const HEAD_BYTES = 12

/**
 * Returns the sample sizes of a track in bytes, one per call (`stsz`, ISO/IEC 14496-12 8.7.3.2); 0 after the last.
 * @throws UnsupportedHeader for a track whose table is missing or truncated
 */
export function iterateSampleSizes(source: HeaderSource, box: Box | undefined): () => number {
  if (box === undefined) rejectHeader('a track without sizes')
  const head = readBoxContent(source, box, HEAD_BYTES)
  readFullBoxHeader(head)
  const [size, count] = [head.u32(), head.u32()]
  if (size > 0) return () => size
  if (count * 4 > box.end - box.dataStart - HEAD_BYTES) rejectHeader('a table that is shorter than it says')
  const view = new ByteReader(source.read(box.dataStart + HEAD_BYTES, count * 4))
  return () => (view.left >= 4 ? view.u32() : 0)
}
