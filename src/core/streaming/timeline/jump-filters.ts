import type { ClockJump } from '../../probing/index.ts'
import { CLOCK_CYCLE_MICROSECONDS, clockStateAt, isRestartingClock, type ClockState } from './clock-restarts.ts'
import { formatMicrosecondsAsSeconds } from './segment-timeline.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

/** A timestamp that is later than the expected end of a section by more than this means that the clock has jumped ahead. */
const JUMP_AHEAD_SECONDS = 5
/** A timestamp that is earlier than the previous one by more than this means that the clock has jumped back. */
const JUMP_BACK_SECONDS = 1

/** The jumps of a file's clock, and where a process begins to read. */
export type JumpingClock = Readonly<{ jumps: readonly ClockJump[]; from: ClockState }>

/** Returns the clock for an ffmpeg process that reads the file from its start, or from an entry (a key frame where reading may begin). */
export function createJumpingClock(
  { jumps }: Pick<StreamPlan['source'], 'jumps'>,
  entry: { microseconds: number } | undefined,
): JumpingClock {
  return { jumps, from: entry === undefined ? { section: 0, microseconds: 0 } : clockStateAt(jumps, entry) }
}

/** Returns the filter that removes the clock's jumps from the timestamps of video or audio; empty without jumps. */
export function clockJumpFilters(filter: 'setpts' | 'asetpts', clock: JumpingClock): string[] {
  const { jumps } = clock
  if (jumps.length === 0) return []
  if (isRestartingClock(jumps)) return [`${filter}='${restartingClockExpression(clock)}'`]
  const shifts = jumps.map(
    (jump) =>
      `gt(T,${formatMicrosecondsAsSeconds(jump.atMicroseconds)})*${formatMicrosecondsAsSeconds(jump.byMicroseconds)}`,
  )
  // Rounded here, because `setpts` truncates fractions of the time base.
  return [`${filter}='PTS-round((${shifts.join('+')})/TB)'`]
}

/** The registers of the expression: ffmpeg keeps them from frame to frame, initially 0. */
const REGISTERS = {
  /** The number of jumps so far. */
  jumps: 0,
  /** The previous timestamp, unwrapped, in seconds after the start of reading. */
  previous: 1,
  /** The current timestamp, in the same form. */
  current: 2,
  /** 1 after the first timestamp. */
  hasPrevious: 3,
} as const

type Register = keyof typeof REGISTERS

function load(register: Register): string {
  return `ld(${REGISTERS[register]})`
}

function store(register: Register, value: string): string {
  return `st(${REGISTERS[register]},${value})`
}

/**
 * Terms whose sum is the value for the number of jumps so far: `eq(ld(0),0)*(10)` and `eq(ld(0),1)*(25)` are 10 before the first jump and
 * 25 after it.
 */
function termsByJumps(seconds: readonly string[]): string[] {
  return seconds.map((value, jumps) => `eq(${load('jumps')},${jumps})*(${value})`)
}

/**
 * Returns the ffmpeg expression for a clock that restarts. It counts the jumps as they occur, because a timestamp alone does not identify
 * a position. A jump has occurred if a timestamp is later than the end of its section or earlier than its predecessor.
 */
function restartingClockExpression({ jumps, from }: JumpingClock): string {
  const cycle = formatMicrosecondsAsSeconds(Math.round(CLOCK_CYCLE_MICROSECONDS))
  const start = formatMicrosecondsAsSeconds(from.microseconds)
  const jumpsAhead = jumps.slice(from.section)
  const sectionEnds = jumpsAhead.map(({ atMicroseconds }) =>
    formatMicrosecondsAsSeconds(atMicroseconds - from.microseconds),
  )
  const sectionShifts = [...jumps.keys(), jumps.length]
    .slice(from.section)
    .map((count) => formatMicrosecondsAsSeconds(totalShift(jumps.slice(0, count))))
  const latest = [...termsByJumps(sectionEnds), JUMP_AHEAD_SECONDS].join('+')
  const isLate = `gt(${load('current')},${latest})`
  const isEarly = `${load('hasPrevious')}*lt(${load('current')},${load('previous')}-${JUMP_BACK_SECONDS})`
  const hasJumpsAhead = `lt(${load('jumps')},${jumpsAhead.length})`
  return [
    store('current', `T-(${start})`),
    // Unwraps the clock: the cycle nearest to the previous timestamp.
    store('current', `${load('current')}-${cycle}*round((${load('current')}-${load('previous')})/${cycle})`),
    store('jumps', `${load('jumps')}+${hasJumpsAhead}*gt(${isLate}+${isEarly},0)`),
    store('previous', load('current')),
    store('hasPrevious', '1'),
    `PTS-round((T-(${start})-${load('current')}+${termsByJumps(sectionShifts).join('+')})/TB)`,
  ].join(';')
}

function totalShift(jumps: readonly ClockJump[]): number {
  return jumps.reduce((total, { byMicroseconds }) => total + byMicroseconds, 0)
}
