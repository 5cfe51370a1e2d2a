import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { STREAM_TYPES, type ItemVersion, type MediaItem, type MediaStream } from '../item/media-item.ts'
import { itemFields, commonItemColumns } from './item-fields.ts'
import { rowVersion } from './listed-items.ts'

/** The row of an item in all queries of this file. */
export const ItemRow = z.strictObject({
  ...itemFields,
  sizeBytes: z.number().nullable(),
  fileSeconds: z.number().nullable(),
  container: z.string().nullable(),
  bitrate: z.number().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  probeError: z.string().nullable(),
  missingSince: z.date().nullable(),
  addedAt: z.date(),
})

export const ItemWithChaptersRow = ItemRow.extend({
  chapters: z.array(z.strictObject({ startSeconds: z.number(), endSeconds: z.number(), title: z.string().nullable() })),
})

const StreamRow = z.strictObject({
  id: z.string(),
  mediaItemId: z.string(),
  index: z.number(),
  type: z.enum(STREAM_TYPES),
  codec: z.string().nullable(),
  language: z.string().nullable(),
  title: z.string().nullable(),
  bitrate: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  channels: z.number().nullable(),
  isDefault: z.boolean(),
  details: z.record(z.string(), z.unknown()),
})

export const itemColumns = sql.fragment`
  ${commonItemColumns}, i.size_bytes, i.duration_seconds as file_seconds, i.container, i.bitrate,
  i.metadata || i.local_metadata as metadata, i.probe_error, i.missing_since, i.added_at`

export async function selectItem(
  connection: Connection,
  id: string,
): Promise<z.infer<typeof ItemWithChaptersRow> | undefined> {
  const row = await connection.maybeOne(sql.type(ItemWithChaptersRow)`
    select ${itemColumns}, i.chapters from media_items i where i.id = ${id}`)
  return row ?? undefined
}

export async function selectItemsById(connection: Connection, ids: readonly string[]): Promise<MediaItem[]> {
  const rows = await connection.any(sql.type(ItemRow)`
    select ${itemColumns} from media_items i where i.id = any (${sql.array([...ids], 'uuid')})`)
  return [...rows]
}

const WholeRow = ItemRow.extend({ rowVersion: z.string() })

/** The complete items with these ids, in no particular order; unknown ids are left out. */
export async function selectCompleteById(
  connection: Connection,
  ids: readonly string[],
): Promise<ItemVersion<MediaItem>[]> {
  const rows = await connection.any(sql.type(WholeRow)`
    select ${itemColumns}, ${rowVersion} as row_version from media_items i where i.id = any (${sql.array([...ids], 'uuid')})`)
  return rows.map(({ rowVersion: version, ...item }) => ({ rowVersion: version, item }))
}

/** The streams of some items, each item in file order. */
export async function selectStreamsByItem(
  connection: Connection,
  itemIds: readonly string[],
): Promise<readonly MediaStream[]> {
  return connection.any(sql.type(StreamRow)`
    select id, media_item_id, stream_index as index, stream_type as type, codec, language, title, bitrate, width, height,
      channels, is_default, details
    from media_streams where media_item_id = any (${sql.array([...itemIds], 'uuid')}) order by media_item_id, stream_index`)
}

export async function selectItemStreams(connection: Connection, itemId: string): Promise<MediaStream[]> {
  const rows = await connection.any(sql.type(StreamRow)`
    select id, media_item_id, stream_index as index, stream_type as type, codec, language, title, bitrate, width, height,
      channels, is_default, details
    from media_streams where media_item_id = ${itemId} order by stream_index`)
  return [...rows]
}

const ParentRow = z.strictObject({ id: z.string(), parentId: z.string() })

/** The parents of items that have one, by their ids. */
export async function selectParents(connection: Connection, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await connection.any(sql.type(ParentRow)`
    select id, parent_id from media_items where id = any (${sql.array([...ids], 'uuid')}) and parent_id is not null`)
  return new Map(rows.map(({ id, parentId }) => [id, parentId]))
}

const ItemFileRow = z.strictObject({
  id: z.string(),
  /** Null for the own file of the item. A part of a version has the role of a part of that version. */
  role: z.enum(['version', 'part']).nullable(),
  label: z.string().nullable(),
  path: z.string(),
  sizeBytes: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  container: z.string().nullable(),
  codec: z.string().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
})

/** A file with its own duration, and its first video stream, or else its first audio stream. */
export type ItemFile = z.infer<typeof ItemFileRow>

/** The files of items: each own file and its parts, then each version with its parts. */
export async function selectItemFiles(
  connection: Connection,
  itemIds: readonly string[],
): Promise<Map<string, ItemFile[]>> {
  const rows = await connection.any(sql.type(ItemFileRow.extend({ itemId: z.string() }))`
    with recursive files as (
      select id as item_id, id, ''::text as place, null::text as role from media_items where id = any (${sql.array([...itemIds], 'uuid')})
      union all
      select files.item_id, f.id, files.place || case f.role when 'version' then 'v' else 'p' end || lpad(coalesce(f.role_order, 99999)::text, 6, '0') || f.id, f.role
      from files join media_items f on f.primary_id = files.id
        and (f.role = 'part' or f.role = 'version' and files.role is null)
      where length(files.place) < 200)
    select files.item_id, i.id, files.role, i.role_label as label, i.path, i.size_bytes, i.duration_seconds, i.container, s.codec, s.width, s.height
    from files join media_items i on i.id = files.id left join lateral (
      select codec, width, height from media_streams
      where media_item_id = i.id and stream_type in ('video', 'audio') order by stream_type desc, stream_index limit 1) s on true
    where i.path is not null
    order by files.place, i.path`)
  const files = new Map<string, ItemFile[]>(itemIds.map((id) => [id, []]))
  for (const { itemId, ...file } of rows) files.get(itemId)?.push(file)
  return files
}
