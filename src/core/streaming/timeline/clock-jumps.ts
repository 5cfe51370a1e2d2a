import type { PacketFacts } from '../../platform/media-tools/index.ts'
import type { ClockJump } from '../../probing/index.ts'

/** ffmpeg also treats a longer gap as a jump unless it is configured to keep timestamps. */
const MIN_JUMP_MICROSECONDS = 10_000_000
/** Audio may begin and end this much before or after the video. */
const SOUND_MARGIN_MICROSECONDS = 2_000_000

/** Finds the places where a clock that never goes back may jump ahead: no frame is shown for more than ten seconds. Pure. */
export function findClockGaps(picture: readonly PacketFacts[]): ClockJump[] {
  const shown = picture.toSorted((a, b) => a.microseconds - b.microseconds)
  return shown.slice(1).flatMap(({ microseconds: behind }, index) => {
    const { microseconds: before = behind, durationMicroseconds: frame = 0 } = shown[index] ?? {}
    const gap = behind - before
    if (gap <= MIN_JUMP_MICROSECONDS) return []
    return [{ atMicroseconds: Math.round((before + behind) / 2), byMicroseconds: gap - frame, position: null }]
  })
}

/** Returns the gaps that contain no audio either. If there is audio, only the video is missing and no time was skipped. Pure. */
export function filterGapsWithoutAudio(gaps: readonly ClockJump[], sound: readonly PacketFacts[]): ClockJump[] {
  return gaps.filter(({ atMicroseconds, byMicroseconds }) => {
    const reach = byMicroseconds / 2 - SOUND_MARGIN_MICROSECONDS
    return sound.every(({ microseconds }) => Math.abs(microseconds - atMicroseconds) > reach)
  })
}

/** Converts a timestamp of the file to continuous time: subtracts the jumps before it. Pure. */
export function toContinuousMicroseconds(microseconds: number, jumps: readonly ClockJump[]): number {
  return jumps.reduce(
    (rest, jump) => rest - (microseconds > jump.atMicroseconds ? jump.byMicroseconds : 0),
    microseconds,
  )
}

/** Converts continuous time to a timestamp of the file. Pure. */
export function toFileMicroseconds(microseconds: number, jumps: readonly ClockJump[]): number {
  return jumps.reduce(
    // Compares with the middle between the last frame before the jump and the first frame after it.
    (at, { atMicroseconds, byMicroseconds }) => (at > atMicroseconds - byMicroseconds / 2 ? at + byMicroseconds : at),
    microseconds,
  )
}

/** Returns the total of all jumps: the difference between the file's apparent and its real duration. Pure. */
export function totalJumpMicroseconds(jumps: readonly ClockJump[]): number {
  return jumps.reduce((sum, { byMicroseconds }) => sum + byMicroseconds, 0)
}
