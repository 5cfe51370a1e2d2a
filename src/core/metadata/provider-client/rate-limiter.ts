import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../platform/time/index.ts'

/** Limits the average rate of requests to one provider from this process; short bursts are permitted. */
export type RateLimiter = {
  /** Waits for the next permit. @throws the reason of the signal */
  take(signal: AbortSignal): Promise<void>
  /** Grants no permit during this time, because the provider has requested a pause. */
  hold(milliseconds: number): void
}

export type RateLimiterOptions = {
  clock: Pick<Clock, 'monotonicMilliseconds'>
  perSecond: number
  /** The function that waits. Default: timers. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * A token bucket with the permits of one second. The time of a permit is determined when it is requested, so that later requests do not
 * overtake waiting ones (generic cell rate algorithm, ITU-T I.371).
 */
export function createRateLimiter({ clock, perSecond, wait = waitFor }: RateLimiterOptions): RateLimiter {
  const interval = 1000 / perSecond
  const burst = 1000 - interval
  let nextMilliseconds = Number.NEGATIVE_INFINITY
  let heldUntilMilliseconds = 0
  let holds = 0
  return {
    async take(signal) {
      signal.throwIfAborted()
      const now = clock.monotonicMilliseconds()
      const permitAt = Math.max(nextMilliseconds, now - burst)
      nextMilliseconds = permitAt + interval
      if (permitAt > now) await wait(permitAt - now, signal)
      // Requests that were already waiting when the provider requested a pause also wait for its end.
      for (let observedHolds = 0; observedHolds < holds;) {
        observedHolds = holds
        const left = heldUntilMilliseconds - clock.monotonicMilliseconds()
        if (left > 0) await wait(left, signal)
      }
    },
    hold(milliseconds) {
      heldUntilMilliseconds = Math.max(heldUntilMilliseconds, clock.monotonicMilliseconds() + milliseconds)
      holds += 1
    },
  }
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal })
}
