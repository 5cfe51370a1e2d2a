import { extname } from 'node:path'
import { mediaToolErrors } from '../platform/media-tools/index.ts'
import { chaptersOf } from './chapters.ts'
import type { FfprobeOutput, FfprobeStream } from './ffprobe-output.ts'
import type { ProbedFile } from './probed-file.ts'
import { isPicture, sourceProfile } from './source-profile.ts'
import { probedStream } from './streams.ts'
import { clockTimeOf, countOf, decimalOf, tagOf } from './values.ts'

/** A file may declare thousands; nobody can choose among them. */
const MAX_STREAMS = 500

/** No recording is longer than a year; what claims to be has a damaged header. */
const MAX_SECONDS = 366 * 24 * 3600

/**
 * What ffprobe, or a header reader in its words, tells about the file at `path`, as the catalogue keeps it.
 * @throws AppError `unreadable_media` when that is no media, or has neither picture nor sound, or no duration (M19)
 */
export function probedFileOf(told: FfprobeOutput, path: string): ProbedFile {
  const output = withoutCaptions({ ...told, streams: told.streams.slice(0, MAX_STREAMS) })
  const source = sourceProfile(output)
  const hasSound = output.streams.some(({ codec_type: type }) => type === 'audio')
  if (source === null && !hasSound) {
    throw mediaToolErrors.unreadable_media({ message: 'the file holds neither picture nor sound' })
  }
  return {
    durationSeconds: durationOf(output),
    container: containerOf(output.format.format_name, path),
    bitrate: countOf(output.format.bit_rate),
    streams: output.streams.map((stream) => probedStream(stream)),
    chapters: chaptersOf(output),
    source,
  }
}

/** Of the whole file, else of its longest stream. */
function durationOf({ format, streams }: FfprobeOutput): number {
  const whole = decimalOf(format.duration) ?? 0
  const seconds = whole > 0 ? whole : Math.max(0, ...streams.map((stream) => streamDuration(stream)))
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds
  throw mediaToolErrors.unreadable_media({ message: 'the file does not tell how long it is' })
}

/** Containers count captions, too: one without an end makes a film as long as its clock can count. Rounded as its clock rounds. */
const CAPTION_END_SECONDS = 1

/** A file as long as its picture and sound, with the bit rate that follows, where a caption is what ends last. */
function withoutCaptions(output: FfprobeOutput): FfprobeOutput {
  const { format, streams } = output
  const [whole, bitrate] = [decimalOf(format.duration) ?? 0, countOf(format.bit_rate)]
  const played = streams.filter((stream) => stream.codec_type === 'audio' || isPicture(stream)).map(streamEnd)
  const seconds = Math.max(...played)
  const isCaption = streams.some(
    (stream) => stream.codec_type === 'subtitle' && streamEnd(stream) >= whole - CAPTION_END_SECONDS,
  )
  if (!isCaption || played.includes(0) || seconds >= whole) return output
  const rate = bitrate === null ? undefined : `${Math.round((bitrate * whole) / seconds)}`
  return { ...output, format: { ...format, duration: seconds.toFixed(6), bit_rate: rate } }
}

/** When a stream ends, counted from the start of the file; 0 where it does not tell. The tag of Matroska tells the end, not the length. */
function streamEnd(stream: FfprobeStream): number {
  return clockTimeOf(tagOf(stream.tags, 'duration')) ?? decimalOf(stream.duration) ?? 0
}

function streamDuration({ duration, tags }: FfprobeStream): number {
  return decimalOf(duration) ?? clockTimeOf(tagOf(tags, 'duration')) ?? 0
}

/** By ffmpeg's name of the format. Several share one reader; between those the extension decides. */
const CONTAINERS: Readonly<Record<string, { usual: string; others?: readonly string[] }>> = {
  'mov,mp4,m4a,3gp,3g2,mj2': { usual: 'mp4', others: ['mov', 'm4a', 'm4b', 'm4v', '3gp', '3g2'] },
  'matroska,webm': { usual: 'mkv', others: ['webm', 'mka', 'mk3d'] },
  mpegts: { usual: 'ts', others: ['m2ts', 'mts'] },
  mpeg: { usual: 'mpg', others: ['vob'] },
  asf: { usual: 'asf', others: ['wmv', 'wma'] },
  ogg: { usual: 'ogg', others: ['ogv', 'oga', 'opus'] },
}

function containerOf(formatName: string, path: string): string {
  const container = Object.hasOwn(CONTAINERS, formatName) ? CONTAINERS[formatName] : undefined
  if (container === undefined) return formatName.slice(0, 50)
  const extension = extname(path).slice(1).toLowerCase()
  return container.others?.includes(extension) === true ? extension : container.usual
}
