import { Semaphore } from '../../platform/concurrency/index.ts'
import { MAX_STREAMS_PER_TUNNEL } from '../../relay-protocol/index.ts'
import { relayErrors } from '../errors.ts'

/** Limits the requests that run at the same time. */
export type ViewerStreamSlots = {
  /**
   * Acquires one slot of the user and one of the server. A request above the limit waits up to 20 s before it is refused, because a page
   * loads many pictures at once.
   * @returns a function that releases both slots; later calls do nothing
   * @throws AppError `stream.limit`; the signal's reason
   */
  take(input: { userId: string; serverId: string }, signal: AbortSignal): Promise<() => void>
  /** Number of running requests. */
  running(): number
}

/** Maximum number of waiting requests per user and per server. */
const MAX_WAITING = 1000

const MAX_WAIT_MILLISECONDS = 20_000

/** @param perUser streams of one user, summed over all servers */
export function createViewerStreamSlots({ perUser }: { perUser: number }): ViewerStreamSlots {
  const users = createSlots({ permits: perUser, holder: 'user' })
  const servers = createSlots({ permits: MAX_STREAMS_PER_TUNNEL, holder: 'server' })
  let running = 0
  return {
    async take({ userId, serverId }, signal) {
      const releaseUser = await users(userId, signal)
      try {
        const releaseServer = await servers(serverId, signal)
        running += 1
        let isHeld = true
        return () => {
          if (!isHeld) return
          isHeld = false
          running -= 1
          releaseServer()
          releaseUser()
        }
      } catch (error) {
        releaseUser()
        throw error
      }
    },
    running: () => running,
  }
}

type Acquire = (key: string, signal: AbortSignal) => Promise<() => void>

/** One semaphore per key. It is removed when nobody holds it or waits for it. */
function createSlots({ permits, holder }: { permits: number; holder: string }): Acquire {
  const semaphores = new Map<string, { semaphore: Semaphore; users: number }>()
  const refusal = (): Error =>
    relayErrors.stream_limit({ message: `At most ${permits} requests for each ${holder} at the same time.` })
  return async (key, signal) => {
    const entry = semaphores.get(key) ?? {
      semaphore: new Semaphore({
        permits,
        maxWaiting: MAX_WAITING,
        maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
        refusal,
      }),
      users: 0,
    }
    semaphores.set(key, entry)
    entry.users += 1
    const leave = (): void => {
      entry.users -= 1
      if (entry.users === 0) semaphores.delete(key)
    }
    try {
      const release = await entry.semaphore.acquire(signal)
      return () => {
        release()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}
