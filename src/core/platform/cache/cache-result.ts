import type { Clock } from '../time/index.ts'

/** Wraps a read so that its result is used for a time. Concurrent callers share one read; a failure is not cached. */
export function cacheResult<Result>(
  clock: Pick<Clock, 'monotonicMilliseconds'>,
  milliseconds: number,
  read: () => Promise<Result>,
): () => Promise<Result> {
  let last: { at: number; result: Promise<Result> } | undefined
  return () => {
    const now = clock.monotonicMilliseconds()
    if (last !== undefined && now - last.at < milliseconds) return last.result
    const result = read()
    const taken = { at: now, result }
    last = taken
    result.catch(() => {
      if (last === taken) last = undefined
    })
    return result
  }
}
