import { HEARTBEAT_SECONDS, type HeartbeatMember, type HeartbeatReport } from '../../hub-protocol/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import { insertAuditOnceADay } from '../queries/audit.ts'
import { updateHeartbeat } from '../queries/servers.ts'

/**
 * Stores a heartbeat. A heartbeat from another address than the previous one is written to the audit log, so that the owner can notice a stolen
 * token.
 * @param input.generation of the token of the server
 * @returns when it was received, and who may use the server
 * @throws AppError `UNAUTHENTICATED` if the token was replaced, or the server is disabled or removed
 */
export async function recordHeartbeat(
  { db, clock }: { db: Database; clock: Clock },
  { generation, clientAddress, report }: { generation: number; clientAddress: string; report: HeartbeatReport },
): Promise<{ receivedAt: Date; members: HeartbeatMember[] }> {
  const now = clock.now()
  const { min, max } = HEARTBEAT_SECONDS
  const heartbeatSeconds = Math.min(max, Math.max(min, Math.round(report.intervalSeconds)))
  const { serverId } = report
  const row = { ...report, id: serverId, generation, heartbeatSeconds, address: clientAddress, now }
  const before = await updateHeartbeat(db, row)
  if (before === undefined) throw hubErrors.enrolment_refused()
  if (before.lastAddress !== null && before.lastAddress !== clientAddress) {
    const entry = { action: 'server.address_changed', actor: `server ${before.name}`, target: before.name, serverId }
    // A server with two Internet connections changes its address often.
    await insertAuditOnceADay(db, { ...entry, address: clientAddress, now })
  }
  const members = before.members.map(({ userId, username, isOwner, libraryIds }) => ({
    user_id: userId,
    username,
    is_owner: isOwner,
    library_ids: libraryIds,
  }))
  return { receivedAt: now, members }
}
