import { Semaphore } from '../../core/platform/concurrency/index.ts'
import { httpErrors } from '../errors.ts'

/**
 * Maximum number of requests of one caller that are processed at the same time. A single thread creates all replies, so a higher limit
 * would not be faster.
 */
const MAX_REQUESTS = 4

/**
 * Maximum number of these requests for which a batch of a long list is made. The values of more batches would live long enough to be moved
 * into the old generation of the heap, which grows by that.
 */
const MAX_LONG_LISTS = 2

const MAX_WAITING = 500
const MAX_WAIT_MILLISECONDS = 20_000

/** Limits the concurrent work of each caller. */
export type ConcurrencyLimit = {
  /**
   * Waits until the caller may begin one more.
   * @param signal aborts when the client has closed the connection
   * @returns the function that ends it; only its first call has an effect
   * @throws AppError `too_many_at_once` when too many requests wait, and when this one waited too long or is aborted
   */
  acquire(caller: string, signal: AbortSignal): Promise<() => void>
}

/** Four requests of each caller. */
export function createRequestLimit(): ConcurrencyLimit {
  return createConcurrencyLimit(MAX_REQUESTS)
}

/** One request of each caller. */
export function createSingleLimit(): ConcurrencyLimit {
  return createConcurrencyLimit(1)
}

/** Two batches of long lists of each caller. */
export function createLongListLimit(): ConcurrencyLimit {
  return createConcurrencyLimit(MAX_LONG_LISTS)
}

function createConcurrencyLimit(permits: number): ConcurrencyLimit {
  const semaphores = new Map<string, Semaphore>()
  return {
    async acquire(caller, signal) {
      const semaphore =
        semaphores.get(caller) ??
        new Semaphore({
          permits,
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
