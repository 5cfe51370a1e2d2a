import type { StreamIndex } from '../stream-index.ts'
import { readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { ByteReader } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'
import { iterateSampleSizes } from './iso-sample-sizes.ts'
import { openIsoMovie, type OpenIsoMovie } from './iso-bmff.ts'
import { readEditList } from './iso-streams.ts'
import type { IsoTrack } from './iso-track.ts'

const MICROSECONDS_PER_SECOND = 1_000_000
/** A day of video at sixty frames per second. */
const MAX_SAMPLES = 5_184_000
/** Two days of audio at 48 kHz. */
const MAX_SOUND_SAMPLES = 8_100_000

/**
 * Returns the index of one video track of an MP4 or QuickTime file from its sample tables (ISO/IEC 14496-12 8.6: `stts`, `ctts`, `stss`,
 * `elst`; 8.7: `stsz`).
 * @throws UnsupportedHeader for fragmented, damaged or unusual files
 */
export function readIsoIndex(
  source: HeaderSource,
  streamIndex: number,
  { entries, timescale }: OpenIsoMovie = openIsoMovie(source),
): StreamIndex {
  const track = entries[streamIndex]
  if (track === undefined || !('tables' in track) || track.handler !== 'vide')
    rejectHeader('another stream than expected')
  if (isTruncated(source, track)) rejectHeader('the file ends before its picture')
  const { delay, mediaTime } = readEditList(track, timescale)
  const samples = walkSamples(source, track)
  const at = (ticks: number): number =>
    Math.round((delay + (ticks - mediaTime) / track.timescale) * MICROSECONDS_PER_SECOND)
  const keyFrames = samples.keyFrames
    .map(({ shown, bytes }) => ({ microseconds: at(shown), bytes }))
    .toSorted((a, b) => a.microseconds - b.microseconds)
  const keyFrameMicroseconds = keyFrames.map(({ microseconds }) => microseconds)
  const sound = maxSoundBytes(source, { entries, timescale }, keyFrameMicroseconds)
  return {
    streamIndex,
    firstMicroseconds: at(samples.first),
    endMicroseconds: at(samples.end),
    frameCount: samples.count,
    hasConstantRate: samples.hasConstantRate,
    keyFrameMicroseconds,
    keyFrameBytes: keyFrames.map(({ bytes }, index) => bytes + (sound[index] ?? 0)),
    jumps: [],
  }
}

/** Returns whether the last chunk of a track lies beyond the end of the file (8.7.5): a truncated copy has complete tables. */
function isTruncated(source: HeaderSource, { tables }: IsoTrack): boolean {
  const isLong = tables.has('co64')
  const box = tables.get(isLong ? 'co64' : 'stco')
  const view = box === undefined ? undefined : tableOf(source, box, isLong ? 8 : 4, MAX_SAMPLES)
  let latest = -1
  while (view !== undefined && view.left >= (isLong ? 8 : 4))
    latest = Math.max(latest, isLong ? view.u64() : view.u32())
  return latest >= source.sizeBytes
}

type Samples = {
  first: number
  end: number
  count: number
  hasConstantRate: boolean
  keyFrames: { shown: number; bytes: number }[]
}

/** Iterates over the four tables in parallel, because each has its own runs; times are in units of the track's timescale. */
function walkSamples(source: HeaderSource, track: IsoTrack): Samples {
  const lengths = runsOf(source, track.tables.get('stts'), MAX_SAMPLES)
  const offsets = runsOf(source, track.tables.get('ctts'), MAX_SAMPLES)
  const isKey = keyFrameTest(source, track.tables.get('stss'))
  const nextSize = iterateSampleSizes(source, track.tables.get('stsz'))
  const samples: Samples = { first: Infinity, end: -Infinity, count: 0, hasConstantRate: true, keyFrames: [] }
  const usual = lengths.peek()
  for (let decoded = 0, length = lengths.next(); length !== undefined; decoded += length, length = lengths.next()) {
    if (samples.count >= MAX_SAMPLES) rejectHeader('a track of too many samples')
    const shown = decoded + (offsets.next() ?? 0)
    if (isKey(samples.count)) samples.keyFrames.push({ shown, bytes: 0 })
    const size = nextSize()
    const group = samples.keyFrames.at(-1)
    if (group !== undefined) group.bytes += size
    // The last sample alone may have another duration.
    if (length !== usual && lengths.peek() !== undefined) samples.hasConstantRate = false
    samples.first = Math.min(samples.first, shown)
    samples.end = Math.max(samples.end, shown + length)
    samples.count += 1
  }
  if (samples.count === 0) rejectHeader('a track without samples')
  return samples
}

/** Returns the bytes of the largest AAC track, which can be copied, from each key frame to the next. */
function maxSoundBytes(
  source: HeaderSource,
  { entries, timescale }: Pick<OpenIsoMovie, 'entries' | 'timescale'>,
  keyFrames: readonly number[],
): number[] {
  const most = keyFrames.map(() => 0)
  for (const track of entries) {
    if (!('tables' in track) || track.handler !== 'soun' || !isAac(source, track)) continue
    const { delay, mediaTime } = readEditList(track, timescale)
    const lengths = runsOf(source, track.tables.get('stts'), MAX_SOUND_SAMPLES)
    const nextSize = iterateSampleSizes(source, track.tables.get('stsz'))
    const sums = keyFrames.map(() => 0)
    let [decoded, place] = [0, 0]
    for (let length = lengths.next(); length !== undefined; decoded += length, length = lengths.next()) {
      const at = (delay + (decoded - mediaTime) / track.timescale) * MICROSECONDS_PER_SECOND
      while ((keyFrames[place + 1] ?? Infinity) <= at) place += 1
      sums[place] = (sums[place] ?? 0) + nextSize()
    }
    for (const [group, bytes] of sums.entries()) most[group] = Math.max(most[group] ?? 0, bytes)
  }
  return most
}

/** Returns whether the first entry of `stsd` (8.5.2) is MPEG-4 audio. */
function isAac(source: HeaderSource, { tables }: IsoTrack): boolean {
  const box = tables.get('stsd')
  if (box === undefined || box.end - box.dataStart < 16) return false
  const view = readBoxContent(source, box, 16)
  view.skip(12)
  return view.latin1(4) === 'mp4a'
}

type Runs = { next(): number | undefined; peek(): number | undefined }

/** Iterates over the values of a run-length table; each run is a count and a value. */
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

/** Returns a function that returns whether a sample is a key frame. Without the table every sample is a key frame (8.6.2). */
function keyFrameTest(source: HeaderSource, box: Box | undefined): (sample: number) => boolean {
  if (box === undefined) return () => true
  const view = tableOf(source, box, 4, MAX_SAMPLES)
  let next = view.left >= 4 ? view.u32() - 1 : -1
  return (sample) => {
    if (sample !== next) return false
    const following = view.left >= 4 ? view.u32() - 1 : -1
    if (following !== -1 && following <= next) rejectHeader('a table of key frames out of order')
    next = following
    return true
  }
}

/** Returns all entries of a table. */
function tableOf(source: HeaderSource, box: Box, entryBytes: number, most: number): ByteReader {
  const head = new ByteReader(source.read(box.dataStart, 8))
  readFullBoxHeader(head)
  const count = head.u32()
  if (count > most || count * entryBytes > box.end - box.dataStart - 8) rejectHeader('a table of an impossible length')
  return new ByteReader(source.read(box.dataStart + 8, count * entryBytes))
}
