import type { Clock } from '../platform/time/index.ts'

/**
 * Creates the time base of players: milliseconds since 1970 that never jump, even if the clock of the machine is set. Fractions of a millisecond
 * are kept.
 */
export function createServerTime(clock: Pick<Clock, 'now' | 'monotonicMilliseconds'>): () => number {
  const start = clock.now().getTime() - clock.monotonicMilliseconds()
  return () => start + clock.monotonicMilliseconds()
}
