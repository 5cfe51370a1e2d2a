import { setTimeout as pause } from 'node:timers/promises'
import { acquireSessionLock, type SessionLock } from '../../platform/database/index.ts'
import { pluginErrors } from '../errors.ts'

const LOCK = 'phlix:plugins'
const WAIT_MILLISECONDS = 10_000
const POLL_MILLISECONDS = 100

/**
 * Runs a change of the installed plugins; only one process does so at a time.
 * @throws AppError `plugin_busy` after 10 s
 */
export async function withChangesLock<Result>(
  { connectionUri }: { connectionUri: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = await waitForLock(connectionUri)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function waitForLock(connectionUri: string): Promise<SessionLock> {
  for (const deadline = performance.now() + WAIT_MILLISECONDS; performance.now() < deadline;) {
    const lock = await acquireSessionLock({ connectionUri, key: LOCK })
    if (lock !== undefined) return lock
    await pause(POLL_MILLISECONDS)
  }
  throw pluginErrors.plugin_busy()
}
