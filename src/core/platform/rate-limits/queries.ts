import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../database/index.ts'

const CountRow = z.strictObject({ hits: z.number(), windowEndsAt: z.date() })

const HitsRow = z.strictObject({ hits: z.number() })

type Row = z.infer<typeof CountRow>
type CounterKey = { surface: string; key: string }

/** The current time, and the end of a window that starts now, which is the latest valid end. */
type WindowTimes = { now: Date; latestEnd: Date }

/** More than any limit, and far below the range of the column. */
const MAX_HITS = 1_000_000_000

/** Number of expired windows that the creation of a window deletes. */
const EXPIRED_PER_CALL = 10

/** Counts one hit in one statement, so that concurrent hits get distinct numbers. */
export async function incrementHits(
  connection: Connection,
  { surface, key, now, latestEnd }: CounterKey & WindowTimes,
): Promise<Row> {
  const [at, latest] = [sql.timestamp(now), sql.timestamp(latestEnd)]
  return connection.one(sql.type(CountRow)`
    insert into rate_limits as kept (surface, key, hits, window_ends_at) values (${surface}, ${key}, 1, ${latest})
    on conflict (surface, key) do update set
      hits = case when kept.window_ends_at <= ${at} then 1 else least(kept.hits, ${MAX_HITS}) + 1 end,
      window_ends_at = case when kept.window_ends_at <= ${at} then ${latest} else least(kept.window_ends_at, ${latest}) end
    returning hits, window_ends_at`)
}

/** The open window of a key. An end that is too far in the future, because the clock was set back, is corrected. */
export async function selectOpenWindow(
  connection: Connection,
  { surface, key, now, latestEnd }: CounterKey & WindowTimes,
): Promise<Row | undefined> {
  const latest = sql.timestamp(latestEnd)
  const row = await connection.maybeOne(sql.type(CountRow)`
    with corrected as (
      update rate_limits set window_ends_at = ${latest}
      where surface = ${surface} and key = ${key} and window_ends_at > ${latest})
    select hits, least(window_ends_at, ${latest}) as window_ends_at from rate_limits
    where surface = ${surface} and key = ${key} and window_ends_at > ${sql.timestamp(now)}`)
  return row ?? undefined
}

/** @returns the deleted number of hits */
export async function deleteWindow(connection: Connection, { surface, key }: CounterKey): Promise<number> {
  const hits = await connection.maybeOneFirst(sql.type(HitsRow)`
    delete from rate_limits where surface = ${surface} and key = ${key} returning hits`)
  return hits ?? 0
}

/** Deletes the counter if it would not stay above 0. */
export async function subtractHits(
  connection: Connection,
  { surface, key, hits }: CounterKey & { hits: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    with reduced as (
      update rate_limits set hits = hits - ${hits} where surface = ${surface} and key = ${key} and hits > ${hits})
    delete from rate_limits where surface = ${surface} and key = ${key} and hits <= ${hits}`)
}

/** Deletes some expired windows and skips rows that another transaction has locked. */
export async function deleteExpiredWindows(connection: Connection, now: Date): Promise<void> {
  await connection.query(sql.unsafe`
    delete from rate_limits where (surface, key) in (
      select surface, key from rate_limits where window_ends_at <= ${sql.timestamp(now)}
      order by window_ends_at limit ${EXPIRED_PER_CALL} for update skip locked)`)
}
