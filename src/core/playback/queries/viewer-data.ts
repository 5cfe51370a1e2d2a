import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { PLAYBACK_STATUSES } from '../playback-session.ts'

const ViewerRow = z.strictObject({
  itemId: z.string(),
  isFavourite: z.boolean(),
  rating: z.number().nullable(),
  likeLevel: z.number(),
  isWatched: z.boolean(),
  status: z.enum(PLAYBACK_STATUSES).nullable(),
  positionTicks: z.number().nullable(),
  durationTicks: z.number().nullable(),
  episodes: z.number(),
  watchedEpisodes: z.number(),
})

/**
 * The data of a profile on items, a row for each id. `groupIds`: the series and seasons among them, whose episodes are counted; they are
 * direct children or children of seasons. Indexes user_items (key), playback_states_newest_of_item and media_items by parent.
 */
export async function selectViewerData(
  connection: Connection,
  { profileId, itemIds, groupIds }: { profileId: string; itemIds: readonly string[]; groupIds: readonly string[] },
): Promise<readonly z.infer<typeof ViewerRow>[]> {
  return connection.any(sql.type(ViewerRow)`
    select wanted.id as item_id, u.favourite_since is not null as is_favourite, u.rating, coalesce(u.like_level, 0) as like_level,
      u.watched_at is not null as is_watched, s.status, s.position_ticks, s.duration_ticks,
      coalesce(below.episodes, 0) as episodes, coalesce(below.watched, 0) as watched_episodes
    from unnest(${sql.array([...itemIds], 'uuid')}) as wanted (id)
    left join user_items u on u.profile_id = ${profileId} and u.media_item_id = wanted.id
    left join lateral (
      select p.status, p.position_ticks, p.duration_ticks from playback_states p
      where p.profile_id = ${profileId} and p.media_item_id = wanted.id
      order by p.updated_at desc, p.session_id desc limit 1) s on true
    left join (
      select top.id, count(*) as episodes, count(w.watched_at) as watched
      from unnest(${sql.array([...groupIds], 'uuid')}) as top (id)
      cross join lateral (
        select e.id from media_items e where e.type = 'episode' and e.role is null
          and e.parent_id in (select top.id union all select season.id from media_items season where season.parent_id = top.id)) e
      left join user_items w on w.profile_id = ${profileId} and w.media_item_id = e.id
      group by top.id) below on below.id = wanted.id`)
}
