import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../platform/time/index.ts'

/** Lets requests through at an even rate; for one provider, in this process. */
export type RateLimiter = {
  /** Waits for a turn. @throws the signal's reason */
  take(signal: AbortSignal): Promise<void>
  /** Nobody gets a turn for so long: the provider asked for it. */
  hold(milliseconds: number): void
}

export type RateLimiterInput = {
  clock: Pick<Clock, 'monotonicMilliseconds'>
  perSecond: number
  /** Waits; timers unless said. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * A token bucket that holds a second's worth of turns. Each turn is given its moment when it is asked for, so a waiting one is never
 * overtaken (generic cell rate algorithm, ITU-T I.371).
 */
export function createRateLimiter({ clock, perSecond, wait = waitFor }: RateLimiterInput): RateLimiter {
  const interval = 1000 / perSecond
  const burst = 1000 - interval
  let nextMilliseconds = Number.NEGATIVE_INFINITY
  let heldUntilMilliseconds = 0
  let holds = 0
  return {
    async take(signal) {
      signal.throwIfAborted()
      const now = clock.monotonicMilliseconds()
      const turn = Math.max(nextMilliseconds, now - burst)
      nextMilliseconds = turn + interval
      if (turn > now) await wait(turn - now, signal)
      // Those that waited for their turn when the provider asked for a pause wait for its end too.
      for (let seen = 0; seen < holds;) {
        seen = holds
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
