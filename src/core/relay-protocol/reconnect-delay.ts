const FIRST_MILLISECONDS = 1000
const LONGEST_MILLISECONDS = 60_000

/** A tunnel that has been open for this time counts as successful: the next delay is short again. */
export const STABLE_MILLISECONDS = 60_000

/**
 * The wait before a connection to the hub: a random part of a limit that doubles from 1 s to 60 s ("full jitter"), so that the servers do
 * not all connect at the same time after a restart of the hub.
 * @param failures the failed attempts since the last success, at least 0
 * @param fraction a random number from 0 (inclusive) to 1 (exclusive)
 * @returns milliseconds
 */
export function reconnectDelay({ failures, fraction }: { failures: number; fraction: number }): number {
  const limit = Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** Math.min(failures, 10))
  return Math.round(limit * fraction)
}
