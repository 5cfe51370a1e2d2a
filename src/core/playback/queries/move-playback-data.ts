import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

type Move = { fromId: string; toId: string }

/** Blocks reports on both items until the transaction ends, which changes both; first lock, as everywhere. */
export async function lockMovedItems(connection: Connection, { fromId, toId }: Move): Promise<void> {
  await connection.query(sql.unsafe`
    select from media_items where id in (${fromId}, ${toId}) order by id for update`)
}

/** If a session has states of both, the later one is kept. */
export async function movePlaybackStates(connection: Connection, { fromId, toId }: Move): Promise<void> {
  await connection.query(sql.unsafe`update playback_sessions set last_item_id = ${toId} where last_item_id = ${fromId}`)
  await connection.query(sql.unsafe`
    delete from playback_states s using playback_states other
    where other.session_id = s.session_id and (
      (s.media_item_id = ${toId} and other.media_item_id = ${fromId} and other.updated_at >= s.updated_at)
      or (s.media_item_id = ${fromId} and other.media_item_id = ${toId} and other.updated_at > s.updated_at))`)
  await connection.query(sql.unsafe`
    update playback_states set media_item_id = ${toId} where media_item_id = ${fromId}`)
}

/** A session with counted plays of both keeps one, because it is one film. */
export async function movePlayRecords(connection: Connection, { fromId, toId }: Move): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_records r set media_item_id = ${toId}
    where r.media_item_id = ${fromId} and not exists (
      select from playback_records other where other.session_id = r.session_id and other.media_item_id = ${toId})`)
}

const MoveRow = z.strictObject({ fromId: z.string(), toId: z.string() })

/** Versions in a library that were played, with the films that they are versions of. Rows that cannot be moved (see above) are left out. */
export async function selectPlayedVersions(connection: Connection, libraryId: string): Promise<readonly Move[]> {
  return connection.any(sql.type(MoveRow)`
    select i.id as from_id, i.primary_id as to_id from media_items i
    where i.library_id = ${libraryId} and i.role = 'version' and i.primary_id is not null and (
      exists (select from playback_states s where s.media_item_id = i.id)
      or exists (
        select from playback_records r where r.media_item_id = i.id and not exists (
          select from playback_records other where other.session_id = r.session_id and other.media_item_id = i.primary_id)))
    order by i.id`)
}
