import { accountErrors } from './errors.ts'

/** Who waits for a turn at hashing. */
export type HashingTurn = {
  /** Whose share of the queue it takes; undefined for the command line, which has no other callers. */
  client?: string | undefined
  /** Leaves the queue when it fires; work that has begun goes on. */
  signal?: AbortSignal | undefined
}

type Limits = { concurrent: number; maxWaiting: number; maxWaitingOfClient: number }
type Waiting = { client: string | undefined; begin: () => void }

/** Does work that hashes, some at a time, first come, first served. */
export type HashingQueue = <Result>(work: () => Promise<Result>, turn?: HashingTurn) => Promise<Result>

/**
 * A queue that is bounded as a whole and for each client: a flood of logins makes a real one wait for no more than the queue holds, and
 * the flood of one address leaves places to others. Work that queues other work inside of its own would wait for itself.
 * Its calls throw AppError `sign_in_busy` where there is no place, and `login_abandoned` when the signal fires before their turn.
 */
export function createHashingQueue({ concurrent, maxWaiting, maxWaitingOfClient }: Limits): HashingQueue {
  const waiting: Waiting[] = []
  let running = 0

  function refuseWhenFull(client: string | undefined): void {
    const own = client === undefined ? 0 : waiting.filter((other) => other.client === client).length
    if (waiting.length >= maxWaiting || own >= maxWaitingOfClient) {
      throw accountErrors.sign_in_busy({ retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
  }

  function wait({ client, signal }: HashingTurn): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(accountErrors.login_abandoned())
    }
    const begin = (): void => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const entry = { client, begin }
    waiting.push(entry)
    signal?.addEventListener('abort', leave, { once: true })
    return promise
  }

  return async (work, turn = {}) => {
    if (turn.signal?.aborted === true) throw accountErrors.login_abandoned()
    if (running < concurrent) running += 1
    else {
      refuseWhenFull(turn.client)
      // The place of the one that ends is handed over, so `running` does not change.
      await wait(turn)
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next.begin()
    }
  }
}

const RETRY_AFTER_SECONDS = 2

/**
 * The one queue of this process. A hash takes 19 MiB and one thread of Node's small pool: more at a time would starve file access
 * (PW-07). A hash takes some 50 ms, so that the last of the queue waits for about two seconds.
 */
export const queueHashing = createHashingQueue({ concurrent: 2, maxWaiting: 64, maxWaitingOfClient: 16 })
