import type { FfprobeStream } from '../ffprobe-output.ts'
import { emptyStream, mergeFacts, type CodecFacts } from './codec-facts.ts'
import { transferName } from './codecs/colour.ts'
import { rejectHeader } from './unsupported-header.ts'
import { childrenOf, fieldsOf, floatOf, textOf, unsignedOf, type Fields } from './ebml.ts'
import type { FirstBlock } from './matroska-blocks.ts'
import { needsFrame, readMatroskaCodec } from './matroska-codecs.ts'
import { ID } from './matroska-ids.ts'
import { setTag, type TagSet } from './matroska-tags.ts'
import { approximateFraction } from './rational.ts'
import { seconds } from './raw-chapters.ts'

const KINDS: Readonly<Record<number, string>> = { 1: 'video', 2: 'audio', 17: 'subtitle' }
const NANOSECONDS_PER_SECOND = 1_000_000_000
/** ffmpeg's limits for exact frame rates and exact pixel aspect ratios. */
const MAX_RATE_PART = 30_000
const MAX_ASPECT_PART = 255
const INTERLACED = 1
const PROGRESSIVE = 2
/** RFC 9559 5.1.4.1.28.3. */
const FIELD_ORDERS: Readonly<Record<number, string>> = { 0: 'progressive', 1: 'tt', 6: 'bb', 9: 'tb', 14: 'bt' }
const NO_FIELDS: Fields = new Map()

/** One track entry of the file (RFC 9559 5.1.4.1). */
export type Track = { number: number; uid: number; kind: string; codecId: string; fields: Fields }

/** Returns the tracks in order. */
export function readTracks(parts: readonly Uint8Array[]): Track[] {
  const entries = parts.flatMap((part) => childrenOf(part)).filter(({ id }) => id === ID.TrackEntry)
  return entries.map(({ data }) => {
    const fields = fieldsOf(data)
    const kind = KINDS[unsignedOf(fields.get(ID.TrackType), 0)] ?? rejectHeader('a track of an unusual kind')
    const codecId = textOf(fields.get(ID.CodecID)) ?? rejectHeader('a track without a codec')
    const [number, uid] = [unsignedOf(fields.get(ID.TrackNumber), 0), unsignedOf(fields.get(ID.TrackUID), 0)]
    return { number, uid, kind, codecId, fields }
  })
}

/** Returns whether the first block of a track is needed: for its start time, and for some codecs also to identify the codec. */
export function needsBlock({ kind, codecId }: Track): boolean {
  return kind !== 'subtitle' || needsFrame(codecId)
}

/** `scale`: nanoseconds per unit of the file's clock. */
export type TrackContext = { index: number; block: FirstBlock | undefined; scale: number; tags: TagSet | undefined }

/** Returns a track in the terms of ffprobe. */
export function trackStream(track: Track, { index, block, scale, tags }: TrackContext): FfprobeStream {
  const { kind, codecId, fields } = track
  if (fields.has(ID.TrackTimestampScale) && floatOf(fields.get(ID.TrackTimestampScale)) !== 1) {
    rejectHeader('a track with a clock of its own')
  }
  const stripped = kind === 'subtitle' ? new Uint8Array() : strippedHeader(fields)
  const audio = subFields(fields, ID.Audio)
  const facts = readMatroskaCodec(codecId, {
    configuration: fields.get(ID.CodecPrivate) ?? new Uint8Array(),
    frame: block === undefined ? undefined : Buffer.concat([stripped, block.frame]),
    bitDepth: unsignedOf(audio.get(ID.BitDepth), 0),
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
      default: unsignedOf(fields.get(ID.FlagDefault), 1),
      forced: unsignedOf(fields.get(ID.FlagForced), 0),
      hearing_impaired: unsignedOf(fields.get(ID.FlagHearingImpaired), 0),
    },
    tags: set,
  }
}

function subFields(fields: Fields, id: number): Fields {
  const data = fields.get(id)
  return data === undefined ? NO_FIELDS : fieldsOf(data)
}

/** Returns the common header bytes that were stripped from every frame (RFC 9559 5.1.4.1.31.7, algorithm 3). */
function strippedHeader(fields: Fields): Uint8Array {
  const encodings = fields.get(ID.ContentEncodings)
  if (encodings === undefined) return new Uint8Array()
  const [only, second] = childrenOf(encodings).filter(({ id }) => id === ID.ContentEncoding)
  const encoding = only === undefined || second !== undefined ? NO_FIELDS : fieldsOf(only.data)
  const compression = subFields(encoding, ID.ContentCompression)
  const isStripping = unsignedOf(compression.get(ID.ContentCompAlgo), 0) === 3
  const isForFrames = unsignedOf(encoding.get(ID.ContentEncodingScope), 1) === 1
  if (!isStripping || !isForFrames || unsignedOf(encoding.get(ID.ContentEncodingType), 0) !== 0) {
    rejectHeader('a compressed or encrypted track')
  }
  return compression.get(ID.ContentCompSettings) ?? new Uint8Array()
}

/** Returns the start in seconds; the codec delay is rounded to whole units of the file's clock, as in ffmpeg. */
function startOf(fields: Fields, block: FirstBlock | undefined, scale: number): string | undefined {
  if (block === undefined) return undefined
  const delay = Math.round(unsignedOf(fields.get(ID.CodecDelay), 0) / scale)
  return seconds(((block.timestamp - delay) * scale) / NANOSECONDS_PER_SECOND)
}

/** A missing `Language` means English (RFC 9559 5.1.4.1.19). */
function tagsOf(fields: Fields, tags: TagSet | undefined): TagSet {
  const set: TagSet = { language: textOf(fields.get(ID.Language)) ?? 'eng' }
  setTag(set, 'title', textOf(fields.get(ID.Name)))
  for (const [name, value] of Object.entries(tags ?? {})) setTag(set, name, value)
  return set
}

function videoFacts(fields: Fields, facts: CodecFacts): CodecFacts & Partial<FfprobeStream> {
  const video = subFields(fields, ID.Video)
  if (unsignedOf(video.get(ID.StereoMode), 0) !== 0 || unsignedOf(video.get(ID.AlphaMode), 0) !== 0) {
    rejectHeader('a picture in three dimensions or with transparency')
  }
  if (video.has(ID.Projection)) rejectHeader('a picture on a sphere')
  const width = unsignedOf(video.get(ID.PixelWidth), 0)
  const height = unsignedOf(video.get(ID.PixelHeight), 0)
  const duration = unsignedOf(fields.get(ID.DefaultDuration), 0)
  const rate =
    approximateFraction(NANOSECONDS_PER_SECOND, duration, MAX_RATE_PART) ??
    rejectHeader('a picture without a frame rate')
  const colour = subFields(video, ID.Colour)
  const container: CodecFacts = {
    width,
    height,
    color_transfer: transferName(unsignedOf(colour.get(ID.TransferCharacteristics), undefined)),
    field_order: fieldOrder(video),
  }
  const merged = mergeFacts(container, facts)
  if (merged.field_order === undefined && merged.codec_name === 'h264') rejectHeader('perhaps an interlaced picture')
  const aspect = aspectOf(video, { width, height }) ?? facts.sample_aspect_ratio
  return { ...merged, sample_aspect_ratio: aspect, avg_frame_rate: rate, r_frame_rate: rate }
}

function fieldOrder(video: Fields): string | undefined {
  const interlaced = unsignedOf(video.get(ID.FlagInterlaced), 0)
  if (interlaced === PROGRESSIVE) return 'progressive'
  return interlaced === INTERLACED ? FIELD_ORDERS[unsignedOf(video.get(ID.FieldOrder), 2)] : undefined
}

/** Returns the pixel aspect ratio from the display size, in any unit (RFC 9559 5.1.4.1.28.14). */
function aspectOf(video: Fields, { width, height }: { width: number; height: number }): string | undefined {
  if (unsignedOf(video.get(ID.DisplayUnit), 0) > 3) return undefined
  const shownWidth = unsignedOf(video.get(ID.DisplayWidth), width)
  const shownHeight = unsignedOf(video.get(ID.DisplayHeight), height)
  return approximateFraction(height * shownWidth, width * shownHeight, MAX_ASPECT_PART)?.replace('/', ':')
}

function audioFacts(audio: Fields, facts: CodecFacts): CodecFacts {
  const channels = unsignedOf(audio.get(ID.Channels), 1)
  const declared = floatOf(audio.get(ID.OutputSamplingFrequency)) ?? floatOf(audio.get(ID.SamplingFrequency)) ?? 8000
  const sound: CodecFacts = { channels, sample_rate: `${Math.round(declared)}` }
  if (facts.codec_name?.startsWith('pcm_') === true) {
    sound.bit_rate = `${Math.round(declared) * channels * unsignedOf(audio.get(ID.BitDepth), 0)}`
  }
  return mergeFacts(sound, facts)
}
