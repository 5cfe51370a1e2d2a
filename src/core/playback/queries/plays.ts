import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { laterOfStoredAndNow } from './later-of-stored-and-now.ts'

const PlayRow = z.strictObject({
  sessionId: z.string(),
  userId: z.string(),
  userName: z.string(),
  profileId: z.string(),
  profileName: z.string().nullable(),
  mediaItemId: z.string(),
  mediaType: z.string(),
  title: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  reportedAt: z.date(),
  playedMs: z.number(),
  isPlaying: z.boolean(),
  hasReachedEnd: z.boolean(),
})

const WasPlayingRow = z.strictObject({ wasPlaying: z.boolean() })

/** The current play of a session, since its start. */
export type CurrentPlay = z.infer<typeof PlayRow>

const PlayerRow = z.strictObject({
  userId: z.string(),
  userName: z.string(),
  profileName: z.string().nullable(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
})

const playColumns = sql.fragment`
  session_id, user_id, user_name, profile_id, profile_name, media_item_id, media_type, title, device_id, device_name, reported_at, played_ms, is_playing,
  has_reached_end`

export type PlayReport = {
  sessionId: string
  mediaItemId: string
  isPlaying: boolean
  hasReachedEnd: boolean
  now: Date
}

/**
 * Adds a report to the play of this item if it is the current one of the session.
 * @returns whether it was playing before the report; undefined when it is not the current play
 * @param input.maxGapMilliseconds maximum time since the last report that counts as played
 */
export async function extendPlay(
  connection: Connection,
  input: PlayReport & { maxGapMilliseconds: number },
): Promise<boolean | undefined> {
  const now = sql.timestamp(input.now)
  const before = await connection.maybeOneFirst(sql.type(WasPlayingRow)`
    update open_plays set reported_at = ${laterOfStoredAndNow('reported_at', input.now)}, is_playing = ${input.isPlaying},
      has_reached_end = has_reached_end or ${input.hasReachedEnd},
      played_ms = played_ms + case when is_playing
        then least(greatest(extract(epoch from ${now} - reported_at) * 1000, 0), ${input.maxGapMilliseconds})::bigint else 0 end
    from (select is_playing as was_playing from open_plays
      where session_id = ${input.sessionId} and media_item_id = ${input.mediaItemId}) before
    where session_id = ${input.sessionId} and media_item_id = ${input.mediaItemId}
    returning was_playing`)
  return before ?? undefined
}

/** The account, the profile and the device of a session. The name of the profile is null for the main profile. */
export async function selectSessionOwner(
  connection: Connection,
  sessionId: string,
): Promise<z.infer<typeof PlayerRow>> {
  return connection.one(sql.type(PlayerRow)`
    select u.id as user_id, u.username as user_name, case when not r.is_main then r.name end as profile_name, p.device_id, p.device_name
    from playback_sessions p join profiles r on r.id = p.profile_id join users u on u.id = r.account_id where p.id = ${sessionId}`)
}

export async function insertPlay(
  connection: Connection,
  play: Omit<CurrentPlay, 'playedMs' | 'isPlaying' | 'reportedAt'> & { now: Date },
): Promise<void> {
  const now = sql.timestamp(play.now)
  await connection.query(sql.unsafe`
    insert into open_plays (session_id, user_id, user_name, profile_id, profile_name, media_item_id, media_type, title, device_id, device_name, started_at,
      reported_at, is_playing, has_reached_end)
    values (${play.sessionId}, ${play.userId}, ${play.userName}, ${play.profileId}, ${play.profileName}, ${play.mediaItemId}, ${play.mediaType}, ${play.title},
      ${play.deviceId}, ${play.deviceName}, ${now}, ${now}, true, ${play.hasReachedEnd})`)
}

/** Deletes the current play of a session: of this item only, or of any item. */
export async function deletePlay(
  connection: Connection,
  { sessionId, mediaItemId }: { sessionId: string; mediaItemId?: string },
): Promise<CurrentPlay | undefined> {
  const isMeant = mediaItemId === undefined ? sql.fragment`true` : sql.fragment`media_item_id = ${mediaItemId}`
  const row = await connection.maybeOne(sql.type(PlayRow)`
    delete from open_plays where session_id = ${sessionId} and ${isMeant} returning ${playColumns}`)
  return row ?? undefined
}

/** Deletes plays without a report since a time. Skips rows that a concurrent report has locked. */
export async function deleteStalePlays(
  connection: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<readonly CurrentPlay[]> {
  return connection.any(sql.type(PlayRow)`
    delete from open_plays where session_id in (
      select session_id from open_plays where reported_at < ${sql.timestamp(before)}
      order by reported_at limit ${limit} for update skip locked)
    returning ${playColumns}`)
}
