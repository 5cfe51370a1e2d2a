import type { Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { lockAccount } from './queries/accounts.ts'
import { forgetDevices, revokeSessionsOf, type SessionsOfAccount } from './queries/devices.ts'

/**
 * Ends sessions that may be those of a stranger: their devices count as new at the next sign-in, and their addresses lose the exemption
 * from the lock of the account.
 * @returns how many were ended, without those that had expired
 */
export async function revokeSessions(
  { db, clock, events }: { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> },
  input: SessionsOfAccount,
): Promise<number> {
  const { accountId } = input
  const ended = await db.transaction(async (connection) => {
    // First, because every transaction locks the account before its families.
    await lockAccount(connection, accountId)
    const sessions = await revokeSessionsOf(connection, { ...input, now: clock.now() })
    await forgetDevices(connection, { accountId, sessionIds: sessions.map(({ id }) => id) })
    return sessions.filter(({ isListed }) => isListed)
  })
  if (ended.length > 0) events.publish('account.changed', { accountId })
  for (const { id: sessionId } of ended) {
    const payload = { userId: accountId, sessionId, reason: 'revoked' }
    events.publish('plugin.event', { name: 'user.logged_out', payload })
  }
  return ended.length
}
