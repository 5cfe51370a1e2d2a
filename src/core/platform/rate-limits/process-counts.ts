import type { Clock } from '../time/index.ts'
import type { Count } from './count.ts'

/** A key and its window are some 200 bytes: 2 MB at the most. */
const MAX_KEYS = 10_000

export type ProcessCounts = {
  /** Counts one hit of a caller; the first one opens its window. */
  countHit(key: string): Count
}

/**
 * Counts of one surface in the memory of this process, on the clock that never jumps (RL-09). Of more callers than `maxKeys` the one
 * whose window began first is forgotten: whoever has so many addresses does not need one of them twice.
 */
export function createProcessCounts(
  { clock }: { clock: Clock },
  { windowSeconds, maxKeys = MAX_KEYS }: { windowSeconds: number; maxKeys?: number },
): ProcessCounts {
  // In the order in which they began, so also in the order in which they end.
  const windows = new Map<string, { hits: number; endsAt: number }>()

  function open(key: string, now: number): { hits: number; endsAt: number } {
    windows.delete(key)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) break
      windows.delete(other)
    }
    const window = { hits: 0, endsAt: now + windowSeconds * 1000 }
    windows.set(key, window)
    return window
  }

  return {
    countHit(key) {
      const now = clock.monotonicMilliseconds()
      const kept = windows.get(key)
      const window = kept !== undefined && kept.endsAt > now ? kept : open(key, now)
      window.hits += 1
      return { hits: window.hits, millisecondsLeft: window.endsAt - now }
    },
  }
}
