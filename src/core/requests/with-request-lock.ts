import { setTimeout as pause } from 'node:timers/promises'
import { acquireSessionLock, type SessionLock } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'

const PAUSE_MILLISECONDS = 200

/** Above the maximum of `acquisition.timeout_seconds`. */
const MAX_WAIT_MILLISECONDS = 150_000

/**
 * Serialises decisions about one request over all processes: an approval calls another program, and must neither be sent twice nor be
 * overtaken by a denial. The lock is a database session, so that it ends with a killed process, and the request remains pending.
 * @throws AppError `request_busy`, `database_unavailable`, and the errors of the work
 */
export async function withRequestLock<T>(
  { connectionUri }: { connectionUri: string },
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await waitForLock({ connectionUri, key: `phlix:request:${id.toLowerCase()}` })
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function waitForLock(input: { connectionUri: string; key: string }): Promise<SessionLock> {
  for (let waited = 0; waited < MAX_WAIT_MILLISECONDS; waited += PAUSE_MILLISECONDS) {
    const lock = await acquireSessionLock(input)
    if (lock !== undefined) return lock
    await pause(PAUSE_MILLISECONDS)
  }
  throw requestErrors.request_busy()
}
