import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import type { Scrobbler } from './scrobbler.ts'
import { SCROBBLE_SERVICES, type ScrobbleCredentials, type ScrobbleServiceName } from './services/index.ts'

const ScrobblerRow = z.strictObject({
  id: z.string(),
  userId: z.string(),
  service: z.enum(SCROBBLE_SERVICES),
  serviceUsername: z.string(),
  failureCount: z.number(),
  lastTriggeredAt: z.date().nullable(),
  createdAt: z.date(),
})

const CredentialsRow = z.strictObject({
  service: z.enum(SCROBBLE_SERVICES),
  credentials: z.record(z.string(), z.string()),
})

const scrobblers = sql.fragment`
  select s.id, s.user_id, s.service, s.service_username, t.failure_count, t.last_triggered_at, t.created_at
  from scrobblers s join delivery_targets t on t.id = s.id`

/** The scrobblers of an account, or of all accounts, sorted by account and service. */
export async function selectScrobblers(connection: Connection, userId?: string): Promise<readonly Scrobbler[]> {
  const condition = userId === undefined ? sql.fragment`true` : sql.fragment`s.user_id = ${userId}`
  return connection.any(sql.type(ScrobblerRow)`${scrobblers} where ${condition} order by s.user_id, s.service`)
}

export async function selectScrobbler(
  connection: Connection,
  { userId, service }: { userId: string; service: ScrobbleServiceName },
): Promise<Scrobbler | undefined> {
  const row = await connection.maybeOne(sql.type(ScrobblerRow)`
    ${scrobblers} where s.user_id = ${userId} and s.service = ${service}`)
  return row ?? undefined
}

export async function selectCredentials(
  connection: Connection,
  id: string,
): Promise<{ service: ScrobbleServiceName; credentials: ScrobbleCredentials } | undefined> {
  const row = await connection.maybeOne(sql.type(CredentialsRow)`
    select service, credentials from scrobblers where id = ${id}`)
  return row ?? undefined
}

/** The credentials of a scrobbler, which is locked until the transaction ends. */
export async function lockCredentials(connection: Connection, id: string): Promise<ScrobbleCredentials | undefined> {
  const row = await connection.maybeOne(sql.type(CredentialsRow)`
    select service, credentials from scrobblers where id = ${id} for update`)
  return row?.credentials
}

export async function insertScrobbler(
  connection: Connection,
  row: {
    id: string
    userId: string
    service: ScrobbleServiceName
    serviceUsername: string
    credentials: ScrobbleCredentials
  },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into scrobblers (id, user_id, service, service_username, credentials)
    values (${row.id}, ${row.userId}, ${row.service}, ${row.serviceUsername}, ${JSON.stringify(row.credentials)}::jsonb)`)
}

export async function updateCredentials(
  connection: Connection,
  { id, credentials }: { id: string; credentials: ScrobbleCredentials },
): Promise<void> {
  await connection.query(sql.unsafe`
    update scrobblers set credentials = ${JSON.stringify(credentials)}::jsonb where id = ${id}`)
}
