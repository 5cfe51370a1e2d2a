import { sql } from 'slonik'
import { z } from 'zod'
import { episodeOrderColumns } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { PLAYBACK_STATUSES } from '../playback-session.ts'

const PlayedItemRow = z.strictObject({
  mediaItemId: z.string(),
  status: z.enum(PLAYBACK_STATUSES),
  positionTicks: z.number(),
  durationTicks: z.number().nullable(),
  updatedAt: z.date(),
})

/** The newest of a profile's states of an item, over all sessions. */
export type PlayedItemRow = z.infer<typeof PlayedItemRow>

/** The items that a profile has played last, each once, the newest first. */
export async function selectPlayedItems(
  connection: Connection,
  { profileId, limit, offset }: { profileId: string; limit: number; offset: number },
): Promise<PlayedItemRow[]> {
  const rows = await connection.any(sql.type(PlayedItemRow)`
    select s.media_item_id, s.status, s.position_ticks, s.duration_ticks, s.updated_at
    from (
      select distinct on (media_item_id) * from playback_states
      where profile_id = ${profileId} order by media_item_id, updated_at desc, session_id desc) s
    order by s.updated_at desc, s.media_item_id limit ${limit} offset ${offset}`)
  return [...rows]
}

const WatchedItemRow = PlayedItemRow.extend({
  sessionId: z.string(),
  userId: z.string(),
  profileName: z.string().nullable(),
  username: z.string(),
  displayName: z.string().nullable(),
})

/** A played item with its account; the name of the profile is null for the main profile. */
export type WatchedItemRow = z.infer<typeof WatchedItemRow>

/** The items that were played most recently by any account, each once per profile, the newest first. */
export async function selectItemsPlayedByAll(
  connection: Connection,
  { userId, libraryId, limit }: { userId: string | undefined; libraryId: string | undefined; limit: number },
): Promise<readonly WatchedItemRow[]> {
  const ofUser =
    userId === undefined
      ? sql.fragment`true`
      : sql.fragment`p.profile_id in (select id from profiles where account_id = ${userId})`
  const inLibrary = libraryId === undefined ? sql.fragment`true` : sql.fragment`i.library_id = ${libraryId}`
  return connection.any(sql.type(WatchedItemRow)`
    select s.session_id, u.id as user_id, u.username, u.display_name, case when not r.is_main then r.name end as profile_name, s.media_item_id, s.status, s.position_ticks, s.duration_ticks, s.updated_at
    from (
      select distinct on (p.profile_id, p.media_item_id) p.* from playback_states p
      join media_items i on i.id = p.media_item_id
      where ${ofUser} and ${inLibrary}
      order by p.profile_id, p.media_item_id, p.updated_at desc, p.session_id desc) s
    join profiles r on r.id = s.profile_id join users u on u.id = r.account_id
    order by s.updated_at desc, s.profile_id, s.media_item_id limit ${limit}`)
}

const RankRow = z.strictObject({ mediaItemId: z.string() })

/** The listed items with the most plays across all profiles. */
export async function selectMostPlayed(connection: Connection, limit: number): Promise<string[]> {
  const rows = await connection.any(sql.type(RankRow)`
    select r.media_item_id from (
      select media_item_id, count(*) as plays, max(counted_at) as last from playback_records group by media_item_id) r
    join media_items i on i.id = r.media_item_id and i.role is null
    order by r.plays desc, r.last desc, r.media_item_id limit ${limit}`)
  return rows.map(({ mediaItemId }) => mediaItemId)
}

/** Deletes positions and plays of a profile for one item, or for all; returns whether there were any. */
export async function deletePlayedItems(
  connection: Connection,
  { profileId, mediaItemId }: { profileId: string; mediaItemId: string | undefined },
): Promise<boolean> {
  const isMeant = mediaItemId === undefined ? sql.fragment`true` : sql.fragment`media_item_id = ${mediaItemId}`
  const states = await connection.query(sql.unsafe`
    delete from playback_states where (session_id, media_item_id) in (
      select session_id, media_item_id from playback_states where profile_id = ${profileId} and ${isMeant}
      order by session_id, media_item_id for update)`)
  const records = await connection.query(sql.unsafe`
    delete from playback_records where profile_id = ${profileId} and ${isMeant}`)
  return states.rowCount + records.rowCount > 0
}

const NextEpisodeRow = z.strictObject({ seriesId: z.string(), seriesName: z.string(), episodeId: z.string() })

/** The next episode of a series for a profile. */
export type NextEpisodeRow = z.infer<typeof NextEpisodeRow>

/**
 * For each series that a profile has started: the first present and unwatched episode after the one watched last. Specials are never next.
 * The series watched last comes first.
 */
export async function selectNextUp(
  connection: Connection,
  { profileId, limit }: { profileId: string; limit: number },
): Promise<NextEpisodeRow[]> {
  const rows = await connection.any(sql.type(NextEpisodeRow)`
    with watched as (
      select coalesce(p.parent_id, p.id) as series_id, u.watched_at, ${episodeOrderColumns}
      from user_items u join media_items e on e.id = u.media_item_id and e.type = 'episode'
      join media_items p on p.id = e.parent_id
      where u.profile_id = ${profileId} and u.watched_at is not null and e.season_number > 0),
    last as (
      select distinct on (series_id) * from watched where day is not null
      order by series_id, watched_at desc, season desc, number desc, day desc, title desc)
    select s.id as series_id, s.name as series_name, next.id as episode_id
    from last join media_items s on s.id = last.series_id
    cross join lateral (
      select id from (
        select e.id, ${episodeOrderColumns} from media_items e
        where e.parent_id in (select s.id union all select c.id from media_items c where c.parent_id = s.id)
          and e.type = 'episode' and e.role is null and e.missing_since is null and e.season_number > 0
          and not exists (
            select from user_items u where u.profile_id = ${profileId} and u.media_item_id = e.id and u.watched_at is not null)) unwatched
      where day is not null and (season, number, day, title) > (last.season, last.number, last.day, last.title)
      order by season, number, day, title, id limit 1) next
    order by last.watched_at desc, s.id limit ${limit}`)
  return [...rows]
}
