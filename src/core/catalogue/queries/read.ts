import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { CheckedItemFilter } from '../item-filter.ts'
import { MEDIA_ITEM_TYPES, STREAM_TYPES, type MediaItem, type MediaStream } from '../media-item.ts'

const ItemRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  parentId: z.string().nullable(),
  type: z.enum(MEDIA_ITEM_TYPES),
  name: z.string(),
  sortTitle: z.string(),
  year: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  episodeTitle: z.string().nullable(),
  path: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  container: z.string().nullable(),
  bitrate: z.number().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  probeError: z.string().nullable(),
  missingSince: z.date().nullable(),
  addedAt: z.date(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const ItemWithChaptersRow = ItemRow.extend({
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

const itemColumns = sql.fragment`
  i.id, i.library_id, i.parent_id, i.type, i.name, i.sort_title, i.year, i.season_number, i.episode_number, i.episode_title,
  i.path, i.size_bytes, i.duration_seconds, i.container, i.bitrate, i.metadata || i.local_metadata as metadata, i.probe_error, i.missing_since,
  i.added_at, i.created_at, i.updated_at`

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

export async function selectStreams(connection: Connection, itemId: string): Promise<MediaStream[]> {
  const rows = await connection.any(sql.type(StreamRow)`
    select id, media_item_id, stream_index as index, stream_type as type, codec, language, title, bitrate, width, height,
      channels, is_default, details
    from media_streams where media_item_id = ${itemId} order by stream_index`)
  return [...rows]
}

export async function countItems(connection: Connection, filter: CheckedItemFilter): Promise<number> {
  return connection.oneFirst(sql.type(z.strictObject({ count: z.number() }))`
    select count(*) as count from media_items i where ${whereOf(filter)}`)
}

export async function selectItems(connection: Connection, filter: CheckedItemFilter): Promise<MediaItem[]> {
  const rows = await connection.any(sql.type(ItemRow)`
    select ${itemColumns} from media_items i where ${whereOf(filter)}
    order by ${orderOf(filter)} limit ${filter.limit} offset ${filter.offset}`)
  return [...rows]
}

function whereOf(filter: CheckedItemFilter): FragmentSqlToken {
  const conditions = [sql.fragment`i.role is null`]
  if (filter.libraryId !== undefined) conditions.push(sql.fragment`i.library_id = ${filter.libraryId}`)
  if (filter.parentId !== undefined) conditions.push(sql.fragment`i.parent_id = ${filter.parentId}`)
  if (filter.isTopLevel) conditions.push(sql.fragment`i.parent_id is null`)
  if (filter.search !== undefined) {
    conditions.push(sql.fragment`i.search_name like '%' || ${literalPattern(filter.search)} || '%' escape '!'`)
  }
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`
}

/** Folded first, escaped then: folding turns the full-width percent sign into a plain one. */
function literalPattern(search: string): FragmentSqlToken {
  return sql.fragment`regexp_replace(search_fold(${search}), '([!%_])', '!\\1', 'g')`
}

/** Sort words to columns; the only place where a request's word meets the text of a statement. */
const COLUMNS = {
  name: sql.fragment`i.sort_key`,
  year: sql.fragment`i.year`,
  added: sql.fragment`i.added_at`,
  runtime: sql.fragment`i.duration_seconds`,
  rating: sql.fragment`i.metadata->>'rating'`,
} as const satisfies Partial<Record<CheckedItemFilter['sort'], FragmentSqlToken>>

function orderOf({ sort, order, search }: CheckedItemFilter): FragmentSqlToken {
  if (sort === 'random') return sql.fragment`random(), i.id`
  const direction = order === 'desc' ? sql.fragment`desc` : sql.fragment`asc`
  if (sort === 'relevance') {
    return sql.fragment`
      (i.search_name like ${literalPattern(search ?? '')} || '%' escape '!') desc, i.sort_key ${direction}, i.id ${direction}`
  }
  if (sort === 'position') {
    // Specials last (document 1, Drilling into a series); shows that count by days have no numbers.
    return sql.fragment`
      nullif(i.season_number, 0) ${direction} nulls last, i.episode_number ${direction} nulls last,
      coalesce(i.local_metadata->>'air_date', i.metadata->>'air_date') ${direction} nulls last,
      i.sort_key ${direction}, i.id ${direction}`
  }
  if (sort === 'name') return sql.fragment`i.sort_key ${direction}, i.id ${direction}`
  return sql.fragment`${COLUMNS[sort]} ${direction} nulls last, i.sort_key, i.id`
}
