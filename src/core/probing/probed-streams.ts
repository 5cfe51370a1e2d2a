import type { FfprobeStream } from './ffprobe-output.ts'
import type { ProbedStream } from './probed-file.ts'
import { cleanText, parsePositiveInteger, parseDecimal, parseRate, findTag } from './ffprobe-values.ts'

const TITLE_CHARACTERS = 500

/** Converts a stream to the record that the catalogue stores. */
export function toProbedStream(stream: FfprobeStream): ProbedStream {
  const { disposition, tags } = stream
  return {
    index: stream.index,
    type: streamType(stream),
    codec: cleanText(stream.codec_name, 50),
    language: languageOf(findTag(tags, 'language')),
    title: cleanText(findTag(tags, 'title'), TITLE_CHARACTERS),
    bitrate: streamBitrate(stream),
    width: parsePositiveInteger(stream.width),
    height: parsePositiveInteger(stream.height),
    channels: parsePositiveInteger(stream.channels),
    isDefault: disposition['default'] === 1,
    isForced: disposition['forced'] === 1,
    isHearingImpaired: disposition['hearing_impaired'] === 1,
    profile: cleanText(stream.profile?.toString(), 50),
    level: parsePositiveInteger(stream.level),
    pixelFormat: cleanText(stream.pix_fmt, 50),
    frameRate: streamType(stream) === 'video' ? parseRate(stream.avg_frame_rate) : null,
    channelLayout: cleanText(stream.channel_layout, 50),
    sampleRate: parsePositiveInteger(stream.sample_rate),
    startSeconds: streamType(stream) === 'audio' ? parseDecimal(stream.start_time) : null,
  }
}

/** Returns bits per second from the stream or from Matroska's statistics tags; null otherwise. */
export function streamBitrate({ bit_rate: declared, tags }: FfprobeStream): number | null {
  return parsePositiveInteger(declared) ?? parsePositiveInteger(findTag(tags, 'bps'))
}

function streamType({ codec_type: type, disposition }: FfprobeStream): ProbedStream['type'] {
  // A cover is represented as a video stream with one picture.
  if (type === 'video') return disposition['attached_pic'] === 1 ? 'attachment' : 'video'
  return type === 'audio' || type === 'subtitle' || type === 'attachment' ? type : 'data'
}

function languageOf(tag: string | undefined): string | null {
  const language = tag?.trim().toLowerCase() ?? ''
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/.test(language) && language !== 'und' ? language : null
}
