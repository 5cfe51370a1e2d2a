import { aacCodecString } from './codec-strings.ts'
import type { LadderSource } from './ladder-source.ts'

const H264 = new Set(['h264', 'avc1', 'avc'])
const AAC = new Set(['aac', 'mp4a'])

/** Pixel formats that every player decodes: 8 bit, 4:2:0 chroma subsampling. */
const USUAL_PIXELS = new Set(['yuv420p', 'yuvj420p', 'nv12'])

/** The ADTS header in a transport stream cannot express more channels (ISO 14496-3, 1.6.3.5). */
const MAX_CHANNELS = 8

/** Bit rate per channel assumed for sources of unknown rate. */
const ASSUMED_CHANNEL_BITRATE = 96_000

/** Returns whether a codec is H.264, the only codec that is copied, under any of its names. */
export function isH264(videoCodec: string | null): boolean {
  return H264.has(videoCodec?.toLowerCase() ?? '')
}

/** Returns the reason why video cannot be copied, or null if it can. Pure. */
export function findVideoCopyObstacle(source: LadderSource): string | null {
  const { width, height, videoCodec, pixelFormat, rotationDegrees, isCuttable } = source
  if (width === null || height === null || width <= 0 || height <= 0) return 'the size of the source is not known'
  if (!isH264(videoCodec)) return `the picture is ${videoCodec ?? 'of an unknown kind'}, not H.264`
  if (pixelFormat !== null && !USUAL_PIXELS.has(pixelFormat))
    return `few players show pixels of the form ${pixelFormat}`
  if (rotationDegrees !== 0) return `the picture is turned by ${rotationDegrees} degrees, which a copy would lose`
  return isCuttable === false
    ? 'its key frames are too far apart or not known, its clock jumps, or it ends long before the sound'
    : null
}

/** Returns the codec string and the bits per second of audio that can be copied, or the reason why it cannot. Pure. */
export function evaluateAudioCopy(source: LadderSource): { codec: string; bitrate: number } | { refusal: string } {
  const { hasAudio, audioCodec, audioProfile, audioBitrate, audioChannels } = source
  if (!hasAudio) return { refusal: 'there is no sound' }
  if (!AAC.has(audioCodec?.toLowerCase() ?? ''))
    return { refusal: `it is ${audioCodec ?? 'of an unknown kind'}, not AAC` }
  const codec = aacCodecString(audioProfile)
  if (codec === undefined) return { refusal: `few players know AAC of the kind ${audioProfile}` }
  const channels = audioChannels ?? 2
  if (channels > MAX_CHANNELS) return { refusal: `it has ${channels} channels` }
  return {
    codec,
    bitrate: audioBitrate !== null && audioBitrate > 0 ? audioBitrate : channels * ASSUMED_CHANNEL_BITRATE,
  }
}
