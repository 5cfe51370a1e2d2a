import { toIsoTimestamp } from '../platform/time/index.ts'
import type { ServerStatus } from '../server-status/index.ts'

/** What runs and what waits. */
export function serverStatusView(status: ServerStatus) {
  const { server, counts } = status
  return {
    version: status.version,
    at: toIsoTimestamp(status.at),
    server:
      server === null
        ? null
        : {
            pid: server.pid,
            address: server.address,
            started_at: toIsoTimestamp(server.startedAt),
            uptime_seconds: Math.max(0, Math.round((status.at.getTime() - server.startedAt.getTime()) / 1000)),
          },
    database: { engine: status.database, bytes: counts.databaseBytes },
    items: counts.items,
    jobs: counts.jobs,
    deliveries: counts.deliveries,
    sessions: { users: counts.users, sign_ins: counts.signIns, players: counts.players },
    disk: { free_bytes: status.freeBytes, min_free_bytes: status.floorBytes },
  }
}
