import type { FfprobeOutput, FfprobeStream } from './ffprobe-output.ts'
import type { SourceProfile } from './probed-file.ts'
import { streamBitrate } from './probed-streams.ts'
import { cleanText, parsePositiveInteger, parseDecimal, parseRate, findTag } from './ffprobe-values.ts'

const HDR_TRANSFERS = new Set(['smpte2084', 'arib-std-b67'])
const INTERLACED = new Set(['tt', 'bb', 'tb', 'bt'])

/** Returns the profile of the played video and its audio; null without video. */
export function createSourceProfile({ format, streams }: FfprobeOutput): SourceProfile | null {
  const video = streams.find((stream) => isPicture(stream))
  if (video === undefined) return null
  const audio = playedAudio(streams)
  return {
    ...shownSize(video),
    ...pictureFacts(video),
    bitrate: streamBitrate(video) ?? remainingBitrate(video, { format, streams }),
    videoStreamIndex: video.index,
    containerStartSeconds: parseDecimal(format.start_time) ?? 0,
    videoStartSeconds: parseDecimal(video.start_time) ?? parseDecimal(format.start_time) ?? 0,
    hasAudio: audio !== undefined,
    audioCodec: cleanText(audio?.codec_name, 50),
    audioStreamIndex: audio?.index ?? null,
    audioStartSeconds: parseDecimal(audio?.start_time),
    audioProfile: cleanText(audio?.profile?.toString(), 50),
    audioChannels: parsePositiveInteger(audio?.channels),
    audioSampleRate: parsePositiveInteger(audio?.sample_rate),
    audioBitrate: audio === undefined ? null : streamBitrate(audio),
  }
}

/** Returns whether a stream is video; covers are not. */
export function isPicture(stream: FfprobeStream): boolean {
  const hasSize = parsePositiveInteger(stream.width) !== null && parsePositiveInteger(stream.height) !== null
  return stream.codec_type === 'video' && stream.disposition['attached_pic'] !== 1 && hasSize
}

/** Returns the default audio track, else the first. */
function playedAudio(streams: FfprobeStream[]): FfprobeStream | undefined {
  const tracks = streams.filter(
    ({ codec_type: type, channels }) => type === 'audio' && parsePositiveInteger(channels) !== null,
  )
  return tracks.find(({ disposition }) => disposition['default'] === 1) ?? tracks[0]
}

function pictureFacts(video: FfprobeStream) {
  const transfer = cleanText(video.color_transfer, 50)
  return {
    videoCodec: cleanText(video.codec_name, 50),
    videoProfile: cleanText(video.profile?.toString(), 50),
    videoLevel: parsePositiveInteger(video.level),
    pixelFormat: cleanText(video.pix_fmt, 50),
    rotationDegrees: rotationOf(video),
    isInterlaced: INTERLACED.has(video.field_order ?? ''),
    colorTransfer: transfer,
    isHdr: transfer !== null && HDR_TRANSFERS.has(transfer),
    frameRate: parseRate(video.avg_frame_rate) ?? parseRate(video.r_frame_rate),
    baseFrameRate: parseRate(video.r_frame_rate),
    frameCount: parsePositiveInteger(video.nb_frames) ?? parsePositiveInteger(findTag(video.tags, 'number_of_frames')),
  }
}

/** Returns the size on a screen with square pixels: anamorphic video is stretched in width, then rotated. */
function shownSize(video: FfprobeStream): { width: number; height: number } {
  const height = parsePositiveInteger(video.height) ?? 0
  const width = Math.max(1, Math.round((parsePositiveInteger(video.width) ?? 0) * pixelAspect(video)))
  return rotationOf(video) % 180 === 0 ? { width, height } : { width: height, height: width }
}

/**
 * Returns the width of a pixel relative to its height. `0:1` means unknown; an implausible value, such as from a damaged header, counts
 * as 1.
 */
function pixelAspect({ sample_aspect_ratio: ratio }: FfprobeStream): number {
  const match = /^(\d{1,9}):(\d{1,9})$/.exec(ratio ?? '')
  const aspect = match === null ? 1 : Number(match[1]) / Number(match[2])
  return aspect >= 0.1 && aspect <= 10 ? aspect : 1
}

/** Returns the clockwise rotation. ffprobe reports counterclockwise rotation. */
function rotationOf({ side_data_list: sideData, tags }: FfprobeStream): number {
  const counterclockwise = sideData.find(({ rotation }) => rotation !== undefined)?.rotation
  const clockwise = counterclockwise === undefined ? (parseDecimal(findTag(tags, 'rotate')) ?? 0) : -counterclockwise
  const quarters = Math.round(clockwise / 90) % 4
  return ((quarters + 4) % 4) * 90
}

/** Returns the bit rate of the file minus the bit rates of the other streams; null if unknown or not positive. */
function remainingBitrate(video: FfprobeStream, { format, streams }: Pick<FfprobeOutput, 'format' | 'streams'>) {
  const whole = parsePositiveInteger(format.bit_rate)
  if (whole === null) return null
  const others = streams.filter((stream) => stream !== video).map((stream) => streamBitrate(stream) ?? 0)
  return parsePositiveInteger(whole - others.reduce((sum, bitrate) => sum + bitrate, 0))
}
