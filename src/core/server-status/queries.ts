import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

const Counted = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.array(z.strictObject({ ...fields, count: z.number() }))

const CountsRow = z.strictObject({
  items: Counted({ type: z.string() }),
  jobs: Counted({ kind: z.string(), state: z.string() }),
  deliveries: Counted({ state: z.string() }),
  users: z.number(),
  signIns: z.number(),
  players: z.number(),
  databaseBytes: z.number(),
})

/** Counts of the whole server. The numbers of items are exact; ended jobs and deliveries are those that are still stored. */
export type ServerCounts = z.infer<typeof CountsRow>

/** Reads all counts with one statement. Items are counted from their sums, so that the size of the catalogue does not matter. */
export async function selectServerCounts(
  db: Connection,
  { playingSince }: { playingSince: Date },
): Promise<ServerCounts> {
  return db.one(sql.type(CountsRow)`
    select
      (select coalesce(json_agg(c), '[]') from (
        select type, sum(count)::int8 as count from item_tallies where kind = 'items' group by type having sum(count) > 0 order by type) c) as items,
      (select coalesce(json_agg(c), '[]') from (
        select type as kind, status as state, count(*)::int8 as count from scan_jobs group by 1, 2 order by 1, 2) c) as jobs,
      (select coalesce(json_agg(c), '[]') from (
        select status as state, count(*)::int8 as count from deliveries group by 1 order by 1) c) as deliveries,
      (select count(*)::int8 from users) as users,
      (select count(*)::int8 from refresh_families where revoked_at is null) as sign_ins,
      (select count(*)::int8 from playback_sessions where ended_at is null and updated_at > ${sql.timestamp(playingSince)}) as players,
      pg_database_size(current_database())::int8 as database_bytes`)
}
