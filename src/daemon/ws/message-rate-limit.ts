import type { Clock } from '../../core/platform/time/index.ts'

const MESSAGES_PER_SECOND = 20
const MAX_STRIKES = 3

export type MessageRateLimit = {
  /** Counts one message: `fine`, `too_many`, or `exhausted` for the third violation. */
  take(): 'fine' | 'too_many' | 'exhausted'
}

/** Creates a token bucket of 20 messages, refilled with 20 per second. Violations are reset when it is full again. */
export function createMessageRateLimit(clock: Pick<Clock, 'monotonicMilliseconds'>): MessageRateLimit {
  let [left, strikes, filledAt] = [MESSAGES_PER_SECOND, 0, clock.monotonicMilliseconds()]
  return {
    take() {
      const now = clock.monotonicMilliseconds()
      left = Math.min(MESSAGES_PER_SECOND, left + ((now - filledAt) / 1000) * MESSAGES_PER_SECOND)
      filledAt = now
      if (left === MESSAGES_PER_SECOND) strikes = 0
      if (left >= 1) {
        left -= 1
        return 'fine'
      }
      strikes += 1
      return strikes < MAX_STRIKES ? 'too_many' : 'exhausted'
    },
  }
}
