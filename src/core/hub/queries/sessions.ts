import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const SessionRow = z.strictObject({
  id: z.string(),
  userId: z.string(),
  step: z.number(),
  steppedAt: z.date(),
  expiresAt: z.date(),
  isInCookie: z.boolean(),
})

export type HubSession = z.infer<typeof SessionRow>

const columns = sql.fragment`id, user_id, step, stepped_at, expires_at, is_in_cookie`

/** Inserts a session, and deletes the ended ones of the user. */
export async function insertHubSession(
  connection: Connection,
  { userId, now, expiresAt }: { userId: string; now: Date; expiresAt: Date },
): Promise<HubSession> {
  const at = sql.timestamp(now)
  await connection.query(sql.unsafe`delete from hub_sessions where user_id = ${userId} and expires_at <= ${at}`)
  return connection.one(sql.type(SessionRow)`
    insert into hub_sessions (user_id, stepped_at, created_at, expires_at)
    values (${userId}, ${at}, ${at}, ${sql.timestamp(expiresAt)}) returning ${columns}`)
}

/** Undefined without an open session. The row is locked until the transaction ends. */
export async function lockHubSession(connection: Connection, id: string, now: Date): Promise<HubSession | undefined> {
  const row = await connection.maybeOne(sql.type(SessionRow)`
    select ${columns} from hub_sessions where id = ${id} and expires_at > ${sql.timestamp(now)} for update`)
  return row ?? undefined
}

export async function updateSession(
  connection: Connection,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<HubSession> {
  return connection.one(sql.type(SessionRow)`
    update hub_sessions set step = step + 1, stepped_at = ${sql.timestamp(now)}, expires_at = ${sql.timestamp(expiresAt)}
    where id = ${id} returning ${columns}`)
}

/** From now on, the refresh tokens of a session are accepted in the cookie of the page only. */
export async function bindToCookie(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`update hub_sessions set is_in_cookie = true where id = ${id}`)
}

export async function deleteSession(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_sessions where id = ${id}`)
}

export async function deleteSessionsOfUser(connection: Connection, userId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_sessions where user_id = ${userId}`)
}

const OwnerRow = z.strictObject({ id: z.string(), username: z.string(), email: z.string(), isAdmin: z.boolean() })

/** The active user of an open session. */
export async function findSessionUser(
  connection: Connection,
  { sessionId, userId, now }: { sessionId: string; userId: string; now: Date },
): Promise<z.infer<typeof OwnerRow> | undefined> {
  const row = await connection.maybeOne(sql.type(OwnerRow)`
    select u.id, u.username, u.email, u.is_admin from hub_sessions s join hub_users u on u.id = s.user_id
    where s.id = ${sessionId} and u.id = ${userId} and u.status = 'active' and s.expires_at > ${sql.timestamp(now)}`)
  return row ?? undefined
}
