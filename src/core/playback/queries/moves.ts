import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'

type Move = { fromId: string; toId: string }

/** Nobody reports on either item until the transaction ends, which will change both; the first locks, as everywhere. */
export async function lockMovedItems(connection: Connection, { fromId, toId }: Move): Promise<void> {
  await connection.query(sql.unsafe`
    select from media_items where id in (${fromId}, ${toId}) order by id for update`)
}

/** In a session that has both, the state of the first item is the later word. */
export async function moveStates(connection: Connection, { fromId, toId }: Move): Promise<void> {
  await connection.query(sql.unsafe`update playback_sessions set last_item_id = ${toId} where last_item_id = ${fromId}`)
  await connection.query(sql.unsafe`
    delete from playback_states s using playback_states later
    where s.media_item_id = ${toId} and later.media_item_id = ${fromId} and later.session_id = s.session_id`)
  await connection.query(sql.unsafe`
    update playback_states set media_item_id = ${toId} where media_item_id = ${fromId}`)
}

/** A session that has counted a play of both keeps one: it is one film. */
export async function moveRecords(connection: Connection, { fromId, toId }: Move): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_records r set media_item_id = ${toId}
    where r.media_item_id = ${fromId} and not exists (
      select from playback_records other where other.session_id = r.session_id and other.media_item_id = ${toId})`)
}
