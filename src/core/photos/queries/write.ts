import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import { toExifObject } from '../exif-object.ts'
import type { PhotoWrite } from '../photo.ts'

/** Library and list position are copied from the item; a later change of its role is followed by the trigger `photos_follow_role`. */
export async function upsertPhotos(connection: Connection, writes: readonly PhotoWrite[]): Promise<void> {
  const rows = writes.map(({ itemId, photo }) => [
    itemId,
    photo.width,
    photo.height,
    photo.orientation,
    photo.taken.unixSeconds,
    photo.taken.local,
    photo.taken.offsetMinutes,
    photo.taken.source,
    JSON.stringify(toExifObject(photo)),
    photo.contentIdentifier,
    photo.motionOffsetBytes,
  ])
  const types = ['uuid', 'int4', 'int4', 'int2', 'int8', 'timestamp', 'int2', 'text', 'jsonb', 'text', 'int8'] as const
  await connection.query(sql.unsafe`
    insert into photos (media_item_id, width, height, orientation, taken_at, taken_local, offset_minutes, time_source, exif,
      content_identifier, motion_offset, library_id, is_listed)
    select v.*, i.library_id, i.role is null from ${sql.unnest(rows, [...types])}
      as v (id, width, height, orientation, taken_at, taken_local, offset_minutes, time_source, exif, content_identifier, motion_offset)
    join media_items i on i.id = v.id
    on conflict (media_item_id) do update set
      width = excluded.width, height = excluded.height, orientation = excluded.orientation, taken_at = excluded.taken_at,
      taken_local = excluded.taken_local, offset_minutes = excluded.offset_minutes, time_source = excluded.time_source,
      exif = excluded.exif, content_identifier = excluded.content_identifier, motion_offset = excluded.motion_offset`)
}

export async function movePhotoToItem(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from photos where media_item_id = ${toId} and exists (select from photos where media_item_id = ${fromId})`)
  await connection.query(sql.unsafe`update photos set media_item_id = ${toId} where media_item_id = ${fromId}`)
}
