import type { FfprobeStream } from '../ffprobe-output.ts'
import { readBoxContent } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { emptyStream } from './codec-facts.ts'
import { rejectHeader } from './unsupported-header.ts'
import { readSampleEntry, type SampleEntry } from './iso-codecs.ts'
import type { Fragments } from './iso-fragments.ts'
import { readFirstOffset, readSampleDurations, readSampleSizes, type SampleDurations } from './iso-sample-tables.ts'
import type { TrackFragment } from './iso-track-fragment.ts'
import type { IsoTrack } from './iso-track.ts'
import { formatChapterSeconds } from './raw-chapters.ts'
import { approximateFraction, reduceFraction } from './rational.ts'

const MAX_DESCRIPTION_BYTES = 1024 * 1024
const MAX_RATE_PART = 2 ** 31 - 1
const MAX_ASPECT_PART = 255
/** Size tables up to this length are summed even if a bit rate is declared. */
const SHORT_TABLE_BYTES = 64 * 1024

const USUAL_RATES = [24, 25, 30, 48, 50, 60, 120].flatMap((rate) => [[rate, 1] as const, [rate * 1000, 1001] as const])
/** Half the difference between 24 and 24000/1001. */
const RATE_TOLERANCE = 0.000_4

/** Facts of the movie that its tracks need. */
export type MovieFacts = {
  timescale: number
  /** Numbers of the tracks that contain chapter titles. */
  chapterTracks: ReadonlySet<number>
  fragments: Fragments | undefined
}

/** Returns a track in the terms of ffprobe. */
export function describeIsoTrack(
  source: HeaderSource,
  track: IsoTrack,
  index: number,
  movie: MovieFacts,
): FfprobeStream {
  const language = track.language === undefined ? {} : { language: track.language }
  const disposition = { default: track.isEnabled ? 1 : 0 }
  if (movie.chapterTracks.has(track.id)) {
    if (track.handler === 'vide') rejectHeader('chapters with pictures')
    const titles = { codec_name: 'bin_data', bit_rate: textBitrate(source, track) }
    return { ...emptyStream(index, 'data'), ...titles, disposition, tags: language }
  }
  const description = track.tables.get('stsd') ?? rejectHeader('a track without a sample description')
  const entry = readSampleEntry(readBoxContent(source, description, MAX_DESCRIPTION_BYTES).bytes, track.handler)
  const base = { ...emptyStream(index, entry.kind), ...entry.facts, disposition, tags: language }
  if (entry.kind !== 'video' && entry.kind !== 'audio') return { ...base, bit_rate: textBitrate(source, track) }
  const fragment = movie.fragments?.first.get(track.id)
  if (movie.fragments !== undefined && readSampleSizes(source, track.tables).samples > 0)
    rejectHeader('a film half in fragments')
  if (movie.fragments !== undefined) return { ...base, ...fragmentFacts(track, entry, fragment, movie) }
  return { ...base, ...tableFacts(source, track, entry, movie) }
}

/** Returns the bit rate of subtitles and titles, whose tables are short. */
function textBitrate(source: HeaderSource, track: IsoTrack): string | undefined {
  const { sum, tableBytes } = readSampleSizes(source, track.tables)
  if (sum === undefined || tableBytes > SHORT_TABLE_BYTES || track.duration === 0) return undefined
  return `${Math.floor((sum() * 8 * track.timescale) / track.duration)}`
}

function tableFacts(
  source: HeaderSource,
  track: IsoTrack,
  entry: SampleEntry,
  movie: MovieFacts,
): Partial<FfprobeStream> {
  const sizes = readSampleSizes(source, track.tables)
  const durations = readSampleDurations(source, track.tables, { samples: sizes.samples, units: track.duration })
  if (durations.samples === 0 || durations.units === 0) rejectHeader('a track without samples')
  const isShort = sizes.tableBytes <= SHORT_TABLE_BYTES
  const sum = isShort || entry.declaredBitrate === undefined ? sizes.sum?.() : undefined
  const units = track.duration > 0 ? track.duration : durations.units
  const bitrate = sum === undefined ? entry.declaredBitrate : Math.floor((sum * 8 * track.timescale) / units)
  const { delay, mediaTime, length } = readEditList(track, movie.timescale)
  return {
    start_time: startOf(entry.kind, { delay, mediaTime, shown: firstShown(source, track, entry.kind), track }),
    duration: formatChapterSeconds(length ?? units / track.timescale),
    bit_rate: bitrate === undefined ? entry.facts.bit_rate : `${bitrate}`,
    nb_frames: `${durations.samples}`,
    ...(entry.kind === 'video' ? pictureFacts(track, entry, durations) : {}),
  }
}

function firstShown(source: HeaderSource, track: IsoTrack, kind: string): number {
  return kind === 'video' ? readFirstOffset(source, track.tables) : 0
}

function fragmentFacts(
  track: IsoTrack,
  entry: SampleEntry,
  fragment: TrackFragment | undefined,
  movie: MovieFacts,
): Partial<FfprobeStream> {
  const { unit, base, firstOffset } = fragment ?? rejectHeader('a track that begins in a later fragment')
  if (entry.kind === 'video' && !(unit !== undefined && unit > 0)) rejectHeader('fragments without a steady frame rate')
  const { delay, mediaTime } = readEditList(track, movie.timescale)
  const shown = base + (entry.kind === 'video' ? firstOffset : 0)
  return {
    // In fragments, audio before the edit is not trimmed.
    start_time: formatChapterSeconds(delay + (shown - mediaTime) / track.timescale),
    bit_rate: entry.facts.bit_rate ?? (entry.declaredBitrate === undefined ? undefined : `${entry.declaredBitrate}`),
    ...(entry.kind === 'video'
      ? pictureFacts(track, entry, { unit, samples: 1, units: unit ?? 0, spread: undefined })
      : {}),
  }
}

/**
 * Returns the edit list (ISO/IEC 14496-12 8.6.6): the initial delay in seconds, the start in units of the track, and the duration in
 * seconds.
 */
export function readEditList(
  track: IsoTrack,
  movieTimescale: number,
): { delay: number; mediaTime: number; length: number | undefined } {
  const empty = track.edits.filter(({ mediaTime }) => mediaTime < 0)
  const real = track.edits.filter(({ mediaTime }) => mediaTime >= 0)
  const [edit, second] = real
  if (second !== undefined || track.edits.slice(empty.length).some(({ mediaTime }) => mediaTime < 0)) {
    rejectHeader('a track that is cut together')
  }
  const delay = empty.reduce((sum, { duration }) => sum + duration, 0) / movieTimescale
  const length = edit === undefined || edit.duration === 0 ? undefined : edit.duration / movieTimescale
  return { delay, mediaTime: edit?.mediaTime ?? 0, length }
}

type Beginning = { delay: number; mediaTime: number; shown: number; track: IsoTrack }

/** Returns the presentation time of the first sample. Audio before the edit is trimmed exactly; video before it is rejected. */
function startOf(kind: string, { delay, mediaTime, shown, track }: Beginning): string {
  const first = (shown - mediaTime) / track.timescale
  if (kind === 'video' && first < 0) rejectHeader('a picture that begins before its edit')
  return formatChapterSeconds(delay + Math.max(0, first))
}

function pictureFacts(track: IsoTrack, entry: SampleEntry, durations: SampleDurations): Partial<FfprobeStream> {
  const { unit, samples, units } = durations
  return {
    avg_frame_rate: approximateFraction(track.timescale * samples, units, MAX_RATE_PART),
    r_frame_rate:
      unit === undefined ? roundedRate(track, durations) : approximateFraction(track.timescale, unit, MAX_RATE_PART),
    sample_aspect_ratio: aspectOf(track, entry),
    side_data_list: track.rotation === undefined ? [] : [{ rotation: track.rotation }],
  }
}

/**
 * Returns the standard frame rate closest to durations that vary only because of rounding to the timescale, or to milliseconds by an
 * earlier program; undefined for a variable rate.
 */
function roundedRate({ timescale }: IsoTrack, { samples, units, spread }: SampleDurations): string | undefined {
  if (spread === undefined || spread > Math.max(1, Math.ceil(timescale / 1000))) return undefined
  const rate = (timescale * samples) / units
  const near = USUAL_RATES.find(([over, under]) => Math.abs(over / under / rate - 1) < RATE_TOLERANCE)
  return near?.join('/')
}

/** Returns the aspect ratio of the sample entry, else that implied by a track header size with another shape than the stored size. */
function aspectOf(track: IsoTrack, { facts }: SampleEntry): string | undefined {
  if (facts.sample_aspect_ratio !== undefined || track.shownWidth === 0) return facts.sample_aspect_ratio
  const { width = 0, height = 0 } = facts
  const aspect = reduceFraction(height * track.shownWidth, width * track.shownHeight, MAX_ASPECT_PART)
  const isStored = Math.round(track.shownWidth) === width && Math.round(track.shownHeight) === height
  return isStored || aspect === undefined ? undefined : aspect.join(':')
}
