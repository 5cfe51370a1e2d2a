/** The only source of wall-clock time, so that tests can move it. */
export type Clock = {
  /** Current time as a Date. */
  now(): Date
  /** Current time in whole Unix seconds. */
  unixSeconds(): number
  /** Milliseconds of a clock that never jumps; only differences mean anything. */
  monotonicMilliseconds(): number
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  unixSeconds: () => Math.floor(Date.now() / 1000),
  monotonicMilliseconds: () => performance.now(),
}
