import { sql } from 'slonik'
import { IdRow, type Connection } from '../platform/database/index.ts'

/**
 * The favourites of a profile, and items with a like, with a rating of 7 or more, or watched; the newest first. An episode is replaced by
 * its series.
 */
export async function selectRecommendationSeeds(
  connection: Connection,
  { profileId, limit }: { profileId: string; limit: number },
): Promise<string[]> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    select id from (
      select coalesce(case when i.type = 'episode' then coalesce(p.parent_id, p.id) end, i.id) as id,
        max(greatest(u.favourite_since, u.watched_at, 'epoch')) as said_at
      from user_items u join media_items i on i.id = u.media_item_id left join media_items p on p.id = i.parent_id
      where u.profile_id = ${profileId} and u.like_level >= 0 and coalesce(u.rating, 10) >= 5
        and (u.favourite_since is not null or u.like_level > 0 or u.rating >= 7 or u.watched_at is not null)
      group by 1) said
    order by said_at desc, id limit ${limit}`)
  return [...ids]
}

/**
 * The items among these that a profile has watched, dislikes or has dismissed; a series counts as watched from its first watched episode on.
 */
export async function selectExcludedItems(
  connection: Connection,
  { profileId, itemIds }: { profileId: string; itemIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    select media_item_id as id from user_items
    where profile_id = ${profileId} and media_item_id = any (${sql.array([...itemIds], 'uuid')})
      and (watched_at is not null or like_level < 0)
    union select coalesce(p.parent_id, p.id) from user_items u
    join media_items e on e.id = u.media_item_id and e.type = 'episode' join media_items p on p.id = e.parent_id
    where u.profile_id = ${profileId} and u.watched_at is not null
      and coalesce(p.parent_id, p.id) = any (${sql.array([...itemIds], 'uuid')})
    union select media_item_id from dismissed_recommendations
    where profile_id = ${profileId} and media_item_id = any (${sql.array([...itemIds], 'uuid')})`)
  return new Set(ids)
}

/** False if the item does not exist. */
export async function insertDismissal(
  connection: Connection,
  { profileId, itemId, now }: { profileId: string; itemId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into dismissed_recommendations as d (profile_id, media_item_id, dismissed_at)
    select ${profileId}::uuid, i.id, ${sql.timestamp(now)} from media_items i where i.id = ${itemId} for key share of i
    on conflict (profile_id, media_item_id) do update set dismissed_at = d.dismissed_at`)
  return rowCount > 0
}
