import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const IdRow = z.strictObject({ mediaItemId: z.string() })

/** The items whose thumbnails were made according to the database; their files may have been deleted since. */
export async function selectItemsWithTrickplay(connection: Connection): Promise<string[]> {
  const rows = await connection.any(sql.type(IdRow)`
    select media_item_id from file_analyses where feature = 'trickplay' and outcome = 'done'`)
  return rows.map(({ mediaItemId }) => mediaItemId)
}

/** Deletes the success records of items whose thumbnail files no longer exist, so that the next analysis makes the thumbnails again. */
export async function deleteTrickplayResults(connection: Connection, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return
  await connection.query(sql.unsafe`
    delete from file_analyses
    where feature = 'trickplay' and outcome = 'done' and media_item_id = any(${sql.array([...itemIds], 'uuid')})`)
}

/** Records that thumbnails were removed to save space: they are made again only if an analysis is forced. */
export async function markTrickplayRemoved(connection: Connection, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return
  await connection.query(sql.unsafe`
    update file_analyses set outcome = 'none', reason = 'the pictures were removed to save space'
    where feature = 'trickplay' and outcome = 'done' and media_item_id = any(${sql.array([...itemIds], 'uuid')})`)
}

/** Returns those of the items whose thumbnails have neither been made nor failed for the present version of their file. */
export async function selectItemsWithoutTrickplay(
  connection: Connection,
  itemIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.any(sql.type(IdRow)`
    select i.id as media_item_id from media_items i
    where i.id = any(${sql.array([...itemIds], 'uuid')}) and i.path is not null and i.missing_since is null
      and i.type in ('movie', 'episode', 'video')
      and not exists (
        select 1 from file_analyses a
        where a.media_item_id = i.id and a.feature = 'trickplay' and a.size_bytes = i.size_bytes
          and a.modified_ns = i.modified_ns)
    order by i.id`)
  return rows.map(({ mediaItemId }) => mediaItemId)
}
