import type { FfprobeStream } from '../ffprobe-output.ts'
import { emptyStream, mergeStreamFacts, type CodecFacts } from './codec-facts.ts'
import { transferName } from './codecs/colour.ts'
import { rejectHeader } from './unsupported-header.ts'
import { parseChildren, parseFields, readFloat, readText, readUnsigned, type ElementFields } from './ebml.ts'
import type { FirstBlock } from './matroska-blocks.ts'
import { needsFrame, readMatroskaCodec } from './matroska-codecs.ts'
import { MATROSKA_ID } from './matroska-ids.ts'
import { setTag, type TagSet } from './matroska-tags.ts'
import { approximateFraction } from './rational.ts'
import { formatChapterSeconds } from './raw-chapters.ts'

const KINDS: Readonly<Record<number, string>> = { 1: 'video', 2: 'audio', 17: 'subtitle' }
const NANOSECONDS_PER_SECOND = 1_000_000_000
/** ffmpeg's limits for exact frame rates and exact pixel aspect ratios. */
const MAX_RATE_PART = 30_000
const MAX_ASPECT_PART = 255
const INTERLACED = 1
const PROGRESSIVE = 2
/** RFC 9559 5.1.4.1.28.3. */
const FIELD_ORDERS: Readonly<Record<number, string>> = { 0: 'progressive', 1: 'tt', 6: 'bb', 9: 'tb', 14: 'bt' }
const NO_FIELDS: ElementFields = new Map()

/** One track entry of the file (RFC 9559 5.1.4.1). */
export type MatroskaTrack = { number: number; uid: number; kind: string; codecId: string; fields: ElementFields }

/** Returns the tracks in order. */
export function readMatroskaTracks(parts: readonly Uint8Array[]): MatroskaTrack[] {
  const entries = parts.flatMap((part) => parseChildren(part)).filter(({ id }) => id === MATROSKA_ID.TrackEntry)
  return entries.map(({ data }) => {
    const fields = parseFields(data)
    const kind = KINDS[readUnsigned(fields.get(MATROSKA_ID.TrackType), 0)] ?? rejectHeader('a track of an unusual kind')
    const codecId = readText(fields.get(MATROSKA_ID.CodecID)) ?? rejectHeader('a track without a codec')
    const [number, uid] = [
      readUnsigned(fields.get(MATROSKA_ID.TrackNumber), 0),
      readUnsigned(fields.get(MATROSKA_ID.TrackUID), 0),
    ]
    return { number, uid, kind, codecId, fields }
  })
}

/** Returns whether the first block of a track is needed: for its start time, and for some codecs also to identify the codec. */
export function needsBlock({ kind, codecId }: MatroskaTrack): boolean {
  return kind !== 'subtitle' || needsFrame(codecId)
}

/** `scale`: nanoseconds per unit of the file's clock. */
export type TrackContext = { index: number; block: FirstBlock | undefined; scale: number; tags: TagSet | undefined }

/** Returns a track in the terms of ffprobe. */
export function describeMatroskaTrack(
  track: MatroskaTrack,
  { index, block, scale, tags }: TrackContext,
): FfprobeStream {
  const { kind, codecId, fields } = track
  if (fields.has(MATROSKA_ID.TrackTimestampScale) && readFloat(fields.get(MATROSKA_ID.TrackTimestampScale)) !== 1) {
    rejectHeader('a track with a clock of its own')
  }
  const stripped = kind === 'subtitle' ? new Uint8Array() : strippedHeader(fields)
  const audio = subFields(fields, MATROSKA_ID.Audio)
  const facts = readMatroskaCodec(codecId, {
    configuration: fields.get(MATROSKA_ID.CodecPrivate) ?? new Uint8Array(),
    frame: block === undefined ? undefined : Buffer.concat([stripped, block.frame]),
    bitDepth: readUnsigned(audio.get(MATROSKA_ID.BitDepth), 0),
  })
  const set = tagsOf(fields, tags)
  if (facts.codec_name === 'mp3' && !Object.keys(set).some((name) => /^bps(?:-|$)/i.test(name))) {
    rejectHeader('MP3 of a rate that is not told')
  }
  const kindFacts = kind === 'video' ? videoFacts(fields, facts) : kind === 'audio' ? audioFacts(audio, facts) : facts
  return {
    ...emptyStream(index, kind),
    ...kindFacts,
    start_time: startOf(fields, block, scale),
    disposition: {
      default: readUnsigned(fields.get(MATROSKA_ID.FlagDefault), 1),
      forced: readUnsigned(fields.get(MATROSKA_ID.FlagForced), 0),
      hearing_impaired: readUnsigned(fields.get(MATROSKA_ID.FlagHearingImpaired), 0),
    },
    tags: set,
  }
}

function subFields(fields: ElementFields, id: number): ElementFields {
  const data = fields.get(id)
  return data === undefined ? NO_FIELDS : parseFields(data)
}

/** Returns the common header bytes that were stripped from every frame (RFC 9559 5.1.4.1.31.7, algorithm 3). */
function strippedHeader(fields: ElementFields): Uint8Array {
  const encodings = fields.get(MATROSKA_ID.ContentEncodings)
  if (encodings === undefined) return new Uint8Array()
  const [only, second] = parseChildren(encodings).filter(({ id }) => id === MATROSKA_ID.ContentEncoding)
  const encoding = only === undefined || second !== undefined ? NO_FIELDS : parseFields(only.data)
  const compression = subFields(encoding, MATROSKA_ID.ContentCompression)
  const isStripping = readUnsigned(compression.get(MATROSKA_ID.ContentCompAlgo), 0) === 3
  const isForFrames = readUnsigned(encoding.get(MATROSKA_ID.ContentEncodingScope), 1) === 1
  if (!isStripping || !isForFrames || readUnsigned(encoding.get(MATROSKA_ID.ContentEncodingType), 0) !== 0) {
    rejectHeader('a compressed or encrypted track')
  }
  return compression.get(MATROSKA_ID.ContentCompSettings) ?? new Uint8Array()
}

/** Returns the start in seconds; the codec delay is rounded to whole units of the file's clock, as in ffmpeg. */
function startOf(fields: ElementFields, block: FirstBlock | undefined, scale: number): string | undefined {
  if (block === undefined) return undefined
  const delay = Math.round(readUnsigned(fields.get(MATROSKA_ID.CodecDelay), 0) / scale)
  return formatChapterSeconds(((block.timestamp - delay) * scale) / NANOSECONDS_PER_SECOND)
}

/** A missing `Language` means English (RFC 9559 5.1.4.1.19). */
function tagsOf(fields: ElementFields, tags: TagSet | undefined): TagSet {
  const set: TagSet = { language: readText(fields.get(MATROSKA_ID.Language)) ?? 'eng' }
  setTag(set, 'title', readText(fields.get(MATROSKA_ID.Name)))
  for (const [name, value] of Object.entries(tags ?? {})) setTag(set, name, value)
  return set
}

function videoFacts(fields: ElementFields, facts: CodecFacts): CodecFacts & Partial<FfprobeStream> {
  const video = subFields(fields, MATROSKA_ID.Video)
  if (
    readUnsigned(video.get(MATROSKA_ID.StereoMode), 0) !== 0 ||
    readUnsigned(video.get(MATROSKA_ID.AlphaMode), 0) !== 0
  ) {
    rejectHeader('a picture in three dimensions or with transparency')
  }
  if (video.has(MATROSKA_ID.Projection)) rejectHeader('a picture on a sphere')
  const width = readUnsigned(video.get(MATROSKA_ID.PixelWidth), 0)
  const height = readUnsigned(video.get(MATROSKA_ID.PixelHeight), 0)
  const duration = readUnsigned(fields.get(MATROSKA_ID.DefaultDuration), 0)
  const rate =
    approximateFraction(NANOSECONDS_PER_SECOND, duration, MAX_RATE_PART) ??
    rejectHeader('a picture without a frame rate')
  const colour = subFields(video, MATROSKA_ID.Colour)
  const container: CodecFacts = {
    width,
    height,
    color_transfer: transferName(readUnsigned(colour.get(MATROSKA_ID.TransferCharacteristics), undefined)),
    field_order: fieldOrder(video),
  }
  const merged = mergeStreamFacts(container, facts)
  if (merged.field_order === undefined && merged.codec_name === 'h264') rejectHeader('perhaps an interlaced picture')
  const aspect = aspectOf(video, { width, height }) ?? facts.sample_aspect_ratio
  return { ...merged, sample_aspect_ratio: aspect, avg_frame_rate: rate, r_frame_rate: rate }
}

function fieldOrder(video: ElementFields): string | undefined {
  const interlaced = readUnsigned(video.get(MATROSKA_ID.FlagInterlaced), 0)
  if (interlaced === PROGRESSIVE) return 'progressive'
  return interlaced === INTERLACED ? FIELD_ORDERS[readUnsigned(video.get(MATROSKA_ID.FieldOrder), 2)] : undefined
}

/** Returns the pixel aspect ratio from the display size, in any unit (RFC 9559 5.1.4.1.28.14). */
function aspectOf(video: ElementFields, { width, height }: { width: number; height: number }): string | undefined {
  if (readUnsigned(video.get(MATROSKA_ID.DisplayUnit), 0) > 3) return undefined
  const shownWidth = readUnsigned(video.get(MATROSKA_ID.DisplayWidth), width)
  const shownHeight = readUnsigned(video.get(MATROSKA_ID.DisplayHeight), height)
  return approximateFraction(height * shownWidth, width * shownHeight, MAX_ASPECT_PART)?.replace('/', ':')
}

function audioFacts(audio: ElementFields, facts: CodecFacts): CodecFacts {
  const channels = readUnsigned(audio.get(MATROSKA_ID.Channels), 1)
  const declared =
    readFloat(audio.get(MATROSKA_ID.OutputSamplingFrequency)) ??
    readFloat(audio.get(MATROSKA_ID.SamplingFrequency)) ??
    8000
  const sound: CodecFacts = { channels, sample_rate: `${Math.round(declared)}` }
  if (facts.codec_name?.startsWith('pcm_') === true) {
    sound.bit_rate = `${Math.round(declared) * channels * readUnsigned(audio.get(MATROSKA_ID.BitDepth), 0)}`
  }
  return mergeStreamFacts(sound, facts)
}
