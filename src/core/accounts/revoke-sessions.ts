import type { Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { lockAccountRow } from './queries/accounts.ts'
import { markSessionDevicesForgotten, revokeSessionRows, type SessionsOfAccount } from './queries/devices.ts'

/**
 * Ends sessions that may belong to a stranger. Their devices count as new at the next sign-in. Their addresses are no longer exempt from the
 * login lock of the account.
 * @returns how many were ended, without those that had expired
 */
export async function revokeSessionsAndDevices(
  { db, clock, events }: { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> },
  input: SessionsOfAccount,
): Promise<number> {
  const { accountId } = input
  const ended = await db.transaction(async (connection) => {
    // First, because every transaction locks the account before its families.
    await lockAccountRow(connection, accountId)
    const sessions = await revokeSessionRows(connection, { ...input, now: clock.now() })
    await markSessionDevicesForgotten(connection, { accountId, sessionIds: sessions.map(({ id }) => id) })
    return sessions.filter(({ isListed }) => isListed)
  })
  if (ended.length > 0) events.publish('account.changed', { accountId })
  for (const { id: sessionId } of ended) {
    const payload = { userId: accountId, sessionId, reason: 'revoked' }
    events.publish('plugin.event', { name: 'user.logged_out', payload })
  }
  return ended.length
}
