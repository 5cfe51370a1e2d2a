import { setImmediate as nextLoopIteration } from 'node:timers/promises'
import type { BackgroundThrottle } from '../../platform/threads/index.ts'
import type { Clock } from '../../platform/time/index.ts'

/** Maximum time that a scan blocks its thread, which delays stop requests and the other scan in the same thread. */
const MAX_BLOCKING_MILLISECONDS = 20

/** Awaited between two pieces of synchronous work. */
export type EventLoopYielder = () => Promise<void>

/**
 * Yields the event loop if it has been blocked for too long. Settled promises do not yield, so a thousand names and rows would otherwise
 * be processed without interruption.
 */
export function createEventLoopYielder({
  clock,
  throttle,
}: {
  clock: Pick<Clock, 'monotonicMilliseconds'>
  throttle: Pick<BackgroundThrottle, 'yieldToRequests'>
}): EventLoopYielder {
  let since = clock.monotonicMilliseconds()
  return async () => {
    throttle.yieldToRequests()
    if (clock.monotonicMilliseconds() - since < MAX_BLOCKING_MILLISECONDS) return
    await nextLoopIteration()
    since = clock.monotonicMilliseconds()
  }
}
