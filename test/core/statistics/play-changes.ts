import { sql } from 'slonik'
import type { Database } from '../../../src/core/platform/database/index.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

export const TICKS_PER_SECOND = 10_000_000

export type Play = { user: string; item: string; at: string; seconds?: number; isCompleted?: boolean }

/** A play as stored by the reports of a player; returns its session. */
export async function recordPlay(
  db: Database,
  { user, item, at, seconds = 100, isCompleted = true }: Play,
): Promise<string> {
  return String(
    await db.oneFirst(sql.unsafe`
      insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, completed_at, reached_ticks)
      values (gen_random_uuid(), ${user}, ${item}, ${at}::timestamptz, ${at}::timestamptz,
        case when ${isCompleted} then ${at}::timestamptz end, ${seconds * TICKS_PER_SECOND + 1})
      returning session_id`),
  )
}

const AT_ONCE = 8

type Changes = { users: readonly string[]; items: readonly string[]; random: SeededRandom; rounds: number }

/** Rounds of plays that start, continue, move to other items and are deleted, eight at once. */
export async function changeAtOnce(db: Database, { users, items, random, rounds }: Changes): Promise<void> {
  const change = async (number: number): Promise<void> => {
    const [user, item] = [users[number % users.length] ?? '', items[number % items.length] ?? '']
    const at = `2026-03-0${1 + (number % 4)}T0${number % 10}:00Z`
    // One of the user's plays; the number decides which one.
    const which = sql.fragment`
      select session_id from playback_records where profile_id = ${user} order by md5(session_id::text || ${number}) limit 1`
    switch (number % 5) {
      case 0:
        return void (await db.query(sql.unsafe`delete from playback_records where session_id in (${which})`))
      case 1:
        return void (await db.query(sql.unsafe`
          update playback_records set reached_ticks = reached_ticks + ${number * TICKS_PER_SECOND}, completed_at = counted_at
          where session_id in (${which})`))
      case 2:
        return void (await db.query(sql.unsafe`
          update playback_records set media_item_id = ${item}, counted_at = ${at}::timestamptz where session_id in (${which})`))
      default:
        return void (await recordPlay(db, { user, item, at, seconds: number, isCompleted: number % 2 === 0 }))
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const numbers = Array.from({ length: AT_ONCE }, () => random.below(1000))
    // Moves of plays to another item, which only a scan makes, are written one after the other.
    const moves = numbers.filter((number) => number % 5 === 2)
    const others = numbers.filter((number) => number % 5 !== 2)
    await Promise.all(others.map(change))
    for (const number of moves) await change(number)
  }
}
