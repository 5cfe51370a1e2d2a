const FIRST_PAUSE_MILLISECONDS = 1000
const MAX_PAUSE_MILLISECONDS = 300_000

/** How long a stored event waits after a failed delivery: 1 s, doubling up to 5 minutes. */
export function eventRetryDelayMilliseconds(attempts: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(attempts, 20), MAX_PAUSE_MILLISECONDS)
}
