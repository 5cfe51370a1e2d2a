import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { countAudit, selectAudit, trimAudit, type AuditEntry } from './queries/audit.ts'
import { countServers } from './queries/servers.ts'
import { countUsers } from './queries/users.ts'

type Dependencies = { db: Database; clock: Clock }

/** Numbers of a hub. */
export type HubSummary = {
  servers: { total: number; online: number; offline: number }
  tunnels: number
  users: number
}

export async function readHubSummary({ db, clock }: Dependencies): Promise<HubSummary> {
  const [{ total, online, tunnels }, users] = await Promise.all([countServers(db, clock.now()), countUsers(db)])
  return { servers: { total, online, offline: total - online }, tunnels, users }
}

/**
 * The newest entries of the audit log first.
 * @param input.userId only entries that concern this user; undefined for all
 */
export async function readHubAudit(
  { db }: Pick<Dependencies, 'db'>,
  input: { userId?: string | undefined; limit: number; offset?: number },
): Promise<{ entries: readonly AuditEntry[]; total: number }> {
  const [entries, total] = await Promise.all([selectAudit(db, input), countAudit(db, input.userId)])
  return { entries, total }
}

/** Deletes the oldest entries of the audit log above its limit. */
export async function trimHubAudit({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  await trimAudit(db)
}
