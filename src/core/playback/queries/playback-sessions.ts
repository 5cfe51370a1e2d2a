import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { PlaybackSession } from '../playback-session.ts'
import { PLAYBACK_STATUSES } from '../playback-session.ts'
import { laterOfStoredAndNow } from './later-of-stored-and-now.ts'

const OwnedSessionRow = z.strictObject({ profileId: z.string(), lastItemId: z.string().nullable() })

/** The owner of a session, and the item that it played last. */
export type OwnedSession = z.infer<typeof OwnedSessionRow>

const SessionRow = z.strictObject({
  id: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  deviceType: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  mediaItemId: z.string().nullable(),
  status: z.enum(PLAYBACK_STATUSES).nullable(),
  positionTicks: z.number().nullable(),
  durationTicks: z.number().nullable(),
  startedAt: z.date().nullable(),
  stateUpdatedAt: z.date().nullable(),
})

type NewSession = Pick<PlaybackSession, 'deviceId' | 'deviceName' | 'deviceType'> & { profileId: string; now: Date }

export async function insertPlaybackSession(connection: Connection, row: NewSession): Promise<string> {
  const now = sql.timestamp(row.now)
  return connection.oneFirst(sql.type(IdRow)`
    insert into playback_sessions (profile_id, device_id, device_name, device_type, created_at, updated_at)
    values (${row.profileId}, ${row.deviceId}, ${row.deviceName}, ${row.deviceType}, ${now}, ${now}) returning id`)
}

export async function selectPlaybackSession(connection: Connection, id: string): Promise<OwnedSession | undefined> {
  const row = await connection.maybeOne(sql.type(OwnedSessionRow)`
    select profile_id, last_item_id from playback_sessions where id = ${id} and ended_at is null`)
  return row ?? undefined
}

/** Like `selectPlaybackSession`, but locks the session: reports on the session wait for each other until the transaction ends. */
export async function lockPlaybackSession(connection: Connection, id: string): Promise<OwnedSession | undefined> {
  const row = await connection.maybeOne(sql.type(OwnedSessionRow)`
    select profile_id, last_item_id from playback_sessions where id = ${id} and ended_at is null for update`)
  return row ?? undefined
}

/** Stores the item that the session played last (null: it no longer exists). */
export async function updateSessionItem(
  connection: Connection,
  { id, lastItemId, now }: { id: string; lastItemId: string | null; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_sessions set last_item_id = ${lastItemId}, updated_at = ${laterOfStoredAndNow('updated_at', now)}
    where id = ${id}`)
}

export async function markSessionEnded(connection: Connection, { id, now }: { id: string; now: Date }): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_sessions set ended_at = ${sql.timestamp(now)} where id = ${id}`)
}

/** The sessions of a profile that have not ended, the most recently used first, each with the state of its last item. */
export async function selectPlaybackSessions(
  connection: Connection,
  { profileId, limit }: { profileId: string; limit: number },
): Promise<PlaybackSession[]> {
  const rows = await connection.any(sql.type(SessionRow)`
    select p.id, p.device_id, p.device_name, p.device_type, p.created_at, p.updated_at,
      s.media_item_id, s.status, s.position_ticks, s.duration_ticks, s.started_at, s.updated_at as state_updated_at
    from playback_sessions p
    left join playback_states s on s.session_id = p.id and s.media_item_id = p.last_item_id
    where p.profile_id = ${profileId} and p.ended_at is null
    order by p.updated_at desc, p.id limit ${limit}`)
  return rows.map(toSession)
}

function toSession(row: z.infer<typeof SessionRow>): PlaybackSession {
  const { mediaItemId, status, positionTicks, durationTicks, startedAt, stateUpdatedAt: updatedAt, ...session } = row
  if (mediaItemId === null || status === null || positionTicks === null) return { ...session, state: null }
  if (startedAt === null || updatedAt === null) return { ...session, state: null }
  const state = { sessionId: row.id, mediaItemId, status, positionTicks, durationTicks, startedAt, updatedAt }
  return { ...session, state }
}

/**
 * Locks the sessions of a profile that are not among the newest `keep`, or were last used before `before`. Skips sessions that are locked,
 * so that the call does not wait.
 */
export async function lockOldSessions(
  connection: Connection,
  { profileId, keep, before }: { profileId: string; keep: number; before: Date },
): Promise<string[]> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    select id from playback_sessions where id in (
      select id from (
        select id, updated_at, row_number() over (order by updated_at desc, id) as place
        from playback_sessions where profile_id = ${profileId}) ranked
      where place > ${keep} or updated_at < ${sql.timestamp(before)})
    for update skip locked`)
  return [...ids]
}

/** Deletes the sessions with these ids that have no state, not even one of an item that is hidden from the account. */
export async function deleteEmptySessions(connection: Connection, ids: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`select delete_empty_sessions(${sql.array([...ids], 'uuid')})`)
}
