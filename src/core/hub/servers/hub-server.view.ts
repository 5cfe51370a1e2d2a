import { isoTimestampOrNull, toIsoTimestamp } from '../../platform/time/index.ts'
import { serverStatus, type HubServer } from '../hub-server.ts'

/** A server as its users see it, with the keys of existing clients. */
export function myServerView(server: HubServer, now: Date) {
  return {
    serverId: server.id,
    userId: server.ownerId,
    serverName: server.name,
    version: server.version,
    lastSeenAt: isoTimestampOrNull(server.lastSeenAt),
    status: serverStatus(server, now),
    hostnameCandidates: server.hostnameCandidates,
    relayActive: server.hasTunnel,
    libraryCount: server.libraries.length,
  }
}

/** A server as administrators of the hub see it. */
export function hubServerView(server: HubServer, now: Date) {
  return {
    id: server.id,
    name: server.name,
    owner: server.ownerName,
    version: server.version,
    status: serverStatus(server, now),
    has_tunnel: server.hasTunnel,
    last_seen_at: isoTimestampOrNull(server.lastSeenAt),
    last_address: server.lastAddress,
    libraries: server.libraries.length,
    active_sessions: server.activeSessions,
    active_transcodes: server.activeTranscodes,
    created_at: toIsoTimestamp(server.createdAt),
  }
}
