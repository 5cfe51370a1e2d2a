import { iterateBoxes, childBoxesByType, readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { rejectHeader } from './unsupported-header.ts'
import { readTrackFragment, type TrackFragment } from './iso-track-fragment.ts'

/** Facts of a fragmented file (ISO/IEC 14496-12 8.8): its duration, and the first fragment of each track. */
export type Fragments = { durationSeconds: number; first: ReadonlyMap<number, TrackFragment> }

/** Limit of boxes between the movie box and its first fragment. */
const MAX_BOXES_BETWEEN = 16
const HEADER_BYTES = 64
/** Read size at the end of the file: random access indexes are short. */
const TAIL_BYTES = 32 * 1024
const WHOLE_INDEX_BYTES = 1024 * 1024
const SEGMENT_INDEX_BYTES = 12 * 65_536 + HEADER_BYTES

/** Reads the fragments. `timescales`: the timescales of the tracks, by track number. */
export function readFragments(
  source: HeaderSource,
  {
    movie,
    extends: extension,
    movieTimescale,
    timescales,
  }: {
    movie: Box
    extends: Box
    movieTimescale: number
    timescales: ReadonlyMap<number, number>
  },
): Fragments {
  const defaults = readDefaults(source, extension)
  const { first, indexed } = readBeginning(source, movie, defaults)
  const declared = childBoxesByType(source, extension).get('mehd')
  const durationSeconds =
    indexed ??
    (declared === undefined ? undefined : readDeclaredDuration(source, declared, movieTimescale)) ??
    readLastFragment(source, { defaults, timescales })
  if (!(durationSeconds !== undefined && durationSeconds > 0))
    rejectHeader('fragments that do not tell how long they are')
  return { durationSeconds, first }
}

/** Box `mehd`, 8.8.2. */
function readDeclaredDuration(source: HeaderSource, box: Box, movieTimescale: number): number | undefined {
  const view = readBoxContent(source, box, HEADER_BYTES)
  const duration = readFullBoxHeader(view).version === 1 ? view.u64() : view.u32()
  return duration > 0 ? duration / movieTimescale : undefined
}

/** Returns the default sample durations by track (`trex`, 8.8.3). */
function readDefaults(source: HeaderSource, extension: Box): Map<number, number> {
  const defaults = new Map<number, number>()
  for (const box of iterateBoxes(source, { start: extension.dataStart, end: extension.end })) {
    if (box.type !== 'trex') continue
    const view = readBoxContent(source, box, HEADER_BYTES)
    view.skip(4)
    const track = view.u32()
    view.skip(4)
    defaults.set(track, view.u32())
  }
  return defaults
}

/** Reads from the movie box to the first fragment. Segment indexes between them give the total duration if they cover the whole file. */
function readBeginning(source: HeaderSource, movie: Box, defaults: ReadonlyMap<number, number>) {
  const indexes: SegmentIndex[] = []
  let count = 0
  for (const box of iterateBoxes(source, { start: movie.end, end: source.sizeBytes })) {
    if (box.type === 'sidx') indexes.push(readSegmentIndex(source, box))
    if (box.type === 'moof') {
      const first = readFragment(source, box, defaults)
      const end = Math.max(0, ...indexes.map((index) => index.end))
      // An index of a part of the file does not contain the total duration.
      const isWhole = indexes.length > 0 && onlyIndexFollows(source, end)
      return { first, indexed: isWhole ? Math.max(...indexes.map((index) => index.seconds)) : undefined }
    }
    count += 1
    if (count > MAX_BOXES_BETWEEN) break
  }
  return rejectHeader('a file in fragments without any')
}

function readFragment(
  source: HeaderSource,
  box: Box,
  defaults: ReadonlyMap<number, number>,
): Map<number, TrackFragment> {
  const tracks = new Map<number, TrackFragment>()
  for (const child of iterateBoxes(source, { start: box.dataStart, end: box.end })) {
    if (child.type !== 'traf') continue
    const fragment = readTrackFragment(source, child, defaults)
    tracks.set(fragment.track, fragment)
  }
  return tracks
}

type SegmentIndex = { seconds: number; end: number }

/** Reads box `sidx`, 8.16.3; returns the total duration of its segments and the end of the last one. */
function readSegmentIndex(source: HeaderSource, box: Box): SegmentIndex {
  const view = readBoxContent(source, box, SEGMENT_INDEX_BYTES)
  const { version } = readFullBoxHeader(view)
  view.skip(4)
  const timescale = view.u32()
  const [, offset] = version === 0 ? [view.u32(), view.u32()] : [view.u64(), view.u64()]
  view.skip(2)
  const count = view.u16()
  let [end, units] = [box.end + offset, 0]
  for (let index = 0; index < count; index += 1) {
    // The highest bit marks a segment that begins with its own index.
    end += view.u32() % 2 ** 31
    units += view.u32()
    view.skip(4)
  }
  return timescale > 0 ? { seconds: units / timescale, end } : rejectHeader('an index without a clock')
}

/** Returns whether only the random access index follows. */
function onlyIndexFollows(source: HeaderSource, position: number): boolean {
  if (position >= source.sizeBytes) return position === source.sizeBytes
  const [next] = iterateBoxes(source, { start: position, end: source.sizeBytes })
  return next?.type === 'mfra' && next.end === source.sizeBytes
}

type Last = { defaults: ReadonlyMap<number, number>; timescales: ReadonlyMap<number, number> }

/** Returns the end time of the last fragment in seconds. The index at the end of the file locates the fragment (8.8.9 to 8.8.11). */
function readLastFragment(source: HeaderSource, { defaults, timescales }: Last): number | undefined {
  const tailBytes = Math.min(source.sizeBytes, TAIL_BYTES)
  const tail = Buffer.from(source.read(source.sizeBytes - tailBytes, tailBytes).subarray(-16))
  if (tail.toString('latin1', 4, 8) !== 'mfro') return undefined
  const start = source.sizeBytes - tail.readUInt32BE(12)
  if (start < 0) return undefined
  const [index] = iterateBoxes(source, { start, end: source.sizeBytes })
  if (index?.type !== 'mfra') return undefined
  if (index.end - index.dataStart <= WHOLE_INDEX_BYTES) source.read(index.dataStart, index.end - index.dataStart)
  const positions = [...iterateBoxes(source, { start: index.dataStart, end: index.end })]
    .filter(({ type }) => type === 'tfra')
    .map((box) => readLastPosition(source, box))
  const [fragment] = iterateBoxes(source, { start: Math.max(0, ...positions), end: source.sizeBytes })
  if (fragment?.type !== 'moof') return undefined
  const ends = [...readFragment(source, fragment, defaults).values()].map(
    ({ track, base, units }) => (base + units) / (timescales.get(track) ?? Infinity),
  )
  return Math.max(0, ...ends)
}

/** Returns the position of the last fragment of a track (`tfra`, 8.8.10). */
function readLastPosition(source: HeaderSource, box: Box): number {
  const view = readBoxContent(source, box, HEADER_BYTES)
  const { version } = readFullBoxHeader(view)
  view.skip(4)
  const lengths = view.u32()
  const count = view.u32()
  const numberBytes = [4, 2, 0].reduce((sum, shift) => sum + ((lengths >> shift) & 3) + 1, 0)
  const entryBytes = (version === 1 ? 16 : 8) + numberBytes
  if (count === 0 || 16 + count * entryBytes > box.end - box.dataStart) return 0
  const last = { ...box, dataStart: box.dataStart + 16 + (count - 1) * entryBytes }
  const entry = readBoxContent(source, last, entryBytes)
  entry.skip(version === 1 ? 8 : 4)
  return version === 1 ? entry.u64() : entry.u32()
}
