import { isRowId, type Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { accountErrors } from './errors.ts'
import { findSessionOwner, selectLoginSessions, type LoginSession } from './queries/sessions.ts'
import { revokeSessionsAndDevices } from './revoke-sessions.ts'

export type { LoginSession } from './queries/sessions.ts'

/** The active sessions of an account, or of all; the last used first. */
export async function listLoginSessions(
  { db, clock }: { db: Database; clock: Clock },
  { accountId, limit }: { accountId?: string | undefined; limit: number },
): Promise<LoginSession[]> {
  return selectLoginSessions(db, { accountId, now: clock.now(), limit })
}

/**
 * Ends a session: its access tokens are refused from the next request on. Its device counts as new at the next sign-in.
 * @throws AppError `sign_in_not_found`
 */
export async function revokeSession(
  services: { db: Database; clock: Clock; events: EventBus },
  id: string,
): Promise<{ accountId: string; sessionId: string }> {
  const accountId = isRowId(id) ? await findSessionOwner(services.db, id) : undefined
  if (accountId === undefined) throw accountErrors.sign_in_not_found()
  if ((await revokeSessionsAndDevices(services, { accountId, onlyId: id })) === 0)
    throw accountErrors.sign_in_not_found()
  return { accountId, sessionId: id }
}
