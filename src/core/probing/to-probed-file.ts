import { extname } from 'node:path'
import { mediaToolErrors } from '../platform/media-tools/index.ts'
import { toProbedChapters } from './probed-chapters.ts'
import type { FfprobeOutput, FfprobeStream } from './ffprobe-output.ts'
import type { ProbedFile } from './probed-file.ts'
import { isPicture, createSourceProfile } from './source-profile.ts'
import { toProbedStream } from './probed-streams.ts'
import { parseClockTime, parsePositiveInteger, parseDecimal, findTag } from './ffprobe-values.ts'

/** Limit, because a file may declare thousands of streams. */
const MAX_STREAMS = 500

/** Longer durations indicate a damaged header. */
const MAX_DURATION_SECONDS = 366 * 24 * 3600

/**
 * Converts the output of ffprobe, or of a header reader, to the record that the catalogue stores.
 * @throws AppError `unreadable_media` if it is no media, or has neither video nor audio, or no duration
 */
export function toProbedFile(declared: FfprobeOutput, path: string): ProbedFile {
  const output = withoutCaptions({ ...declared, streams: declared.streams.slice(0, MAX_STREAMS) })
  const source = createSourceProfile(output)
  const hasSound = output.streams.some(({ codec_type: type }) => type === 'audio')
  if (source === null && !hasSound) {
    throw mediaToolErrors.unreadable_media({ message: 'the file contains neither video nor audio' })
  }
  return {
    durationSeconds: durationOf(output),
    container: containerOf(output.format.format_name, path),
    bitrate: parsePositiveInteger(output.format.bit_rate),
    streams: output.streams.map((stream) => toProbedStream(stream)),
    chapters: toProbedChapters(output),
    source,
  }
}

/** Returns the duration of the whole file, else of its longest stream. */
function durationOf({ format, streams }: FfprobeOutput): number {
  const whole = parseDecimal(format.duration) ?? 0
  const seconds = whole > 0 ? whole : Math.max(0, ...streams.map((stream) => streamDuration(stream)))
  if (seconds > 0 && seconds <= MAX_DURATION_SECONDS) return seconds
  throw mediaToolErrors.unreadable_media({ message: 'the file does not state its duration' })
}

/**
 * Containers include subtitles in their duration: a subtitle without an end extends a film to the maximum of its clock. The tolerance
 * covers the rounding of that clock.
 */
const CAPTION_END_SECONDS = 1

/** If a subtitle ends last, replaces the duration with the duration of video and audio, and corrects the bit rate accordingly. */
function withoutCaptions(output: FfprobeOutput): FfprobeOutput {
  const { format, streams } = output
  const [whole, bitrate] = [parseDecimal(format.duration) ?? 0, parsePositiveInteger(format.bit_rate)]
  const played = streams.filter((stream) => stream.codec_type === 'audio' || isPicture(stream)).map(streamEnd)
  const seconds = Math.max(...played)
  const isCaption = streams.some(
    (stream) => stream.codec_type === 'subtitle' && streamEnd(stream) >= whole - CAPTION_END_SECONDS,
  )
  if (!isCaption || played.includes(0) || seconds >= whole) return output
  const rate = bitrate === null ? undefined : `${Math.round((bitrate * whole) / seconds)}`
  return { ...output, format: { ...format, duration: seconds.toFixed(6), bit_rate: rate } }
}

/** Returns the end of a stream, from the start of the file; 0 if unknown. The Matroska tag contains the end, not the duration. */
function streamEnd(stream: FfprobeStream): number {
  return parseClockTime(findTag(stream.tags, 'duration')) ?? parseDecimal(stream.duration) ?? 0
}

function streamDuration({ duration, tags }: FfprobeStream): number {
  return parseDecimal(duration) ?? parseClockTime(findTag(tags, 'duration')) ?? 0
}

/** Container names by ffmpeg's format name. If several share one demuxer, the extension decides. */
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
