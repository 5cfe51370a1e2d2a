import type { StreamIndex } from '../stream-index.ts'
import { fullBoxHead, type Box } from './boxes.ts'
import type { HeaderSource } from './bounded-source.ts'
import { ByteView } from './byte-view.ts'
import { doubt } from './doubt.ts'
import { openMovie, type OpenMovie } from './iso-bmff.ts'
import { timeline } from './iso-streams.ts'
import type { IsoTrack } from './iso-track.ts'

const MICROSECONDS = 1_000_000
/** A day of sixty frames a second. */
const MOST_SAMPLES = 5_184_000

/**
 * The index of one picture track of an MP4 or QuickTime file from its sample tables (ISO/IEC 14496-12 8.6: `stts`,
 * `ctts`, `stss`, `elst`).
 * @throws Doubt for files in fragments, and for what is damaged or unusual
 */
export function readIsoIndex(
  source: HeaderSource,
  streamIndex: number,
  { entries, timescale }: OpenMovie = openMovie(source),
): StreamIndex {
  const track = entries[streamIndex]
  if (track === undefined || !('tables' in track) || track.handler !== 'vide') doubt('another stream than expected')
  const { delay, mediaTime } = timeline(track, timescale)
  const samples = walkSamples(source, track)
  const at = (ticks: number): number => Math.round((delay + (ticks - mediaTime) / track.timescale) * MICROSECONDS)
  return {
    streamIndex,
    firstMicroseconds: at(samples.first),
    endMicroseconds: at(samples.end),
    frameCount: samples.count,
    hasConstantRate: samples.hasConstantRate,
    keyFrameMicroseconds: samples.keyFrames.map(at).toSorted((a, b) => a - b),
  }
}

type Samples = { first: number; end: number; count: number; hasConstantRate: boolean; keyFrames: number[] }

/** Goes through the three tables at once, since each is written in runs of its own; times in units of the track's clock. */
function walkSamples(source: HeaderSource, track: IsoTrack): Samples {
  const lengths = runsOf(source, track.tables.get('stts'), MOST_SAMPLES)
  const offsets = runsOf(source, track.tables.get('ctts'), MOST_SAMPLES)
  const isKey = keyFrameTest(source, track.tables.get('stss'))
  const found: Samples = { first: Infinity, end: -Infinity, count: 0, hasConstantRate: true, keyFrames: [] }
  const usual = lengths.peek()
  for (let decoded = 0, length = lengths.next(); length !== undefined; decoded += length, length = lengths.next()) {
    if (found.count >= MOST_SAMPLES) doubt('a track of too many samples')
    const shown = decoded + (offsets.next() ?? 0)
    if (isKey(found.count)) found.keyFrames.push(shown)
    // The last sample alone may be shorter or longer.
    if (length !== usual && lengths.peek() !== undefined) found.hasConstantRate = false
    found.first = Math.min(found.first, shown)
    found.end = Math.max(found.end, shown + length)
    found.count += 1
  }
  if (found.count === 0) doubt('a track without samples')
  return found
}

type Runs = { next(): number | undefined; peek(): number | undefined }

/** The values of a table of runs, each a count and a value, one after another. */
function runsOf(source: HeaderSource, box: Box | undefined, most: number): Runs {
  const view = box === undefined ? undefined : tableOf(source, box, 8, most)
  let [left, value] = [0, 0]
  const fill = (): boolean => {
    while (left === 0) {
      if (view === undefined || view.left < 8) return false
      left = view.u32()
      value = view.i32()
    }
    return true
  }
  return {
    next() {
      if (!fill()) return undefined
      left -= 1
      return value
    },
    peek: () => (fill() ? value : undefined),
  }
}

/** Without the table every sample is one (8.6.2). */
function keyFrameTest(source: HeaderSource, box: Box | undefined): (sample: number) => boolean {
  if (box === undefined) return () => true
  const view = tableOf(source, box, 4, MOST_SAMPLES)
  let next = view.left >= 4 ? view.u32() - 1 : -1
  return (sample) => {
    if (sample !== next) return false
    const following = view.left >= 4 ? view.u32() - 1 : -1
    if (following !== -1 && following <= next) doubt('a table of key frames out of order')
    next = following
    return true
  }
}

/** The entries of a table, whole. */
function tableOf(source: HeaderSource, box: Box, entryBytes: number, most: number): ByteView {
  const head = new ByteView(source.read(box.dataStart, 8))
  fullBoxHead(head)
  const count = head.u32()
  if (count > most || count * entryBytes > box.end - box.dataStart - 8) doubt('a table of an impossible length')
  return new ByteView(source.read(box.dataStart + 8, count * entryBytes))
}
