import { encodingOfByteOrderMark } from '../../platform/files/index.ts'
import type { FfprobeOutput } from '../ffprobe-output.ts'
import { readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import { type HeaderSource, readUpTo } from './limit-header-reads.ts'
import { decodeUtf8 } from './byte-reader.ts'
import { readSamples } from './iso-sample-tables.ts'
import type { IsoTrack } from './iso-track.ts'
import { completeChapterEnds, MAX_CHAPTERS, type RawChapter } from './raw-chapters.ts'

/** Nero's time unit is 100 nanoseconds. */
const NERO_UNITS = 10_000_000
const NERO_BYTES = 256 * 265
const TITLE_BYTES = 2000

/** Nero's chapter list, box `chpl` in the user data: at most 255 chapters with starts and titles. */
export function readNeroChapters(source: HeaderSource, box: Box): RawChapter[] {
  const view = readBoxContent(source, box, NERO_BYTES)
  if (readFullBoxHeader(view).version > 0) view.skip(4)
  const chapters: RawChapter[] = []
  for (let count = view.u8(); count > 0; count -= 1) {
    const start = view.u64() / NERO_UNITS
    chapters.push({ start, end: undefined, title: decodeUtf8(view.take(view.u8())) })
  }
  return chapters
}

/** Reads the samples of a chapter track: each one is a title preceded by its length ("QuickTime File Format", Text Sample Data). */
export function readChapterTrack(
  source: HeaderSource,
  track: IsoTrack,
  movieTimescale: number,
): (RawChapter | undefined)[] {
  const leading = track.edits.findIndex(({ mediaTime }) => mediaTime >= 0)
  const [empty, first] = [track.edits.slice(0, Math.max(0, leading)), track.edits[leading]]
  const delay = empty.reduce((sum, { duration }) => sum + duration, 0) / movieTimescale
  const shift = delay - (first?.mediaTime ?? 0) / track.timescale
  return readSamples(source, track.tables, MAX_CHAPTERS).map(({ position, size, time, endTime }) => {
    const title = readTitle(source, position, size)
    const [start, end] = [time / track.timescale + shift, endTime / track.timescale + shift]
    return title === undefined ? undefined : { start, end, title }
  })
}

/** Returns undefined if the sample is shorter than its declared length. */
function readTitle(source: HeaderSource, position: number, size: number): string | undefined {
  const sample = readUpTo(source, position, Math.min(size, TITLE_BYTES))
  const length = (sample[0] ?? 0) * 256 + (sample[1] ?? 0)
  if (size < 2 || length > size - 2) return undefined
  const text = Buffer.from(sample.subarray(2, 2 + length))
  const marked = encodingOfByteOrderMark(text)
  if (marked === 'utf-16be')
    return text
      .subarray(2, text.length & ~1)
      .swap16()
      .toString('utf16le')
  if (marked === 'utf-16le') return text.subarray(2).toString('utf16le')
  return decodeUtf8(text)
}

/** Merges both lists by position, as ffmpeg does: a chapter track takes precedence over Nero's list. */
export function mergeChapters(
  nero: readonly RawChapter[],
  track: readonly (RawChapter | undefined)[],
  durationSeconds: number,
): FfprobeOutput['chapters'] {
  const length = Math.max(nero.length, track.length)
  const merged = Array.from({ length }, (_, index) => track[index] ?? nero[index])
  return completeChapterEnds(
    merged.filter((chapter) => chapter !== undefined),
    durationSeconds,
  )
}
