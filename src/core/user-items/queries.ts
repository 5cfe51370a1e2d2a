import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Page } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { UserData, UserItemKey } from './user-data.ts'

const UserDataRow = z.strictObject({
  isFavourite: z.boolean(),
  rating: z.number().nullable(),
  likeLevel: z.number(),
  isWatched: z.boolean(),
})

const FavouriteRow = UserDataRow.extend({ itemId: z.string() })

/** The episodes of a series or season: direct children, or children of its seasons. */
function episodesBelow(top: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    select e.id from media_items e where e.type = 'episode' and e.role is null
      and e.parent_id in (select ${top} union all select s.id from media_items s where s.parent_id = ${top})`
}

const userDataColumns = sql.fragment`
  u.favourite_since is not null as is_favourite, u.rating, u.like_level, u.watched_at is not null as is_watched`

const WatchedRow = z.strictObject({ itemId: z.string(), isWatched: z.boolean() })

/** For series and seasons with episodes: whether a profile has watched all of them. */
export async function selectWatchedGroups(
  connection: Connection,
  { profileId, itemIds }: { profileId: string; itemIds: readonly string[] },
): Promise<Map<string, boolean>> {
  const rows = await connection.any(sql.type(WatchedRow)`
    select top.id as item_id, bool_and(u.watched_at is not null) as is_watched
    from media_items top cross join lateral (${episodesBelow(sql.fragment`top.id`)}) below
    left join user_items u on u.profile_id = ${profileId} and u.media_item_id = below.id
    where top.id = any (${sql.array([...itemIds], 'uuid')}) and top.type in ('series', 'season') group by top.id`)
  return new Map(rows.map(({ itemId, isWatched }) => [itemId, isWatched]))
}

/** Setting a favourite again keeps its position in the list. */
export async function upsertFavourite(connection: Connection, key: UserItemKey, since: Date | null): Promise<boolean> {
  return upsert(connection, key, {
    column: sql.fragment`favourite_since`,
    value: timeOrNull(since),
    merged: since === null ? sql.fragment`null` : sql.fragment`coalesce(u.favourite_since, excluded.favourite_since)`,
  })
}

/** @param rating with its time; null removes it */
export async function upsertRating(
  connection: Connection,
  key: UserItemKey,
  rating: { value: number; at: Date } | null,
): Promise<boolean> {
  return upsert(connection, key, {
    column: sql.fragment`rating, rated_at`,
    value: sql.fragment`${rating?.value ?? null}::integer, ${timeOrNull(rating?.at ?? null)}`,
    merged: sql.fragment`excluded.rating, excluded.rated_at`,
  })
}

export async function upsertLikeLevel(connection: Connection, key: UserItemKey, level: number): Promise<boolean> {
  return upsert(connection, key, {
    column: sql.fragment`like_level`,
    value: sql.fragment`${level}::integer`,
    merged: sql.fragment`excluded.like_level`,
  })
}

/**
 * Marks an item, or instead of a group all its episodes, in one statement; null removes existing marks. Rows are locked in one order, so
 * that concurrent calls do not deadlock.
 */
export async function upsertWatchedAt(
  connection: Connection,
  { profileId, itemId }: UserItemKey,
  at: Date | null,
): Promise<boolean> {
  const targets =
    at === null
      ? sql.fragment`
        select ${itemId}::uuid union all select below.id from below
        join user_items m on m.profile_id = ${profileId} and m.media_item_id = below.id and m.watched_at is not null`
      : sql.fragment`select id from below union all select ${itemId}::uuid where not exists (select from below)`
  const { rowCount } = await connection.query(sql.unsafe`
    with below as materialized (${episodesBelow(sql.fragment`${itemId}::uuid`)})
    insert into user_items as u (profile_id, media_item_id, watched_at)
    select ${profileId}::uuid, i.id, ${timeOrNull(at)} from media_items i where i.id in (${targets}) order by i.id for key share of i
    on conflict (profile_id, media_item_id) do update set watched_at = excluded.watched_at`)
  return rowCount > 0
}

type ColumnWrite = { column: FragmentSqlToken; value: FragmentSqlToken; merged: FragmentSqlToken }

/**
 * Writes some columns of a row and inserts it if it does not exist; false if the item does not exist. The share lock lets the statement
 * wait for a concurrent removal of the item, so that it finds no item instead of violating the foreign key.
 */
async function upsert(
  connection: Connection,
  { profileId, itemId }: UserItemKey,
  { column, value, merged }: ColumnWrite,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into user_items as u (profile_id, media_item_id, ${column})
    select ${profileId}::uuid, i.id, ${value} from media_items i where i.id = ${itemId} for key share of i
    on conflict (profile_id, media_item_id) do update set (${column}) = row (${merged})`)
  return rowCount > 0
}

function timeOrNull(time: Date | null): FragmentSqlToken {
  return time === null ? sql.fragment`null::timestamptz` : sql.fragment`${sql.timestamp(time)}`
}

export async function selectUserData(
  connection: Connection,
  { profileId, itemId }: UserItemKey,
): Promise<UserData | undefined> {
  const row = await connection.maybeOne(sql.type(UserDataRow)`
    select ${userDataColumns} from user_items u where u.profile_id = ${profileId} and u.media_item_id = ${itemId}`)
  return row ?? undefined
}

const ScoresRow = z.strictObject({
  provider: z.number().nullable(),
  providerVotes: z.number().nullable(),
  local: z.number().nullable(),
  localVotes: z.number().nullable(),
  people: z.number().nullable(),
  peopleVotes: z.number(),
})

/** The number under a metadata key, if it is in the range of a score or a count; else null. */
function numberAtKey(source: FragmentSqlToken, key: string, most: number): FragmentSqlToken {
  const value = sql.fragment`i.${source}->${key}`
  return sql.fragment`case when jsonb_typeof(${value}) = 'number' and ${value} between '0' and ${String(most)}::jsonb
    then round((${value})::numeric, 4)::float8 end`
}

/** The scores of an item by source; undefined if the item does not exist. */
export async function selectScores(
  connection: Connection,
  itemId: string,
): Promise<z.infer<typeof ScoresRow> | undefined> {
  const [provider, local] = [sql.fragment`metadata`, sql.fragment`local_metadata`]
  const row = await connection.maybeOne(sql.type(ScoresRow)`
    select ${numberAtKey(provider, 'vote_average', 10)} as provider,
      ${numberAtKey(provider, 'vote_count', 1e9)} as provider_votes,
      ${numberAtKey(local, 'vote_average', 10)} as local, ${numberAtKey(local, 'vote_count', 1e9)} as local_votes,
      u.score as people, u.votes as people_votes
    from media_items i
    cross join lateral (
      select avg(rating)::float8 as score, count(rating) as votes from user_items where media_item_id = i.id
    ) u
    where i.id = ${itemId}`)
  return row ?? undefined
}

/** A page of a profile's favourites, the newest first, then by id. Index user_items_favourites. */
export async function selectFavourites(
  connection: Connection,
  { profileId, limit, offset }: Page & { profileId: string },
): Promise<z.infer<typeof FavouriteRow>[]> {
  const rows = await connection.any(sql.type(FavouriteRow)`
    select u.media_item_id as item_id, ${userDataColumns} from user_items u
    where u.profile_id = ${profileId} and u.favourite_since is not null
    order by u.favourite_since desc, u.media_item_id limit ${limit} offset ${offset}`)
  return [...rows]
}

/** Copies every profile's row of one item to another; if both exist, the values of the first item have priority. */
export async function copyUserData(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into user_items as u (profile_id, media_item_id, favourite_since, rating, rated_at, like_level, watched_at)
    select profile_id, ${toId}::uuid, favourite_since, rating, rated_at, like_level, watched_at
    from user_items where media_item_id = ${fromId}
    on conflict (profile_id, media_item_id) do update set
      favourite_since = coalesce(u.favourite_since, excluded.favourite_since),
      rating = coalesce(excluded.rating, u.rating),
      rated_at = case when excluded.rating is null then u.rated_at else excluded.rated_at end,
      like_level = case when excluded.like_level = 0 then u.like_level else excluded.like_level end,
      watched_at = coalesce(excluded.watched_at, u.watched_at)`)
}

/**
 * Merges the row of each profile about one item into its row about another item, which is the same film: a favourite if either is one, the
 * newer rating (a rating without a time is the oldest), the later mark as watched, and a like only if the other has none.
 */
export async function mergeUserDataRows(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  const isNewer = sql.fragment`(excluded.rating is not null and (u.rating is null
    or coalesce(excluded.rated_at, '-infinity') > coalesce(u.rated_at, '-infinity')))`
  await connection.query(sql.unsafe`
    with gone as (delete from user_items where media_item_id = ${fromId} returning *)
    insert into user_items as u (profile_id, media_item_id, favourite_since, rating, rated_at, like_level, watched_at)
    select profile_id, ${toId}::uuid, favourite_since, rating, rated_at, like_level, watched_at from gone
    on conflict (profile_id, media_item_id) do update set
      favourite_since = least(u.favourite_since, excluded.favourite_since),
      rating = case when ${isNewer} then excluded.rating else u.rating end,
      rated_at = case when ${isNewer} then excluded.rated_at else u.rated_at end,
      like_level = case when u.like_level = 0 then excluded.like_level else u.like_level end,
      watched_at = greatest(u.watched_at, excluded.watched_at)`)
}

const MoveRow = z.strictObject({ fromId: z.string(), toId: z.string() })

/** Versions in a library that have user data, with the films that they are versions of. */
export async function selectVersionsWithUserData(
  connection: Connection,
  libraryId: string,
): Promise<readonly z.infer<typeof MoveRow>[]> {
  return connection.any(sql.type(MoveRow)`
    select i.id as from_id, i.primary_id as to_id from media_items i
    where i.library_id = ${libraryId} and i.role = 'version' and i.primary_id is not null
      and exists (select from user_items u where u.media_item_id = i.id)
    order by i.id`)
}
