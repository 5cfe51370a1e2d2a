import { setTimeout as pause } from 'node:timers/promises'
import { acquireSessionLock, type SessionLock } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'

const PAUSE_MILLISECONDS = 200

/** More than `acquisition.timeout_seconds` may be. */
const MAX_WAIT_MILLISECONDS = 150_000

/**
 * Runs a decision about one request while nobody else, in this process or another, decides the same one: an approval asks another
 * program, and must neither be sent twice nor be overtaken by a refusal. The hold is a database session, so it ends with a process that
 * is killed, and the request is pending as before.
 * @throws AppError `request_busy`, `database_unavailable`, and what the work throws
 */
export async function withRequestLock<T>(
  { connectionUri }: { connectionUri: string },
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  const hold = await waitForHold({ connectionUri, key: `phlix:request:${id.toLowerCase()}` })
  try {
    return await work()
  } finally {
    await hold.release()
  }
}

async function waitForHold(input: { connectionUri: string; key: string }): Promise<SessionLock> {
  for (let waited = 0; waited < MAX_WAIT_MILLISECONDS; waited += PAUSE_MILLISECONDS) {
    const hold = await acquireSessionLock(input)
    if (hold !== undefined) return hold
    await pause(PAUSE_MILLISECONDS)
  }
  throw requestErrors.request_busy()
}
