import { readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { ByteReader } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'

/** Bytes read of a table; its summary needs no more (ISO/IEC 14496-12 8.6, 8.7). */
const MAX_TABLE_BYTES = 32 * 1024
/** Limit for summing a table of sample sizes. */
const MAX_SIZES_BYTES = 4 * 1024 * 1024

type Tables = ReadonlyMap<string, Box>

/** Returns the entries of a table with a count, up to the read limit. */
function entriesOf(
  source: HeaderSource,
  box: Box | undefined,
  entryBytes: number,
): { count: number; view: ByteReader } {
  if (box === undefined) return { count: 0, view: new ByteReader(new Uint8Array()) }
  const view = readBoxContent(source, box, MAX_TABLE_BYTES)
  readFullBoxHeader(view)
  const count = view.u32()
  if (count * entryBytes > box.end - box.dataStart - 8) rejectHeader('a table that is shorter than it says')
  return { count, view }
}

/** Sample durations of a track, in units of its timescale. */
export type SampleDurations = {
  /** Units per sample; undefined if they differ. */
  unit: number | undefined
  samples: number
  units: number
  /** Difference between the longest and the shortest sample; undefined if not computed. */
  spread: number | undefined
}

/** Reads sample durations (`stts`, 8.6.1.2). For a table above the read limit the totals of the track are used. */
export function readSampleDurations(
  source: HeaderSource,
  tables: Tables,
  whole: { samples: number; units: number },
): SampleDurations {
  const { count, view } = entriesOf(source, tables.get('stts'), 8)
  if (count * 8 > view.left) return { unit: undefined, spread: undefined, ...whole }
  const runs = Array.from({ length: count }, () => ({ samples: view.u32(), unit: view.u32() }))
  const last = runs.at(-1)
  // The last sample alone may have another duration.
  const steady = runs.length > 1 && last?.samples === 1 ? runs.slice(0, -1) : runs
  const units = steady.map(({ unit }) => unit)
  return {
    unit: units.length === 1 ? units[0] : undefined,
    samples: runs.reduce((sum, run) => sum + run.samples, 0),
    units: runs.reduce((sum, run) => sum + run.samples * run.unit, 0),
    spread: Math.max(0, ...units) - Math.min(...units),
  }
}

/** Returns the composition offset of the first sample (`ctts`, 8.6.1.3), in units of the track's timescale. */
export function readFirstOffset(source: HeaderSource, tables: Tables): number {
  const { count, view } = entriesOf(source, tables.get('ctts'), 8)
  if (count === 0) return 0
  view.skip(4)
  return view.i32()
}

/** Number of samples of a track; their total size if a table contains it, and the length of that table. */
export type SampleSizeSummary = { samples: number; sum: (() => number) | undefined; tableBytes: number }

/** Reads sample sizes (`stsz`, `stz2`, 8.7.3): the count immediately, the sum lazily. */
export function readSampleSizes(source: HeaderSource, tables: Tables): SampleSizeSummary {
  const box = tables.get('stsz')
  if (box === undefined)
    return tables.has('stz2')
      ? rejectHeader('a track with compact sizes')
      : { samples: 0, sum: undefined, tableBytes: 0 }
  const view = readBoxContent(source, box, 12)
  readFullBoxHeader(view)
  const [size, samples] = [view.u32(), view.u32()]
  if (size > 0) return { samples, sum: () => size * samples, tableBytes: 0 }
  const tableBytes = samples * 4
  if (tableBytes > box.end - box.dataStart - 12) rejectHeader('a table that is shorter than it says')
  if (tableBytes > MAX_SIZES_BYTES) return { samples, sum: undefined, tableBytes }
  return { samples, sum: () => sumOf(new ByteReader(source.read(box.dataStart + 12, tableBytes))), tableBytes }
}

function sumOf(view: ByteReader): number {
  let sum = 0
  while (view.left >= 4) sum += view.u32()
  return sum
}

/** A sample with its file position, and its time in units of the track's timescale. */
export type TrackSample = { position: number; size: number; time: number; endTime: number }

/** Returns the first samples of a small track with their positions (8.7.4, 8.7.5). Used for tracks of chapter titles. */
export function readSamples(source: HeaderSource, tables: Tables, most: number): TrackSample[] {
  const sizes = readEachSize(source, tables, most)
  const times = readEachTime(source, tables, sizes.length)
  const positions = readEachPosition(source, tables, sizes)
  return sizes.slice(0, Math.min(times.length, positions.length)).map((size, index) => {
    const [time, length] = times[index] ?? [0, 0]
    return { position: positions[index] ?? 0, size, time, endTime: time + length }
  })
}

function readEachSize(source: HeaderSource, tables: Tables, most: number): number[] {
  const box = tables.get('stsz') ?? rejectHeader('a track of chapters without sizes')
  const view = readBoxContent(source, box, 12 + most * 4)
  readFullBoxHeader(view)
  const [size, samples] = [view.u32(), view.u32()]
  return Array.from({ length: Math.min(samples, most) }, () => (size > 0 ? size : view.u32()))
}

function readEachTime(source: HeaderSource, tables: Tables, most: number): [number, number][] {
  const { count, view } = entriesOf(source, tables.get('stts'), 8)
  const times: [number, number][] = []
  let time = 0
  for (let entry = 0; entry < count && times.length < most; entry += 1) {
    const [number, length] = [view.u32(), view.u32()]
    for (let index = 0; index < number && times.length < most; index += 1) {
      times.push([time, length])
      time += length
    }
  }
  return times
}

function readEachPosition(source: HeaderSource, tables: Tables, sizes: readonly number[]): number[] {
  const runs = entriesOf(source, tables.get('stsc'), 12)
  const isLong = tables.has('co64')
  const chunks = entriesOf(source, tables.get(isLong ? 'co64' : 'stco'), isLong ? 8 : 4)
  const starts: [chunk: number, samples: number][] = Array.from({ length: Math.min(runs.count, sizes.length) }, () => {
    const start: [number, number] = [runs.view.u32() - 1, runs.view.u32()]
    runs.view.skip(4)
    return start
  })
  const positions: number[] = []
  let run = 0
  for (let chunk = 0; chunk < chunks.count && positions.length < sizes.length; chunk += 1) {
    let position = isLong ? chunks.view.u64() : chunks.view.u32()
    while ((starts[run + 1]?.[0] ?? Infinity) <= chunk) run += 1
    const samples = starts[run]?.[1] ?? 0
    for (let index = 0; index < samples && positions.length < sizes.length; index += 1) {
      positions.push(position)
      position += sizes[positions.length - 1] ?? 0
    }
  }
  return positions
}
