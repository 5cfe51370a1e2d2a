import {
  acquireSessionLock,
  isSessionLockHeld,
  listSessionLockHolders,
  type SessionLock,
} from './platform/database/index.ts'
import { describeError } from './platform/errors/index.ts'
import type { Logger } from './platform/logging/index.ts'

/** Held in shared mode by every daemon of a database. */
const DAEMON_LOCK = 'phlix:daemon'

/** Whether a daemon is running on this database; then commands queue jobs instead of running them. */
export function isDaemonRunning({ connectionUri }: { connectionUri: string }): Promise<boolean> {
  return isSessionLockHeld({ connectionUri, key: DAEMON_LOCK })
}

/** The database processes of the daemons of this database, oldest first. */
export function listDaemonProcesses({ connectionUri }: { connectionUri: string }): Promise<number[]> {
  return listSessionLockHolders({ connectionUri, key: DAEMON_LOCK })
}

/** Takes the daemon lock. If its connection breaks (an engine restart), the lock is taken again, until `release`. */
export async function keepDaemonLock({
  connectionUri,
  log,
}: {
  connectionUri: string
  log: Logger
}): Promise<{ release(): Promise<void> }> {
  let held: SessionLock | undefined
  let isReleased = false
  const take = async (): Promise<void> => {
    while (!isReleased) {
      try {
        held = await acquireSessionLock({ connectionUri, key: DAEMON_LOCK, mode: 'shared' })
        held?.onLost(() => void take())
        if (held !== undefined) return
      } catch (error) {
        log.warning(
          { reason: describeError(error) },
          'the lock that marks the database as used by a server could not be taken',
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
  await take()
  return {
    async release() {
      isReleased = true
      await held?.release()
    },
  }
}
