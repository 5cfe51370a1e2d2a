/** AAC-LC, the codec of every re-encoded audio track (RFC 6381; ISO 14496-3 object type 2). */
export const AAC_LC = 'mp4a.40.2'

/** Object types of the AAC kinds that players support, by ffprobe's profile names (ISO 14496-3, 1.5.1.1). */
const AAC_CODECS: ReadonlyMap<string, string> = new Map([
  ['LC', AAC_LC],
  ['HE-AAC', 'mp4a.40.5'],
  ['HE-AACv2', 'mp4a.40.29'],
])

/** Limits of each H.264 level, in macroblocks per frame and per second (ITU-T H.264, table A-1: MaxFS, MaxMBPS). */
const LEVELS: readonly (readonly [level: number, perFrame: number, perSecond: number])[] = [
  [10, 99, 1485],
  [11, 396, 3000],
  [12, 396, 6000],
  [13, 396, 11_880],
  [21, 792, 19_800],
  [22, 1620, 20_250],
  [30, 1620, 40_500],
  [31, 3600, 108_000],
  [32, 5120, 216_000],
  [40, 8192, 245_760],
  [42, 8704, 522_240],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
  [52, 36_864, 2_073_600],
  [60, 139_264, 4_177_920],
  [61, 139_264, 8_355_840],
]

const MAX_LEVEL = 62

/** Profile number and constraint bits (ITU-T H.264, 7.4.2.1.1) by ffprobe's names. */
const PROFILES: ReadonlyMap<string, string> = new Map([
  ['Constrained Baseline', '42E0'],
  ['Baseline', '4200'],
  ['Main', '4D40'],
  ['Extended', '5800'],
  ['High', '6400'],
])

/** Sizes in pixels. */
type Pictures = { width: number; height: number; framesPerSecond: number }

/**
 * Returns the lowest H.264 level, times ten, that covers frames of this size at this rate by MaxFS and MaxMBPS. Without MaxMBPS, 60
 * frames per second would be announced with too low a level.
 */
export function h264Level({ width, height, framesPerSecond }: Pictures): number {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const perSecond = macroblocks * framesPerSecond
  const level = LEVELS.find(([, frame, second]) => macroblocks <= frame && perSecond <= second)
  return level?.[0] ?? MAX_LEVEL
}

/** Returns the codec string of encoded video: High profile at that level, for example `avc1.640028`. */
export function encodedVideoCodecString(pictures: Pictures): string {
  return `avc1.6400${hexByte(h264Level(pictures))}`
}

/**
 * Returns the codec string of an H.264 stream from ffprobe's profile and level. Undefined for a profile that many players do not support
 * (10 bit, 4:2:2). Unknown values default to the values of `encodedVideoCodecString`.
 */
export function copiedVideoCodecString(
  stream: { videoProfile: string | null; videoLevel: number | null } & Pictures,
): string | undefined {
  const profile = PROFILES.get(stream.videoProfile ?? 'High')
  const { videoLevel } = stream
  const isLevel = videoLevel !== null && videoLevel >= 9 && videoLevel <= MAX_LEVEL
  return profile === undefined ? undefined : `avc1.${profile}${hexByte(isLevel ? videoLevel : h264Level(stream))}`
}

/** Returns the codec string of an AAC stream from ffprobe's profile. Undefined for a profile that many players do not support. */
export function aacCodecString(profile: string | null): string | undefined {
  return AAC_CODECS.get(profile ?? 'LC')
}

function hexByte(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0')
}
