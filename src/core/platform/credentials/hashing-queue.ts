import { Semaphore } from '../concurrency/index.ts'
import { credentialErrors } from './errors.ts'

/** The position of a caller in the queue of password hashing. */
export type HashingTurn = {
  /** The client whose share of the queue is used; undefined for the command line, which has no other callers. */
  client?: string | undefined
  /** Removes the caller from the queue; work that has started continues. */
  signal?: AbortSignal | undefined
}

type Limits = { concurrent: number; maxWaiting: number; maxWaitingOfClient: number }

/**
 * A hash takes 19 MiB and one thread of Node's small pool: more at a time would delay file access. A hash takes some 50 ms, so that the
 * last caller of the queue waits for about two seconds.
 */
const LIMITS: Limits = { concurrent: 2, maxWaiting: 64, maxWaitingOfClient: 16 }

/** Runs work that hashes passwords, some at a time, first come, first served. */
export type HashingQueue = <Result>(work: () => Promise<Result>, turn?: HashingTurn) => Promise<Result>

/**
 * Creates a queue that is bounded as a whole and for each client: the wait of a login is limited by the length of the queue, and many
 * requests of one address leave room for others. A process has one queue. Work must not queue further work and wait for it: it would wait
 * for itself. The queue throws AppError `sign_in_busy` when it is full, and `login_abandoned` when the signal aborts before the work
 * starts.
 */
export function createHashingQueue({ concurrent, maxWaiting, maxWaitingOfClient }: Limits = LIMITS): HashingQueue {
  const busy = (): Error => credentialErrors.sign_in_busy({ retryAfterSeconds: RETRY_AFTER_SECONDS })
  const semaphore = new Semaphore({ permits: concurrent, maxWaiting, refusal: busy })
  const waitingByClient = new Map<string, number>()

  /** Counts a waiting caller until what is returned is called. */
  function countWaiting(client: string): () => void {
    const count = waitingByClient.get(client) ?? 0
    if (count >= maxWaitingOfClient) throw busy()
    waitingByClient.set(client, count + 1)
    return () => {
      const left = (waitingByClient.get(client) ?? 1) - 1
      if (left === 0) waitingByClient.delete(client)
      else waitingByClient.set(client, left)
    }
  }

  return async (work, { client, signal } = {}) => {
    let hasStarted = false
    const stopCounting = client === undefined || !semaphore.isFull ? undefined : countWaiting(client)
    try {
      return await semaphore.run(() => {
        hasStarted = true
        stopCounting?.()
        return work()
      }, signal)
    } catch (error) {
      if (hasStarted) throw error
      stopCounting?.()
      throw signal?.aborted === true ? credentialErrors.login_abandoned() : error
    }
  }
}

const RETRY_AFTER_SECONDS = 2
