import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { AnalysedFile } from '../film/analysed-file.ts'
import { MARKER_SOURCES, MARKER_TYPES, type Marker, type MarkerType } from '../film/marker.ts'

const MarkerRow = z.strictObject({
  itemId: z.string(),
  type: z.enum(MARKER_TYPES),
  /** Null: an administrator has said that the item has no such part. */
  startMilliseconds: z.number().nullable(),
  endMilliseconds: z.number().nullable(),
  source: z.enum(MARKER_SOURCES),
  confidence: z.number(),
})

export type StoredMarker = z.infer<typeof MarkerRow>

const columns = sql.fragment`
  m.media_item_id as item_id, m.type, m.start_ms as start_milliseconds, m.end_ms as end_milliseconds, m.source, m.confidence`

/** Detected markers are valid only for the version of the file that was analysed. */
const isCurrent = sql.fragment`
  (m.source = 'manual' or (m.size_bytes = i.size_bytes and m.modified_ns = i.modified_ns))`

/** The markers of some items. */
export async function selectMarkers(connection: Connection, itemIds: readonly string[]): Promise<StoredMarker[]> {
  const rows = await connection.any(sql.type(MarkerRow)`
    select ${columns} from media_markers m join media_items i on i.id = m.media_item_id
    where m.media_item_id = any (${sql.array([...itemIds], 'uuid')}) and ${isCurrent}
    order by m.media_item_id, m.start_ms`)
  return [...rows]
}

const ItemRow = z.strictObject({ itemId: z.string() })

/** The ids of items with a marker of a type; with `near`, the marker must contain a time or lie close to it. */
export async function selectItemsWithMarker(
  connection: Connection,
  { type, near, limit }: { type: MarkerType; near: { milliseconds: number; within: number } | null; limit: number },
): Promise<string[]> {
  const isNear =
    near === null
      ? sql.fragment`true`
      : sql.fragment`m.start_ms <= ${near.milliseconds + near.within}::bigint and m.end_ms >= ${near.milliseconds - near.within}::bigint`
  const rows = await connection.anyFirst(sql.type(ItemRow)`
    select m.media_item_id as item_id from media_markers m join media_items i on i.id = m.media_item_id
    where m.type = ${type} and m.start_ms is not null and ${isCurrent} and i.role is null and i.missing_since is null and ${isNear}
    order by i.sort_key, i.id limit ${limit}`)
  return [...rows]
}

/** Replaces the detected markers of an item; markers of an administrator stay. */
export async function replaceDetectedMarkers(
  connection: Connection,
  {
    file,
    markers,
    now,
  }: {
    file: Pick<AnalysedFile, 'itemId' | 'sizeBytes' | 'modifiedAtNanoseconds'>
    markers: readonly Marker[]
    now: Date
  },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from media_markers where media_item_id = ${file.itemId} and source <> 'manual'`)
  for (const { type, startMilliseconds, endMilliseconds, source, confidence } of markers) {
    await connection.query(sql.unsafe`
      insert into media_markers (media_item_id, type, start_ms, end_ms, source, confidence, size_bytes, modified_ns, created_at)
      select i.id, ${type}, ${startMilliseconds}, ${endMilliseconds}, ${source}, ${confidence}, ${file.sizeBytes},
        ${file.modifiedAtNanoseconds}::bigint, ${sql.timestamp(now)}
      from media_items i where i.id = ${file.itemId}
      on conflict (media_item_id, type) do nothing`)
  }
}

/** Stores a marker of an administrator; without times it says that the item has no such part. */
export async function upsertManualMarker(
  connection: Connection,
  row: {
    itemId: string
    type: MarkerType
    range: { startMilliseconds: number; endMilliseconds: number } | null
    now: Date
  },
): Promise<void> {
  const { startMilliseconds = null, endMilliseconds = null } = row.range ?? {}
  await connection.query(sql.unsafe`
    insert into media_markers (media_item_id, type, start_ms, end_ms, source, confidence, created_at)
    values (${row.itemId}, ${row.type}, ${startMilliseconds}, ${endMilliseconds}, 'manual', 1, ${sql.timestamp(row.now)})
    on conflict (media_item_id, type) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms, source = 'manual',
      confidence = 1, size_bytes = null, modified_ns = null, created_at = excluded.created_at`)
}

/** Removes the markers of an administrator, and makes the next analysis detect the item again. */
export async function deleteManualMarkers(connection: Connection, itemId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from media_markers where media_item_id = ${itemId} and source = 'manual'`)
  await connection.query(sql.unsafe`
    delete from file_analyses where media_item_id = ${itemId} and feature = 'credits'`)
  await connection.query(sql.unsafe`
    delete from season_analyses s using media_items i left join media_items p on p.id = i.primary_id
    where i.id = ${itemId} and s.season_id = coalesce(i.parent_id, p.parent_id)`)
}
