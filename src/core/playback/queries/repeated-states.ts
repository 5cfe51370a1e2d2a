import { sql } from 'slonik'
import { CountRow, type Connection } from '../../platform/database/index.ts'

/** The number of states beyond the newest one of each session and item. */
export async function countRepeatedStates(db: Connection): Promise<number> {
  return db.oneFirst(sql.type(CountRow)`
    select coalesce(sum(rows - 1), 0)::bigint as count from (
      select count(*) as rows from playback_states group by session_id, media_item_id having count(*) > 1) r`)
}

/** Keeps the newest state of each session and item. Rows without a key are named by their place in the table. */
export async function deleteRepeatedStates(db: Connection, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    delete from playback_states where ctid = any (array(
      select place from (
        select ctid as place, row_number() over (partition by session_id, media_item_id order by updated_at desc, ctid) as number
        from playback_states) s
      where number > 1 limit ${limit}))`)
  return rowCount
}
