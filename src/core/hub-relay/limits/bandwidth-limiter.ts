import type { Clock } from '../../platform/time/index.ts'

/** Limits the rate of one user, over all streams of the user (a token bucket). */
export type BandwidthLimiter = {
  /**
   * Records bytes that were sent.
   * @returns milliseconds until more may be sent; 0 at once
   */
  spend(bytes: number): number
}

/** Size of the bucket, as the time in which it fills. */
const BURST_SECONDS = 1

/** @param bytesPerSecond more than 0 */
export function createBandwidthLimiter({
  bytesPerSecond,
  clock,
}: {
  bytesPerSecond: number
  clock: Clock
}): BandwidthLimiter {
  const burst = bytesPerSecond * BURST_SECONDS
  let left = burst
  let countedAt = clock.monotonicMilliseconds()
  return {
    spend(bytes) {
      const now = clock.monotonicMilliseconds()
      left = Math.min(burst, left + ((now - countedAt) / 1000) * bytesPerSecond) - bytes
      countedAt = now
      return left >= 0 ? 0 : Math.ceil((-left / bytesPerSecond) * 1000)
    },
  }
}

/** The limits of the users that have streams now. */
export type BandwidthLimiters = {
  /** @returns the limit of a user, which its streams share; undefined if there is none */
  of(userId: string): BandwidthLimiter | undefined
}

/**
 * @param bytesPerSecond 0: no limit
 * @param maxUsers users whose state is kept; the one that came first is forgotten, and begins again with a full bucket
 */
export function createBandwidthLimiters(input: {
  bytesPerSecond: number
  clock: Clock
  maxUsers?: number
}): BandwidthLimiters {
  const { bytesPerSecond, clock, maxUsers = 10_000 } = input
  const users = new Map<string, BandwidthLimiter>()
  return {
    of(userId) {
      if (bytesPerSecond === 0) return undefined
      const known = users.get(userId) ?? createBandwidthLimiter({ bytesPerSecond, clock })
      users.set(userId, known)
      const [oldest] = users.keys()
      if (users.size > maxUsers && oldest !== undefined) users.delete(oldest)
      return known
    },
  }
}
