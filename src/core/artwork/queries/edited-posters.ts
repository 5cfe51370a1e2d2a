import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

/** @returns whether the stored poster changed */
export async function upsertEditedPoster(
  connection: Connection,
  { itemId, bytes, now }: { itemId: string; bytes: Buffer; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into edited_posters as p (media_item_id, bytes, created_at)
    values (${itemId}, ${sql.binary(bytes)}, ${sql.timestamp(now)})
    on conflict (media_item_id) do update set bytes = excluded.bytes, created_at = excluded.created_at
    where p.content_hash <> excluded.content_hash`)
  return rowCount > 0
}

/** @returns whether a poster was deleted */
export async function deleteEditedPoster(connection: Connection, itemId: string): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`delete from edited_posters where media_item_id = ${itemId}`)
  return rowCount > 0
}

const BytesRow = z.strictObject({ bytes: z.instanceof(Buffer) })

export async function selectEditedPoster(connection: Connection, itemId: string): Promise<Buffer | undefined> {
  const bytes = await connection.maybeOneFirst(sql.type(BytesRow)`
    select bytes from edited_posters where media_item_id = ${itemId}`)
  return bytes ?? undefined
}
