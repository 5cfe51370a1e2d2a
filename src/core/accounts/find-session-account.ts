import { createBatchLoader, type Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Session } from './session.ts'
import type { SignedInAccount } from './account.ts'
import { updateLastUse } from './queries/devices.ts'
import { selectSessionAccounts } from './queries/sessions.ts'

/**
 * Returns the account of an active session with its profile, including disabled accounts. Undefined for an ended session (logout, new
 * password, reuse of a refresh token), for a session of another account, and if the profile of the session has changed. Both ids are UUIDs.
 * @param session.epoch that of the token; absent: the session may have any profile
 * @param session.usedFrom address of the client if a request uses the session, null if it is unknown; stored with the time at most once a
 * minute, so that requests do not write
 */
export type FindSessionAccount = (
  session: Session & { epoch?: number | undefined; usedFrom?: string | null | undefined },
) => Promise<SignedInAccount | undefined>

const WRITE_INTERVAL_MILLISECONDS = 60_000

type Dependencies = { db: Database; clock: Clock; log: Logger }

/**
 * Creates the reader of session accounts. It runs for every request, so concurrent requests share a query, which starts after the last of
 * them.
 */
export function createFindSessionAccount({ db, clock, log }: Dependencies): FindSessionAccount {
  const read = createBatchLoader((ids: string[]) => selectSessionAccounts(db, ids))
  const writing = new Set<string>()

  async function writeUse(sessionId: string, address: string | null): Promise<void> {
    const now = clock.now()
    const before = new Date(now.getTime() - WRITE_INTERVAL_MILLISECONDS)
    writing.add(sessionId)
    try {
      await updateLastUse(db, { sessionId, address, now, before })
    } catch (error) {
      // The request does not depend on it.
      log.warning({ sessionId, reason: describeError(error) }, 'the last use of a session was not stored')
    } finally {
      writing.delete(sessionId)
    }
  }

  return async ({ accountId, sessionId, epoch, usedFrom }) => {
    const found = await read(sessionId.toLowerCase())
    if (found?.account.id !== accountId.toLowerCase()) return undefined
    if (epoch !== undefined && found.account.epoch !== epoch) return undefined
    const isDue = clock.now().getTime() - found.lastUsedAt.getTime() >= WRITE_INTERVAL_MILLISECONDS
    if (isDue && usedFrom !== undefined && !writing.has(sessionId)) await writeUse(sessionId, usedFrom)
    return found.account
  }
}
