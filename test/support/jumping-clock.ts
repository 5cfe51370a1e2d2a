import type { Clock } from '../../src/core/platform/time/index.ts'

/** A clock whose wall time tests can set, and whose monotonic time is not affected. */
export type JumpingClock = Clock & {
  /** Sets the wall clock to a time, or changes it by seconds. */
  set(time: string | number): void
  /** Advances both clocks. */
  advance(seconds: number): void
}

/** The time of this clock changes only when a test sets it. */
export function jumpingClock(start: string): JumpingClock {
  let wall = Date.parse(start)
  let monotonic = 1_000_000
  return {
    now: () => new Date(wall),
    unixSeconds: () => Math.floor(wall / 1000),
    monotonicMilliseconds: () => monotonic,
    set: (time) => {
      wall = typeof time === 'string' ? Date.parse(time) : wall + time * 1000
    },
    advance: (seconds) => {
      wall += seconds * 1000
      monotonic += seconds * 1000
    },
  }
}

export type Jump = { name: string; to: string | number }

/** In the order in which they may follow each other. */
export const JUMPS: readonly Jump[] = [
  { name: '+1 h', to: 3600 },
  { name: '-2 h', to: -7200 },
  { name: 'the beginning of summer time', to: '2027-03-28T00:59:58.000Z' },
  { name: 'a leap day', to: '2028-02-29T23:59:59.000Z' },
  { name: 'beyond 2038', to: '2038-01-20T00:00:00.000Z' },
  { name: '1970', to: '1970-01-02T00:00:00.000Z' },
  { name: 'back to now', to: '2026-10-24T12:00:00.000Z' },
]
