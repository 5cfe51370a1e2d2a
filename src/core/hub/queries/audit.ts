import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'

const EntryRow = z.strictObject({
  id: z.number(),
  action: z.string(),
  actor: z.string(),
  target: z.string(),
  address: z.string().nullable(),
  createdAt: z.date(),
})

/** One line of the audit log. */
export type AuditEntry = z.infer<typeof EntryRow>

export type NewAuditEntry = {
  /** For example `server.paired`. */
  action: string
  /** The name of the user, or `server` and its name, or `hub`. */
  actor: string
  target: string
  userId?: string | undefined
  serverId?: string | undefined
  address?: string | undefined
  now: Date
}

export async function insertAudit(connection: Connection, entry: NewAuditEntry): Promise<void> {
  await connection.query(sql.unsafe`
    insert into hub_audit (action, actor, target, user_id, server_id, address, created_at)
    values (${entry.action}, ${entry.actor}, ${entry.target}, ${entry.userId ?? null}, ${entry.serverId ?? null},
      ${entry.address ?? null}, ${sql.timestamp(entry.now)})`)
}

/** Inserts an entry about a server, unless the same one of the same address was inserted within a day. */
export async function insertAuditOnceADay(
  connection: Connection,
  entry: NewAuditEntry & { serverId: string; address: string },
): Promise<void> {
  const { action, serverId, address, now } = entry
  const since = new Date(now.getTime() - 86_400_000)
  const isKnown = await connection.exists(sql.unsafe`
    select 1 from hub_audit where server_id = ${serverId} and action = ${action} and address = ${address}
      and created_at > ${sql.timestamp(since)}`)
  if (!isKnown) await insertAudit(connection, entry)
}

/** Maximum number of rows. */
const MAX_ROWS = 100_000

/** Deletes the oldest rows above the limit. */
export async function trimAudit(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_audit where id <= (select max(id) - ${MAX_ROWS} from hub_audit)`)
}

type Wanted = { userId?: string | undefined; limit: number; offset?: number }

/** A user sees the entries of the own servers and of the own account. */
const visibleTo = (userId: string | undefined) =>
  userId === undefined
    ? sql.fragment`true`
    : sql.fragment`(user_id = ${userId} or server_id in (select id from hub_servers where owner_id = ${userId}))`

/** The newest entries first: all, or those that concern a user. */
export async function selectAudit(
  connection: Connection,
  { userId, limit, offset = 0 }: Wanted,
): Promise<readonly AuditEntry[]> {
  return connection.any(sql.type(EntryRow)`
    select id, action, actor, target, address, created_at from hub_audit
    where ${visibleTo(userId)} order by id desc limit ${limit} offset ${offset}`)
}

export async function countAudit(connection: Connection, userId: string | undefined): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`select count(*) as count from hub_audit where ${visibleTo(userId)}`)
}
