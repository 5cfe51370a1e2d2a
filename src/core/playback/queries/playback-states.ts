import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { PLAYBACK_STATUSES, TICKS_PER_SECOND, type PlaybackState } from '../playback-session.ts'

export const StateRow = z.strictObject({
  sessionId: z.string(),
  mediaItemId: z.string(),
  status: z.enum(PLAYBACK_STATUSES),
  positionTicks: z.number(),
  durationTicks: z.number().nullable(),
  startedAt: z.date(),
  updatedAt: z.date(),
})

const PlayedFileRow = z.strictObject({
  mediaItemId: z.string(),
  sourceId: z.string(),
  durationTicks: z.number().nullable(),
})

/**
 * The played file. `mediaItemId`: the item that positions and plays belong to: the item itself, or for a version or part its film.
 * `sourceId`: the version, for a part the version that contains it. The duration is the sum of the source and all its parts.
 */
export type PlayedFileRow = z.infer<typeof PlayedFileRow>

const stateColumns = sql.fragment`
  s.session_id, s.media_item_id, s.status, s.position_ticks, s.duration_ticks, s.started_at, s.updated_at`

type StateKey = { sessionId: string; mediaItemId: string }

/** Limit of the ownership chain: a part of a disc of a version is three rows from its film. It also ends cycles. */
const MAX_OWNERS = 8

/**
 * Locks the played item and the profile against deletion until the transaction ends, and returns the duration. Always the first lock of a
 * transaction, because a deletion locks the item before its states.
 */
export async function lockPlayedItem(
  connection: Connection,
  { profileId, mediaItemId }: { profileId: string; mediaItemId: string },
): Promise<PlayedFileRow | undefined> {
  const row = await connection.maybeOne(sql.type(PlayedFileRow)`
    with recursive owners as (
      select id, role, primary_id, 0 as step from media_items where id = ${mediaItemId}
      union all
      select m.id, m.role, m.primary_id, owners.step + 1 from owners join media_items m on m.id = owners.primary_id
      where owners.role in ('version', 'part') and owners.step < ${MAX_OWNERS} and m.type in ('movie', 'video', 'episode'))
    select i.id as media_item_id, source.id as source_id,
      case when source.duration_seconds + source.parts_seconds between 1e-6 and 1e8
        then round((source.duration_seconds + source.parts_seconds) * ${TICKS_PER_SECOND})::int8 end as duration_ticks
    from media_items i join profiles r on r.id = ${profileId}
    join media_items source on source.id = coalesce(
      (select id from owners where role is distinct from 'part' order by step limit 1), ${mediaItemId})
    where i.id = coalesce((select id from owners where role is null order by step limit 1), ${mediaItemId}) for key share of i, r`)
  return row ?? undefined
}

/**
 * Writes the state of an item in a session.
 * @param input.isIgnoredWhenStopped a report near the end is ignored after the end was reached: it was delayed on its way
 */
export async function upsertPlaybackState(
  connection: Connection,
  input: Pick<PlaybackState, 'sessionId' | 'mediaItemId' | 'status' | 'positionTicks' | 'durationTicks'> & {
    profileId: string
    isIgnoredWhenStopped: boolean
    now: Date
  },
): Promise<PlaybackState> {
  const now = sql.timestamp(input.now)
  await connection.query(sql.unsafe`
    insert into playback_states as s (
      session_id, profile_id, media_item_id, status, position_ticks, duration_ticks, started_at, updated_at)
    values (${input.sessionId}, ${input.profileId}, ${input.mediaItemId}, ${input.status}, ${input.positionTicks},
      ${input.durationTicks}, ${now},
      greatest(${now}, (select max(updated_at) + interval '1 millisecond' from playback_states where profile_id = ${input.profileId})))
    on conflict (session_id, media_item_id) do update set
      status = excluded.status, position_ticks = excluded.position_ticks,
      duration_ticks = coalesce(excluded.duration_ticks, s.duration_ticks),
      started_at = case when s.status = 'stopped' then excluded.started_at else s.started_at end,
      updated_at = excluded.updated_at
    where not (s.status = 'stopped' and ${input.isIgnoredWhenStopped})`)
  return connection.one(sql.type(StateRow)`
    select ${stateColumns} from playback_states s
    where s.session_id = ${input.sessionId} and s.media_item_id = ${input.mediaItemId}`)
}

export async function selectPlaybackState(connection: Connection, place: StateKey): Promise<PlaybackState | undefined> {
  const row = await connection.maybeOne(sql.type(StateRow)`
    select ${stateColumns} from playback_states s
    where s.session_id = ${place.sessionId} and s.media_item_id = ${place.mediaItemId}`)
  return row ?? undefined
}

export async function deletePlaybackState(connection: Connection, place: StateKey): Promise<PlaybackState | undefined> {
  const row = await connection.maybeOne(sql.type(StateRow)`
    delete from playback_states s
    where s.session_id = ${place.sessionId} and s.media_item_id = ${place.mediaItemId} returning ${stateColumns}`)
  return row ?? undefined
}

/** Pauses the playing states of a session; positions and times stay. */
export async function pausePlaybackStates(connection: Connection, sessionId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_states set status = 'paused' where session_id = ${sessionId} and status = 'playing'`)
}

/**
 * The newest state of each item of a profile that can be continued: started, not stopped, before 95 %, and with a present file. Newest
 * first.
 */
export async function selectUnfinishedItems(
  connection: Connection,
  { profileId, limit }: { profileId: string; limit: number },
): Promise<PlaybackState[]> {
  const rows = await connection.any(sql.type(StateRow)`
    select ${stateColumns}
    from (
      select distinct on (media_item_id) * from playback_states
      where profile_id = ${profileId} order by media_item_id, updated_at desc, session_id desc) s
    join media_items i on i.id = s.media_item_id
    where s.status <> 'stopped' and s.position_ticks > 0 and i.missing_since is null
      and (s.duration_ticks is null or s.position_ticks * 100 < s.duration_ticks * 95)
    order by s.updated_at desc, s.media_item_id limit ${limit}`)
  return [...rows]
}

/** Deletes the states in these sessions whose item the profile has played later in another session. Skips locked rows. */
export async function deleteSupersededPlaybackStates(
  connection: Connection,
  { profileId, sessionIds }: { profileId: string; sessionIds: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from playback_states where (session_id, media_item_id) in (
      select s.session_id, s.media_item_id from playback_states s
      where s.session_id = any (${sql.array([...sessionIds], 'uuid')}) and exists (
        select from playback_states newer
        where newer.profile_id = ${profileId} and newer.media_item_id = s.media_item_id
          and (newer.updated_at, newer.session_id) > (s.updated_at, s.session_id))
      for update skip locked)`)
}
