import { iterateBoxes, readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import type { ByteReader } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'

/** The data of a track in a fragment; times are in units of the track's timescale. */
export type TrackFragment = {
  track: number
  base: number
  units: number
  samples: number
  /** Duration of each sample if all are equal. */
  unit: number | undefined
  /** Composition offset of the first sample. */
  firstOffset: number
}

const MAX_BYTES = 4 * 1024 * 1024

/** Box `traf`, ISO/IEC 14496-12 8.8.6 to 8.8.8, 8.8.12. */
export function readTrackFragment(
  source: HeaderSource,
  box: Box,
  defaults: ReadonlyMap<number, number>,
): TrackFragment {
  const fragment: TrackFragment = { track: 0, base: 0, units: 0, samples: 0, unit: undefined, firstOffset: 0 }
  let usual = 0
  for (const child of iterateBoxes(source, { start: box.dataStart, end: box.end })) {
    const view = readBoxContent(source, child, MAX_BYTES)
    if (child.type === 'tfhd') usual = readHead(view, fragment, defaults)
    if (child.type === 'tfdt') fragment.base = readFullBoxHeader(view).version === 1 ? view.u64() : view.u32()
    if (child.type === 'trun') addRun(view, fragment, usual)
  }
  return fragment
}

/** Reads `tfhd`: sets the track and returns the default duration of its samples. */
function readHead(view: ByteReader, fragment: TrackFragment, defaults: ReadonlyMap<number, number>): number {
  const { flags } = readFullBoxHeader(view)
  fragment.track = view.u32()
  if ((flags & 1) !== 0) view.skip(8)
  if ((flags & 2) !== 0) view.skip(4)
  return (flags & 8) === 0 ? (defaults.get(fragment.track) ?? 0) : view.u32()
}

type Run = { count: number; entryBytes: number; hasLength: boolean; hasOffset: boolean; usual: number }

/** Reads `trun`: each sample may declare duration, size, flags and offset. */
function addRun(view: ByteReader, fragment: TrackFragment, usual: number): void {
  const { flags } = readFullBoxHeader(view)
  const count = view.u32()
  if ((flags & 1) !== 0) view.skip(4)
  if ((flags & 4) !== 0) view.skip(4)
  const entryBytes = [0x1_00, 0x2_00, 0x4_00, 0x8_00].filter((bit) => (flags & bit) !== 0).length * 4
  if (count * entryBytes > view.left) rejectHeader('a run of samples that is shorter than it says')
  const run = { count, entryBytes, hasLength: (flags & 0x1_00) !== 0, hasOffset: (flags & 0x8_00) !== 0, usual }
  if (run.hasLength) addDeclaredRun(view, fragment, run)
  else addDefaultRun(view, fragment, run)
}

function addDefaultRun(view: ByteReader, fragment: TrackFragment, { count, entryBytes, hasOffset, usual }: Run): void {
  recordUnit(fragment, usual)
  if (fragment.samples === 0 && hasOffset && count > 0) {
    view.skip(entryBytes - 4)
    fragment.firstOffset = view.i32()
  }
  fragment.units += usual * count
  fragment.samples += count
}

function addDeclaredRun(view: ByteReader, fragment: TrackFragment, { count, entryBytes, hasOffset }: Run): void {
  for (let index = 0; index < count; index += 1) {
    const length = view.u32()
    view.skip(entryBytes - 4 - (hasOffset ? 4 : 0))
    const offset = hasOffset ? view.i32() : 0
    if (fragment.samples === 0) fragment.firstOffset = offset
    // At both ends of a fragment a sample may be slightly longer.
    if (count < 3 || (index > 0 && index < count - 1)) recordUnit(fragment, length)
    fragment.units += length
    fragment.samples += 1
  }
}

/** Different durations result in NaN. */
function recordUnit(fragment: TrackFragment, length: number): void {
  fragment.unit = fragment.unit === undefined || fragment.unit === length ? length : Number.NaN
}
