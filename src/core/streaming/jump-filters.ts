import type { ClockJump } from '../probing/index.ts'
import { CLOCK_CYCLE_MICROSECONDS, clockPlace, isOrdered, type ClockPlace } from './clock-restarts.ts'
import { secondsText } from './segment-timeline.ts'
import type { StreamJob } from './stream-job.ts'

/** The clock has jumped ahead where frames or sound are so much later than the picture before the jump ends. */
const LATE_SECONDS = 5
/** It has jumped back where they are so much earlier than those before them. */
const EARLY_SECONDS = 1

/** The jumps of a file's clock, and where a process begins to read. */
export type JumpingClock = Readonly<{ jumps: readonly ClockJump[]; from: ClockPlace }>

/** The clock of a file for a process that reads from its start, or from an entry. */
export function jumpingClock(
  { jumps }: Pick<StreamJob['source'], 'jumps'>,
  entry: { microseconds: number } | undefined,
): JumpingClock {
  return { jumps, from: entry === undefined ? { section: 0, microseconds: 0 } : clockPlace(jumps, entry) }
}

/** The filter that takes the jumps of the file's clock out of the times of frames or sound; none where there are no jumps. */
export function jumpFilters(filter: 'setpts' | 'asetpts', clock: JumpingClock): string[] {
  const { jumps } = clock
  if (jumps.length === 0) return []
  if (isOrdered(jumps)) return [`${filter}='${inOrder(clock)}'`]
  const before = jumps.map((jump) => `gt(T,${secondsText(jump.atMicroseconds)})*${secondsText(jump.byMicroseconds)}`)
  // The filter cuts off what is less than a unit.
  return [`${filter}='PTS-round((${before.join('+')})/TB)'`]
}

/**
 * Of a clock that restarts: counts the jumps as they come by. Register 0 holds how many, register 1 the time before and register 2 this
 * time, both counted from the place where reading begins and on its cycle of the clock, register 3 whether there is a time before.
 */
function inOrder({ jumps, from }: JumpingClock): string {
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
  const isLate = `gt(ld(2),${[...ends, LATE_SECONDS].join('+')})`
  const isEarly = `ld(3)*lt(ld(2),ld(1)-${EARLY_SECONDS})`
  return [
    `st(2,T-(${begin}))`,
    `st(2,ld(2)-${cycle}*round((ld(2)-ld(1))/${cycle}))`,
    `st(0,ld(0)+lt(ld(0),${following.length})*gt(${isLate}+${isEarly},0))`,
    'st(1,ld(2))',
    'st(3,1)',
    `PTS-round((T-(${begin})-ld(2)+${sums.join('+')})/TB)`,
  ].join(';')
}
