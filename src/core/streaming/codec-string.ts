/** AAC-LC, what every re-encoded sound track is (RFC 6381; ISO 14496-3 object type 2). */
const AAC_CODEC = 'mp4a.40.2'

/**
 * Largest frame, in macroblocks, of each H.264 level (ITU-T H.264, table A-1, MaxFS). Levels that add no frame size are
 * left out.
 */
const LEVELS: readonly (readonly [level: number, maxFrameMacroblocks: number])[] = [
  [10, 99],
  [11, 396],
  [21, 792],
  [22, 1620],
  [31, 3600],
  [32, 5120],
  [40, 8192],
  [42, 8704],
  [50, 22_080],
  [51, 36_864],
]

const HIGHEST_LEVEL = 62

/** The lowest H.264 level, times ten, whose MaxFS covers a frame of this size in pixels (document 2, ladder rule 9). */
export function h264Level(frame: { width: number; height: number }): number {
  const macroblocks = Math.ceil(frame.width / 16) * Math.ceil(frame.height / 16)
  return LEVELS.find(([, largest]) => macroblocks <= largest)?.[0] ?? HIGHEST_LEVEL
}

/**
 * The CODECS attribute: H.264 High at that level, and AAC-LC where there is sound; for example `avc1.640028,mp4a.40.2`.
 */
export function codecString(frame: { width: number; height: number; hasAudio: boolean }): string {
  const video = `avc1.6400${h264Level(frame).toString(16).toUpperCase().padStart(2, '0')}`
  return frame.hasAudio ? `${video},${AAC_CODEC}` : video
}
