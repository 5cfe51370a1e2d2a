import type { FfprobeOutput, FfprobeStream } from '../ffprobe-output.ts'
import { iterateBoxes, readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { rejectHeader } from './unsupported-header.ts'
import { mergeChapters, readChapterTrack } from './iso-chapters.ts'
import { readFragments } from './iso-fragments.ts'
import { describeIsoTrack } from './iso-streams.ts'
import { addMovieMetadata, type MovieMetadata } from './iso-tags.ts'
import { readTrack, type IsoTrack } from './iso-track.ts'
import { formatChapterSeconds } from './raw-chapters.ts'

/** Possible types of the first box. Other files are unknown formats or left to ffprobe. */
const FIRST_TYPES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'])
const MAX_TOP_BOXES = 64
const MAX_TRACKS = 500
/**
 * A movie box up to this size is fetched in one read, including unused tables: one read per skipped table would be slower on a disk or
 * network. Of a larger movie box, from a recording of many hours, only the required parts are fetched.
 */
const WHOLE_MOVIE_BYTES = 8 * 1024 * 1024
/** The identity matrix of a movie without rotation (ISO/IEC 14496-12 8.2.2). */
const UPRIGHT = [0x1_00_00, 0, 0, 0, 0x1_00_00, 0, 0, 0, 0x40_00_00_00]

/**
 * Returns the facts that ffprobe reports about an MP4 or QuickTime file (ISO/IEC 14496-12, 14496-14), from its headers alone. @throws
 * UnsupportedHeader
 */
export function readIsoMedia(source: HeaderSource, { box: movie, ...parts }: OpenIsoMovie): FfprobeOutput {
  const tracks = parts.entries.filter((entry) => 'tables' in entry)
  const fragments = readMovieFragments(source, movie, parts)
  const chapterTracks = new Set(tracks.flatMap((track) => track.chapterTracks))
  const facts = { timescale: parts.timescale, chapterTracks, fragments }
  const streams = parts.entries.map((entry, index) =>
    'tables' in entry ? describeIsoTrack(source, entry, index, facts) : { ...entry, index },
  )
  const { start, length } = timesOf(streams)
  const durationSeconds = fragments?.durationSeconds ?? length
  const titles = tracks
    .filter(({ id }) => chapterTracks.has(id))
    .flatMap((track) => readChapterTrack(source, track, parts.timescale))
  return {
    format: {
      format_name: 'mov,mp4,m4a,3gp,3g2,mj2',
      start_time: formatChapterSeconds(start),
      duration: formatChapterSeconds(durationSeconds),
      bit_rate: `${Math.floor((source.sizeBytes * 8) / durationSeconds)}`,
      tags: parts.user.tags,
    },
    streams,
    chapters: mergeChapters(parts.user.chapters, titles, start + durationSeconds),
  }
}

/** Reads the tracks of a file and the facts common to them. @throws UnsupportedHeader */
export function openIsoMovie(source: HeaderSource): OpenIsoMovie {
  const box = findMovie(source)
  if (box.end - box.dataStart <= WHOLE_MOVIE_BYTES) source.read(box.dataStart, box.end - box.dataStart)
  return { ...readMovie(source, box), box }
}

/** Finds the movie box at any position; media data is skipped. */
function findMovie(source: HeaderSource): Box {
  let count = 0
  for (const box of iterateBoxes(source, { start: 0, end: source.sizeBytes })) {
    if (count === 0 && !FIRST_TYPES.has(box.type)) rejectHeader('not a known kind of file')
    if (box.type === 'moov') return box
    count += 1
    if (box.type === 'moof' || count > MAX_TOP_BOXES) break
  }
  return rejectHeader('a file without a movie box')
}

/** `box` is the movie box. */
export type OpenIsoMovie = Movie & { box: Box }

/** Entries in file order, which ffmpeg counts by: tracks, and covers at the position of their tags. */
type Movie = {
  timescale: number
  entries: (IsoTrack | FfprobeStream)[]
  user: MovieMetadata
  extension: Box | undefined
}

function readMovie(source: HeaderSource, movie: Box): Movie {
  const user: MovieMetadata = { tags: {}, covers: [], chapters: [] }
  const result: Movie = { timescale: 0, entries: [], user, extension: undefined }
  for (const box of iterateBoxes(source, { start: movie.dataStart, end: movie.end })) {
    if (box.type === 'mvhd') result.timescale = readMovieHeader(source, box)
    if (box.type === 'trak') result.entries.push(readTrack(source, box))
    if (box.type === 'mvex') result.extension = box
    if (box.type === 'cmov') rejectHeader('a compressed movie box')
    if (box.type === 'udta' || box.type === 'meta') {
      addMovieMetadata(source, box, user)
      result.entries.push(...user.covers.splice(0))
    }
    if (result.entries.length > MAX_TRACKS) rejectHeader('a file with too many tracks')
  }
  return result.timescale > 0 ? result : rejectHeader('a movie without a clock')
}

/** Reads box `mvhd`, 8.2.2; returns the timescale of edit lists. */
function readMovieHeader(source: HeaderSource, box: Box): number {
  const view = readBoxContent(source, box, 128)
  const { version } = readFullBoxHeader(view)
  view.skip(version === 1 ? 16 : 8)
  const timescale = view.u32()
  view.skip((version === 1 ? 8 : 4) + 16)
  if (UPRIGHT.some((value) => view.i32() !== value)) rejectHeader('a film that is turned as a whole')
  return timescale
}

function readMovieFragments(source: HeaderSource, movie: Box, { extension, timescale, entries }: Movie) {
  if (extension === undefined) return undefined
  const timescales = new Map(
    entries.flatMap((entry) => ('tables' in entry ? [[entry.id, entry.timescale] as const] : [])),
  )
  return readFragments(source, { movie, extends: extension, movieTimescale: timescale, timescales })
}

/** Returns the time from the first start to the last end of video and audio. */
function timesOf(streams: readonly FfprobeStream[]): { start: number; length: number } {
  const spans = streams.flatMap(({ start_time: start, duration }) =>
    start === undefined ? [] : [{ start: Number(start), end: Number(start) + Number(duration ?? 0) }],
  )
  if (spans.length === 0) return { start: 0, length: 0 }
  const start = Math.min(...spans.map((span) => span.start))
  return { start, length: Math.max(...spans.map((span) => span.end)) - start }
}
