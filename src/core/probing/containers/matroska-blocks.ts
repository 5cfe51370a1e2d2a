import { type HeaderSource, readUpTo } from './limit-header-reads.ts'
import { ByteReader } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'
import { readElement, readVariableInteger, readUnsigned, type EbmlElement } from './ebml.ts'
import { MATROSKA_ID } from './matroska-ids.ts'

/** The first block of a track: its timestamp in the file's units, and the beginning of its first frame. */
export type FirstBlock = { timestamp: number; frame: Uint8Array }

/** Enough for the header of any parsed frame, and for the dependent frame of E-AC-3. */
const FRAME_BYTES = 6200
/** Limit of elements; enough for the first second of a film with many tracks. */
const MAX_ELEMENTS = 1500
/** Limit of clusters; a track that begins later has no first block. */
const MAX_CLUSTERS = 4
const INSIDE_CLUSTER = new Set<number>([
  MATROSKA_ID.Timestamp,
  MATROSKA_ID.SimpleBlock,
  MATROSKA_ID.BlockGroup,
  0xa7,
  0xab,
  0xec,
  0xbf,
  0x58_54,
  0xaf,
])

/** A range to walk: from a cluster to an end position. */
type ClusterRange = { firstCluster: EbmlElement; end: number }

/** Returns the first block of each wanted track (RFC 9559 5.1.3). */
export function readFirstBlocks(
  source: HeaderSource,
  range: ClusterRange,
  tracks: ReadonlySet<number>,
): Map<number, FirstBlock> {
  const blocks = new Map<number, FirstBlock>()
  const few = { elements: MAX_ELEMENTS, clusters: MAX_CLUSTERS }
  if (tracks.size === 0) return blocks
  for (const { track, timestamp, frame } of blocksFrom(source, range, few)) {
    if (tracks.has(track) && !blocks.has(track)) blocks.set(track, { timestamp, frame })
    if (blocks.size >= tracks.size) break
  }
  return blocks
}

/** Returns the latest timestamp of a track in the range; undefined if it has no block there. */
export function readLastTimestamp(source: HeaderSource, range: ClusterRange, trackNumber: number): number | undefined {
  let last: number | undefined
  for (const { track, timestamp } of blocksFrom(source, range, { elements: Infinity, clusters: Infinity })) {
    if (track === trackNumber) last = Math.max(last ?? timestamp, timestamp)
  }
  return last
}

/** Yields the blocks of clusters in file order, with timestamps in the file's units. */
function* blocksFrom(
  source: HeaderSource,
  { firstCluster, end }: ClusterRange,
  most: { elements: number; clusters: number },
): Generator<FirstBlock & { track: number }> {
  let position = firstCluster.dataStart
  let clusterTime = 0
  let clusters = 1
  for (let count = 0; count < most.elements && position < end; count += 1) {
    const element = readElement(source, position)
    if (element.id === MATROSKA_ID.Cluster) clusters += 1
    else if (!INSIDE_CLUSTER.has(element.id)) break
    if (clusters > most.clusters) break
    if (element.id === MATROSKA_ID.Timestamp)
      clusterTime = readUnsigned(readUpTo(source, element.dataStart, element.size), 0)
    const block = blockIn(source, element)
    if (block !== undefined) yield { ...block, timestamp: clusterTime + block.timestamp }
    const entersInside = element.id === MATROSKA_ID.Cluster
    position = element.dataStart + (entersInside ? 0 : element.size)
  }
}

function blockIn(source: HeaderSource, element: EbmlElement): (FirstBlock & { track: number }) | undefined {
  if (element.id === MATROSKA_ID.SimpleBlock) return readBlock(source, element)
  if (element.id !== MATROSKA_ID.BlockGroup) return undefined
  let position = element.dataStart
  for (let count = 0; count < 16 && position < element.dataStart + element.size; count += 1) {
    const inner = readElement(source, position)
    if (inner.id === MATROSKA_ID.Block) return readBlock(source, inner)
    position = inner.dataStart + inner.size
  }
  return undefined
}

/** RFC 9559 10: track number, timestamp relative to the cluster, flags, lace sizes, frames. */
function readBlock(source: HeaderSource, element: EbmlElement): FirstBlock & { track: number } {
  const bytes = readUpTo(source, element.dataStart, Math.min(element.size, FRAME_BYTES))
  const number = readVariableInteger(bytes, 0)
  const view = new ByteReader(bytes)
  view.skip(number.length)
  const timestamp = view.i16()
  const lacing = view.u8() & 6
  if (lacing !== 0) skipLaceSizes(view, lacing)
  return { track: number.value, timestamp, frame: view.take(view.left) }
}

function skipLaceSizes(view: ByteReader, lacing: number): void {
  const frames = view.u8()
  if (lacing === 4) return
  for (let index = 0; index < frames; index += 1) {
    if (lacing === 2) while (view.u8() === 255);
    else view.skip(readVariableInteger(view.bytes, view.position).length)
  }
  if (view.left === 0) rejectHeader('a block without frames')
}
