import { setImmediate as nextTurn } from 'node:timers/promises'
import { yieldToRequests } from '../platform/threads/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** So long may a scan keep its thread from hearing that it is to stop, or the other scan in that thread from going on. */
const TURN_MILLISECONDS = 20

/** Awaited between two pieces of work that does not wait for anything by itself. */
export type EventLoopYielder = () => Promise<void>

/**
 * Gives the event loop back when it has been held for too long: promises that are settled already let nobody else in, so a thousand
 * names and rows would be worked through in one go.
 */
export function createEventLoopYielder(clock: Pick<Clock, 'monotonicMilliseconds'>): EventLoopYielder {
  let since = clock.monotonicMilliseconds()
  return async () => {
    yieldToRequests()
    if (clock.monotonicMilliseconds() - since < TURN_MILLISECONDS) return
    await nextTurn()
    since = clock.monotonicMilliseconds()
  }
}
