import type { Clock } from '../../core/platform/time/index.ts'

const MESSAGES_PER_SECOND = 20
const MAX_STRIKES = 3

/** A store of messages that refills with time. */
export type TokenBucket = {
  /** Takes one message; false if there is none left. */
  take(): boolean
  isFull(): boolean
}

/** Creates a full bucket of `size` messages, refilled with `perSecond`. */
export function createTokenBucket(
  clock: Pick<Clock, 'monotonicMilliseconds'>,
  { perSecond, size }: { perSecond: number; size: number },
): TokenBucket {
  let [left, filledAt] = [size, clock.monotonicMilliseconds()]

  function fill(): void {
    const now = clock.monotonicMilliseconds()
    left = Math.min(size, left + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
  }

  return {
    isFull() {
      fill()
      return left === size
    },
    take() {
      fill()
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}

/** Limits the messages of one connection. */
export type MessageRateLimit = {
  /** Counts one message: `fine`, `too_many`, or `exhausted` for the third violation. */
  take(): 'fine' | 'too_many' | 'exhausted'
}

/**
 * Limits a connection to 20 messages a second, and to what its account has left. Violations are reset when the connection has sent so little
 * that its own bucket is full again.
 * @param account the bucket that all connections of the account share
 */
export function createMessageRateLimit(
  clock: Pick<Clock, 'monotonicMilliseconds'>,
  account: Pick<TokenBucket, 'take'>,
): MessageRateLimit {
  const own = createTokenBucket(clock, { perSecond: MESSAGES_PER_SECOND, size: MESSAGES_PER_SECOND })
  let strikes = 0
  return {
    take() {
      if (own.isFull()) strikes = 0
      if (own.take() && account.take()) return 'fine'
      strikes += 1
      return strikes < MAX_STRIKES ? 'too_many' : 'exhausted'
    },
  }
}
