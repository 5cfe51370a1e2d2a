import { Semaphore } from '../../core/platform/concurrency/index.ts'
import { httpErrors } from '../errors.ts'

/**
 * Maximum number of requests of one caller that are processed at the same time. A single thread creates all replies, so a higher limit
 * would not be faster.
 */
const MAX_CONCURRENT = 4
const MAX_WAITING = 500
const MAX_WAIT_MILLISECONDS = 20_000

/** Limits the concurrent requests of each caller. */
export type ConcurrencyLimit = {
  /**
   * Waits until the caller may have one more request.
   * @param signal aborts when the client has closed the connection
   * @returns the function that ends the request; only its first call has an effect
   * @throws AppError `too_many_at_once` when too many requests wait, and when this one waited too long or is aborted
   */
  acquire(caller: string, signal: AbortSignal): Promise<() => void>
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const semaphores = new Map<string, Semaphore>()
  return {
    async acquire(caller, signal) {
      const semaphore =
        semaphores.get(caller) ??
        new Semaphore({
          permits: MAX_CONCURRENT,
          maxWaiting: MAX_WAITING,
          maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
          refusal: () => httpErrors.too_many_at_once(),
        })
      semaphores.set(caller, semaphore)
      const release = await acquireUnlessLeft(semaphore, signal)
      return () => {
        release()
        if (semaphore.isIdle) semaphores.delete(caller)
      }
    },
  }
}

async function acquireUnlessLeft(semaphore: Semaphore, signal: AbortSignal): Promise<() => void> {
  try {
    return await semaphore.acquire(signal)
  } catch (error) {
    throw signal.aborted ? httpErrors.too_many_at_once() : error
  }
}
