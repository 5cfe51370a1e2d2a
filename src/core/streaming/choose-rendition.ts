import { codecString } from './codec-string.ts'
import type { DeviceProfile } from './device-profiles.ts'
import type { VideoRendition } from './rendition.ts'
import { RUNGS } from './rungs.ts'

/** The picture and sound of a source as the ladder sees them; sizes as displayed, null where unknown. */
export type LadderSource = Readonly<{
  width: number | null
  height: number | null
  /** Bits per second of the video, null where unknown. */
  bitrate: number | null
  hasAudio: boolean
}>

export const AUDIO_BITRATE = 160_000

/** Peaks that the encoder may reach, over its target. */
const MAX_RATE_FACTOR = 1.07
/** A segment may exceed the peak rate while the rate control's buffer fills anew. */
const SEGMENT_PEAK_FACTOR = 1.1
/** Headers of the transport stream. */
const CONTAINER_FACTOR = 1.04

/** On-demand encoding stops here until several renditions exist; a taller source is scaled down. */
const TALLEST_RENDITION = 1080

/** What sources of unknown size count as (ladder rule 7). */
const ASSUMED_SIZE = { width: 1920, height: 1080 }

type Size = { width: number; height: number }

/** The encoder's peak rate for a target, both in bits per second. */
export function maxVideoBitrate(videoBitrate: number): number {
  return Math.round(videoBitrate * MAX_RATE_FACTOR)
}

/**
 * The one rendition that a job offers: the highest canonical rung that neither exceeds the source, nor the device, nor
 * 1080 lines. Pure (document 2, ladder rules 1 to 7 and 9). There is always one: a source or device below 240 lines
 * gets its own size.
 */
export function chooseRendition(source: LadderSource, profile: DeviceProfile): VideoRendition {
  const size = sourceSize(source)
  const rung = RUNGS.find(
    ({ height }) =>
      height <= Math.min(size.height, TALLEST_RENDITION) &&
      fitsDevice({ width: widthAt(size, height), height }, profile),
  )
  const { id, width, height, videoKbps } =
    rung === undefined ? fallbackRung(size, profile) : { ...rung, width: widthAt(size, rung.height) }
  const videoBitrate = limitBitrate(videoKbps * 1000, { source, profile })
  return {
    kind: 'video',
    id,
    label: id,
    width,
    height,
    bitrate: bandwidth(videoBitrate, source.hasAudio),
    videoBitrate,
    codecs: codecString({ width, height, hasAudio: source.hasAudio }),
    isOriginal: false,
    isCopy: false,
    audio: source.hasAudio ? 'encode' : 'none',
  }
}

function sourceSize({ width, height }: LadderSource): Size {
  return width !== null && height !== null && width > 0 && height > 0 ? { width, height } : ASSUMED_SIZE
}

function fitsDevice(size: Size, profile: DeviceProfile): boolean {
  return size.width <= profile.maxWidth && size.height <= profile.maxHeight
}

/** Width at a height in the source's aspect ratio; the encoder needs even numbers (ladder rule 5). */
function widthAt(source: Size, height: number): number {
  return even((source.width * height) / source.height)
}

function even(length: number): number {
  return Math.max(2, Math.round(length / 2) * 2)
}

/** The source's own size, made to fit the device, at the bit rate of the lowest rung (ladder rule 6). */
function fallbackRung(
  source: Size,
  profile: DeviceProfile,
): { id: string; width: number; height: number; videoKbps: number } {
  const shrink = Math.min(1, profile.maxWidth / source.width, profile.maxHeight / source.height)
  // Rounded down: never larger than source or device.
  const height = Math.max(2, Math.floor((source.height * shrink) / 2) * 2)
  const width = Math.max(2, Math.floor((source.width * shrink) / 2) * 2)
  const { videoKbps } = RUNGS.findLast((rung) => rung.height >= height) ?? { videoKbps: 0 }
  return { id: `${height}p`, width, height, videoKbps }
}

/** Ladder rules 3 and 4: not more than the source's own rate, and what is advertised stays within the device's. */
function limitBitrate(target: number, { source, profile }: { source: LadderSource; profile: DeviceProfile }): number {
  const audio = source.hasAudio ? AUDIO_BITRATE : 0
  const room = (profile.maxBitrate / CONTAINER_FACTOR - audio) / (MAX_RATE_FACTOR * SEGMENT_PEAK_FACTOR)
  const known = source.bitrate !== null && source.bitrate > 0 ? source.bitrate : target
  return Math.floor(Math.min(target, known, room))
}

/** BANDWIDTH: the largest bit rate that a segment may reach (RFC 8216, 4.3.4.2). */
function bandwidth(videoBitrate: number, hasAudio: boolean): number {
  const audio = hasAudio ? AUDIO_BITRATE : 0
  return Math.floor((videoBitrate * MAX_RATE_FACTOR * SEGMENT_PEAK_FACTOR + audio) * CONTAINER_FACTOR)
}
