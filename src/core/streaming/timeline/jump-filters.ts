import type { ClockJump } from '../../probing/index.ts'
import { CLOCK_CYCLE_MICROSECONDS, clockPlace, isOrdered, type ClockPlace } from './clock-restarts.ts'
import { secondsText } from './segment-timeline.ts'
import type { StreamJob } from '../job/stream-job.ts'

/** A timestamp that is later than the expected end of a section by more than this means that the clock has jumped ahead. */
const JUMP_AHEAD_SECONDS = 5
/** A timestamp that is earlier than the previous one by more than this means that the clock has jumped back. */
const JUMP_BACK_SECONDS = 1

/** The jumps of a file's clock, and the place where a process begins to read. */
export type JumpingClock = Readonly<{ jumps: readonly ClockJump[]; from: ClockPlace }>

/** Returns the clock for an ffmpeg process that reads the file from its start, or from an entry (a key frame where reading may begin). */
export function jumpingClock(
  { jumps }: Pick<StreamJob['source'], 'jumps'>,
  entry: { microseconds: number } | undefined,
): JumpingClock {
  return { jumps, from: entry === undefined ? { section: 0, microseconds: 0 } : clockPlace(jumps, entry) }
}

/** Returns the filter that removes the clock's jumps from the timestamps of video or audio; empty without jumps. */
export function jumpFilters(filter: 'setpts' | 'asetpts', clock: JumpingClock): string[] {
  const { jumps } = clock
  if (jumps.length === 0) return []
  if (isOrdered(jumps)) return [`${filter}='${restartingClockExpression(clock)}'`]
  const before = jumps.map((jump) => `gt(T,${secondsText(jump.atMicroseconds)})*${secondsText(jump.byMicroseconds)}`)
  // Rounded here, because `setpts` truncates fractions of the time base.
  return [`${filter}='PTS-round((${before.join('+')})/TB)'`]
}

/**
 * Returns the ffmpeg expression for a clock that restarts. It counts the jumps as they occur, because a timestamp alone does not identify
 * a position. Registers: 0 is the number of jumps so far; 1 is the previous timestamp and 2 the current one, both unwrapped and relative
 * to the start of reading; 3 is 1 after the first timestamp.
 */
function restartingClockExpression({ jumps, from }: JumpingClock): string {
  const cycle = secondsText(Math.round(CLOCK_CYCLE_MICROSECONDS))
  const begin = secondsText(from.microseconds)
  const following = jumps.slice(from.section)
  let sum = jumps.slice(0, from.section).reduce((total, { byMicroseconds }) => total + byMicroseconds, 0)
  const ends = following.map(
    ({ atMicroseconds }, place) => `eq(ld(0),${place})*(${secondsText(atMicroseconds - from.microseconds)})`,
  )
  const sums = [`eq(ld(0),0)*(${secondsText(sum)})`]
  for (const [place, { byMicroseconds }] of following.entries()) {
    sum += byMicroseconds
    sums.push(`eq(ld(0),${place + 1})*(${secondsText(sum)})`)
  }
  const isLate = `gt(ld(2),${[...ends, JUMP_AHEAD_SECONDS].join('+')})`
  const isEarly = `ld(3)*lt(ld(2),ld(1)-${JUMP_BACK_SECONDS})`
  return [
    `st(2,T-(${begin}))`,
    `st(2,ld(2)-${cycle}*round((ld(2)-ld(1))/${cycle}))`,
    `st(0,ld(0)+lt(ld(0),${following.length})*gt(${isLate}+${isEarly},0))`,
    'st(1,ld(2))',
    'st(3,1)',
    `PTS-round((T-(${begin})-ld(2)+${sums.join('+')})/TB)`,
  ].join(';')
}
