import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { PLAYBACK_STATUSES, TICKS_PER_SECOND, type PlaybackState } from '../session.ts'

const StateRow = z.strictObject({
  sessionId: z.string(),
  mediaItemId: z.string(),
  status: z.enum(PLAYBACK_STATUSES),
  positionTicks: z.number(),
  durationTicks: z.number().nullable(),
  startedAt: z.date(),
  updatedAt: z.date(),
})

const ItemRow = z.strictObject({ durationTicks: z.number().nullable() })

const stateColumns = sql.fragment`
  s.session_id, s.media_item_id, s.status, s.position_ticks, s.duration_ticks, s.started_at, s.updated_at`

type Place = { sessionId: string; mediaItemId: string }

/**
 * Makes sure that item and user stay until the transaction ends, and tells how long the item is. Always the first lock of a
 * transaction: what removes an item takes the item first and its states then.
 */
export async function lockItem(
  connection: Connection,
  { userId, mediaItemId }: { userId: string; mediaItemId: string },
): Promise<z.infer<typeof ItemRow> | undefined> {
  const row = await connection.maybeOne(sql.type(ItemRow)`
    select case when i.duration_seconds between 1e-6 and 1e8 then round(i.duration_seconds * ${TICKS_PER_SECOND})::int8 end as duration_ticks
    from media_items i join users u on u.id = ${userId}
    where i.id = ${mediaItemId} for key share`)
  return row ?? undefined
}

/**
 * Writes the state of an item in a session.
 * @param input.isEcho after the end was reached, a report of about the end changes nothing: it was overtaken on its way
 */
export async function upsertState(
  connection: Connection,
  input: Pick<PlaybackState, 'sessionId' | 'mediaItemId' | 'status' | 'positionTicks' | 'durationTicks'> & {
    userId: string
    isEcho: boolean
    now: Date
  },
): Promise<PlaybackState> {
  const now = sql.timestamp(input.now)
  await connection.query(sql.unsafe`
    insert into playback_states as s (
      session_id, user_id, media_item_id, status, position_ticks, duration_ticks, started_at, updated_at)
    values (${input.sessionId}, ${input.userId}, ${input.mediaItemId}, ${input.status}, ${input.positionTicks},
      ${input.durationTicks}, ${now},
      greatest(${now}, (select max(updated_at) + interval '1 millisecond' from playback_states where user_id = ${input.userId})))
    on conflict (session_id, media_item_id) do update set
      status = excluded.status, position_ticks = excluded.position_ticks,
      duration_ticks = coalesce(excluded.duration_ticks, s.duration_ticks),
      started_at = case when s.status = 'stopped' then excluded.started_at else s.started_at end,
      updated_at = excluded.updated_at
    where not (s.status = 'stopped' and ${input.isEcho})`)
  return connection.one(sql.type(StateRow)`
    select ${stateColumns} from playback_states s
    where s.session_id = ${input.sessionId} and s.media_item_id = ${input.mediaItemId}`)
}

export async function selectState(connection: Connection, place: Place): Promise<PlaybackState | undefined> {
  const row = await connection.maybeOne(sql.type(StateRow)`
    select ${stateColumns} from playback_states s
    where s.session_id = ${place.sessionId} and s.media_item_id = ${place.mediaItemId}`)
  return row ?? undefined
}

export async function deleteState(connection: Connection, place: Place): Promise<PlaybackState | undefined> {
  const row = await connection.maybeOne(sql.type(StateRow)`
    delete from playback_states s
    where s.session_id = ${place.sessionId} and s.media_item_id = ${place.mediaItemId} returning ${stateColumns}`)
  return row ?? undefined
}

/** What still plays in a session is paused from now on; places and times stay. */
export async function pauseStates(connection: Connection, sessionId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_states set status = 'paused' where session_id = ${sessionId} and status = 'playing'`)
}

/**
 * The newest state of each item of a user, where it is worth going on: begun, not stopped, before 95 % (document 4, section 3), and
 * the file is there. Newest first.
 */
export async function selectUnfinished(
  connection: Connection,
  { userId, limit }: { userId: string; limit: number },
): Promise<PlaybackState[]> {
  const rows = await connection.any(sql.type(StateRow)`
    select ${stateColumns}
    from (
      select distinct on (media_item_id) * from playback_states
      where user_id = ${userId} order by media_item_id, updated_at desc, session_id desc) s
    join media_items i on i.id = s.media_item_id
    where s.status <> 'stopped' and s.position_ticks > 0 and i.missing_since is null
      and (s.duration_ticks is null or s.position_ticks * 100 < s.duration_ticks * 95)
    order by s.updated_at desc, s.media_item_id limit ${limit}`)
  return [...rows]
}

/** Of the states in these sessions, removes those of items that the user has played since in another session. Waits for nobody. */
export async function deleteSupersededStates(
  connection: Connection,
  { userId, sessionIds }: { userId: string; sessionIds: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from playback_states where (session_id, media_item_id) in (
      select s.session_id, s.media_item_id from playback_states s
      where s.session_id = any (${sql.array([...sessionIds], 'uuid')}) and exists (
        select from playback_states newer
        where newer.user_id = ${userId} and newer.media_item_id = s.media_item_id
          and (newer.updated_at, newer.session_id) > (s.updated_at, s.session_id))
      for update skip locked)`)
}
