import { HEARTBEAT_SECONDS, type HeartbeatMember, type HeartbeatReport } from '../../hub-protocol/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { insertAuditOnceADay } from '../queries/audit.ts'
import { updateHeartbeat } from '../queries/servers.ts'
import { selectMembers } from '../queries/shares.ts'

/**
 * Stores a heartbeat. A heartbeat from another address than the one before is in the audit log: it shows the owner a stolen token.
 * @returns when it was received, and who may use the server
 */
export async function recordHeartbeat(
  { db, clock }: { db: Database; clock: Clock },
  { serverId, clientAddress, report }: { serverId: string; clientAddress: string; report: HeartbeatReport },
): Promise<{ receivedAt: Date; members: HeartbeatMember[] }> {
  const now = clock.now()
  const { min, max } = HEARTBEAT_SECONDS
  const heartbeatSeconds = Math.min(max, Math.max(min, Math.round(report.intervalSeconds)))
  const before = await updateHeartbeat(db, { ...report, id: serverId, heartbeatSeconds, address: clientAddress, now })
  if (before.lastAddress !== null && before.lastAddress !== clientAddress) {
    const entry = { action: 'server.address_changed', actor: `server ${before.name}`, target: before.name, serverId }
    // A server with two ways to the Internet changes its address all the time.
    await insertAuditOnceADay(db, { ...entry, address: clientAddress, now })
  }
  const rows = await selectMembers(db, serverId)
  const members = rows.map(({ userId, username, isOwner, libraryIds }) => ({
    user_id: userId,
    username,
    is_owner: isOwner,
    library_ids: libraryIds,
  }))
  return { receivedAt: now, members }
}
