import type { PacketFacts } from '../platform/media-tools/index.ts'
import type { ClockJump } from '../probing/index.ts'

/** ffmpeg takes what is longer for a jump, too, unless it is told to leave times as they are. */
const SHORTEST_JUMP_MICROSECONDS = 10_000_000
/** Sound may begin and end so much beside the picture. */
const SOUND_MARGIN_MICROSECONDS = 2_000_000

/** Where a clock that never goes back may jump ahead: no frame is shown for more than ten seconds. Pure. */
export function findGaps(picture: readonly PacketFacts[]): ClockJump[] {
  const shown = picture.toSorted((a, b) => a.microseconds - b.microseconds)
  return shown.slice(1).flatMap(({ microseconds: behind }, place) => {
    const { microseconds: before = behind, durationMicroseconds: frame = 0 } = shown[place] ?? {}
    const gap = behind - before
    if (gap <= SHORTEST_JUMP_MICROSECONDS) return []
    return [{ atMicroseconds: Math.round((before + behind) / 2), byMicroseconds: gap - frame, position: null }]
  })
}

/** Gaps in which there is no sound either; where there is, the picture is missing and time goes on. Pure. */
export function withoutSound(gaps: readonly ClockJump[], sound: readonly PacketFacts[]): ClockJump[] {
  return gaps.filter(({ atMicroseconds, byMicroseconds }) => {
    const reach = byMicroseconds / 2 - SOUND_MARGIN_MICROSECONDS
    return sound.every(({ microseconds }) => Math.abs(microseconds - atMicroseconds) > reach)
  })
}

/** A time of the file less the jumps before it. Pure. */
export function withoutJumps(microseconds: number, jumps: readonly ClockJump[]): number {
  return jumps.reduce(
    (rest, jump) => rest - (microseconds > jump.atMicroseconds ? jump.byMicroseconds : 0),
    microseconds,
  )
}

/** The time on the clock of the file of a time without jumps. Pure. */
export function withJumps(microseconds: number, jumps: readonly ClockJump[]): number {
  return jumps.reduce(
    // Between the last frame before a jump and where the first one behind it is shown.
    (at, { atMicroseconds, byMicroseconds }) => (at > atMicroseconds - byMicroseconds / 2 ? at + byMicroseconds : at),
    microseconds,
  )
}

/** By how much all jumps together make a file seem longer. Pure. */
export function sumOfJumps(jumps: readonly ClockJump[]): number {
  return jumps.reduce((sum, { byMicroseconds }) => sum + byMicroseconds, 0)
}
