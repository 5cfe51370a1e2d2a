/** AAC-LC, what every re-encoded sound track is (RFC 6381; ISO 14496-3 object type 2). */
export const AAC_LC = 'mp4a.40.2'

/** The object types of the kinds of AAC that players know, by ffprobe's names of them (ISO 14496-3, 1.5.1.1). */
const AAC_CODECS: ReadonlyMap<string, string> = new Map([
  ['LC', AAC_LC],
  ['HE-AAC', 'mp4a.40.5'],
  ['HE-AACv2', 'mp4a.40.29'],
])

/** What each H.264 level covers, in macroblocks per frame and per second (ITU-T H.264, table A-1: MaxFS, MaxMBPS). */
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

const HIGHEST_LEVEL = 62

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
 * The lowest H.264 level, times ten, that covers frames of this size at this rate: MaxFS, as document 2 says in ladder
 * rule 9, and MaxMBPS, without which 60 frames per second would be announced as less than they are.
 */
export function h264Level({ width, height, framesPerSecond }: Pictures): number {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const perSecond = macroblocks * framesPerSecond
  const level = LEVELS.find(([, frame, second]) => macroblocks <= frame && perSecond <= second)
  return level?.[0] ?? HIGHEST_LEVEL
}

/** The codec string of an encoded picture: High profile at that level, for example `avc1.640028` (ladder rule 9). */
export function encodedVideoCodec(pictures: Pictures): string {
  return `avc1.6400${hexByte(h264Level(pictures))}`
}

/**
 * The codec string of an H.264 stream as it is, from ffprobe's names of its profile and level; undefined for a profile
 * that players cannot be expected to know (10 bit, 4:2:2). What is not known is taken as in `encodedVideoCodec`.
 */
export function copiedVideoCodec(
  stream: { videoProfile: string | null; videoLevel: number | null } & Pictures,
): string | undefined {
  const profile = PROFILES.get(stream.videoProfile ?? 'High')
  const { videoLevel } = stream
  const isLevel = videoLevel !== null && videoLevel >= 9 && videoLevel <= HIGHEST_LEVEL
  return profile === undefined ? undefined : `avc1.${profile}${hexByte(isLevel ? videoLevel : h264Level(stream))}`
}

/** The codec string of an AAC stream as it is; undefined for a kind that players cannot be expected to know. */
export function copiedAudioCodec(profile: string | null): string | undefined {
  return AAC_CODECS.get(profile ?? 'LC')
}

function hexByte(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0')
}
