import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { PlayDay, TopUser } from '../play-counts.ts'

const RepairedRow = z.strictObject({ repaired: z.number() })

const DayRow = z.strictObject({
  day: z.string(),
  playCount: z.number(),
  completedCount: z.number(),
  watchedSeconds: z.number(),
})

/**
 * `from` and `to` are days such as `2026-01-31`, and both are included. The series is made of day numbers, because a series of times would
 * depend on the time zone of the session.
 */
export async function selectPlayDays(
  connection: Connection,
  { from, to }: { from: string; to: string },
): Promise<PlayDay[]> {
  const rows = await connection.any(sql.type(DayRow)`
    select to_char(${from}::date + n, 'YYYY-MM-DD') as day, coalesce(p.play_count, 0)::int8 as play_count,
      coalesce(p.completed_count, 0)::int8 as completed_count, coalesce(p.watched_seconds, 0)::int8 as watched_seconds
    from generate_series(0, ${to}::date - ${from}::date) n
    left join (
      select day, sum(play_count) as play_count, sum(completed_count) as completed_count, sum(watched_seconds) as watched_seconds
      from play_days where day between ${from}::date and ${to}::date group by day) p on p.day = ${from}::date + n
    order by n`)
  return [...rows]
}

const UserRow = z.strictObject({
  userId: z.string(),
  username: z.string(),
  playCount: z.number(),
  watchedSeconds: z.number(),
})

type TopQuery = { limit: number; since: string | null }

export async function selectTopUsers(connection: Connection, { limit, since }: TopQuery): Promise<TopUser[]> {
  const rows = await connection.any(sql.type(UserRow)`
    select p.user_id, u.username, p.play_count, p.watched_seconds
    from (
      select r.account_id as user_id, sum(d.play_count)::int8 as play_count, sum(d.watched_seconds)::int8 as watched_seconds
      from play_days d join profiles r on r.id = d.profile_id where ${isSince(since)} group by r.account_id) p
    join users u on u.id = p.user_id
    order by p.watched_seconds desc, p.play_count desc, p.user_id limit ${limit}`)
  return [...rows]
}

const ItemRow = z.strictObject({ itemId: z.string(), playCount: z.number(), watchedSeconds: z.number() })

export async function selectTopItems(
  connection: Connection,
  { limit, since }: TopQuery,
): Promise<readonly z.infer<typeof ItemRow>[]> {
  return connection.any(sql.type(ItemRow)`
    select media_item_id as item_id, sum(play_count)::int8 as play_count, sum(watched_seconds)::int8 as watched_seconds
    from play_days where ${isSince(since)} group by media_item_id
    order by play_count desc, watched_seconds desc, media_item_id limit ${limit}`)
}

function isSince(since: string | null) {
  return since === null ? sql.fragment`true` : sql.fragment`day >= ${since}::date`
}

/** @returns the number of rows that differed from the plays */
export async function repairPlayDays(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(RepairedRow)`select rebuild_play_days() as repaired`)
}
