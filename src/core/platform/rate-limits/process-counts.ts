import { LRUCache } from 'lru-cache'
import type { Clock } from '../time/index.ts'
import type { WindowCount } from './window-count.ts'

/** A key and its window take about 200 bytes: 2 MB at most. */
const MAX_KEYS = 10_000

export type ProcessCounts = {
  /** Counts one hit of a key; the first one opens its window. */
  countHit(key: string): WindowCount
}

/**
 * Rate limit counters of one surface in the memory of this process, on the monotonic clock. When there are more than `maxKeys` keys, the
 * key with the oldest window is evicted. This does not weaken the limit: a caller with so many addresses is not stopped by the counter of
 * one address.
 */
export function createProcessCounts(
  { clock }: { clock: Clock },
  { windowSeconds, maxKeys = MAX_KEYS }: { windowSeconds: number; maxKeys?: number },
): ProcessCounts {
  // Read with `peek`, which does not count as use: the windows stay in the order of their start, and therefore of their end.
  const windows = new LRUCache<string, { hits: number; endsAt: number }>({ max: maxKeys })

  function open(key: string, now: number): { hits: number; endsAt: number } {
    const window = { hits: 0, endsAt: now + windowSeconds * 1000 }
    windows.set(key, window)
    return window
  }

  return {
    countHit(key) {
      const now = clock.monotonicMilliseconds()
      const kept = windows.peek(key)
      const window = kept !== undefined && kept.endsAt > now ? kept : open(key, now)
      window.hits += 1
      return { hits: window.hits, millisecondsLeft: window.endsAt - now }
    },
  }
}
