/** The only source of the time, so that tests can control it. */
export type Clock = {
  /** Current time as a Date. */
  now(): Date
  /** Current time in whole Unix seconds. */
  unixSeconds(): number
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  monotonicMilliseconds(): number
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => new Date(),
  unixSeconds: () => Math.floor(Date.now() / 1000),
  monotonicMilliseconds: () => performance.now(),
}
