import { isRowId, type Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { accountErrors } from './errors.ts'
import { revokeSessionsAndDevices } from './revoke-sessions.ts'
import { selectLoginSessions, type LoginSession } from './queries/sessions.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }

/** An account has few devices; a list is not divided into pages. */
const MAX_LISTED_DEVICES = 1000

/** The signed-in devices of an account, the last used first: one for each active session. */
export async function listDevices(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  { accountId }: { accountId: string },
): Promise<LoginSession[]> {
  return selectLoginSessions(db, { accountId, now: clock.now(), limit: MAX_LISTED_DEVICES })
}

/**
 * Signs a device of an account out: its tokens are refused from the next request on. The device counts as new at its next sign-in.
 * @param input.id of the session, as `listDevices` has it
 * @throws AppError `device_not_found`, also for a device of another account
 */
export async function revokeDevice(
  needs: Dependencies,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  const ended = isRowId(id) ? await revokeSessionsAndDevices(needs, { accountId, onlyId: id }) : 0
  if (ended === 0) throw accountErrors.device_not_found()
}

/**
 * Signs all devices of an account out.
 * @param input.exceptSessionId the session that stays
 * @returns how many were signed out
 */
export async function revokeDevices(
  needs: Dependencies,
  input: { accountId: string; exceptSessionId?: string },
): Promise<number> {
  return revokeSessionsAndDevices(needs, input)
}
