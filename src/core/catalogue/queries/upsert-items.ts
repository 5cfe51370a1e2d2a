import { dirname } from 'node:path'
import { sql, type IdentifierSqlToken, type ListSqlToken, type PrimitiveValueExpression } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { pathHash } from '../item/path-hash.ts'
import { postgresSafeJson, postgresSafeName, postgresSafeSortTitle, postgresSafeText } from '../item/postgres-safe.ts'
import type { ItemWrite, StreamWrite, WrittenItem } from '../item/item-write.ts'

/** A column that is written in batches: its name, its type, and the function that returns its value. */
type Column<Row> = [name: string, type: string, value: (row: Row) => PrimitiveValueExpression]

/** `ownerId`: the innermost of its groups. */
type PlacedItem = ItemWrite & { ownerId: string | null }

const ITEM_COLUMNS: readonly Column<PlacedItem>[] = [
  ['library_id', 'uuid', (item) => item.libraryId],
  ['type', 'text', (item) => item.type],
  ['name', 'text', (item) => postgresSafeName(item.name)],
  ['sort_title', 'text', (item) => postgresSafeSortTitle(item.sortTitle)],
  ['year', 'int4', (item) => item.year],
  ['path', 'text', (item) => item.path],
  ['path_hash', 'bytea', (item) => pathHash(item.path)],
  ['folder_hash', 'bytea', (item) => pathHash(dirname(item.path))],
  ['size_bytes', 'int8', (item) => item.sizeBytes],
  ['modified_ns', 'int8', (item) => item.modifiedAtNanoseconds],
  ['duration_seconds', 'float8', (item) => item.durationSeconds],
  ['container', 'text', (item) => textOf(item.container)],
  ['bitrate', 'int8', (item) => item.bitrate],
  ['chapters', 'jsonb', (item) => postgresSafeJson(item.chapters ?? [])],
  ['metadata', 'jsonb', (item) => postgresSafeJson(item.metadata)],
  ['probe_error', 'text', (item) => textOf(item.probeError)],
  ['canonical_key', 'text', (item) => postgresSafeText(item.canonicalKey)],
  ['content_hash', 'bytea', (item) => item.contentHash],
  ['season_number', 'int4', (item) => item.seasonNumber ?? null],
  ['episode_number', 'int4', (item) => item.episodeNumber ?? null],
  ['ending_episode_number', 'int4', (item) => item.endingEpisodeNumber ?? null],
  ['episode_title', 'text', (item) => textOf(item.episodeTitle ?? null)],
  ['name_source', 'text', (item) => item.nameSource ?? 'file'],
  ['local_metadata', 'jsonb', (item) => postgresSafeJson(item.localMetadata ?? {})],
  ['sidecar_hash', 'bytea', (item) => item.sidecarHash ?? null],
  ['parent_id', 'uuid', (item) => (hasOwner(item) ? null : item.ownerId)],
  ['primary_id', 'uuid', (item) => (hasOwner(item) ? item.ownerId : null)],
  ['role', 'text', (item) => item.role ?? null],
]

/** An item with a role belongs to its group without being one of its children. */
function hasOwner({ role = null }: PlacedItem): boolean {
  return role !== null
}

/** A name from a provider stays until tags or an NFO set another. Any other name is replaced by the current one. */
const isRenamed = sql.fragment`(excluded.name_source = 'local' or i.name_source <> 'provider')`

type OwnedStream = StreamWrite & { itemId: string }

const STREAM_COLUMNS: readonly Column<OwnedStream>[] = [
  ['media_item_id', 'uuid', (stream) => stream.itemId],
  ['stream_index', 'int4', (stream) => stream.index],
  ['stream_type', 'text', (stream) => stream.type],
  ['codec', 'text', (stream) => textOf(stream.codec)],
  ['language', 'text', (stream) => textOf(stream.language)],
  ['title', 'text', (stream) => textOf(stream.title)],
  ['bitrate', 'int8', (stream) => stream.bitrate],
  ['width', 'int4', (stream) => stream.width],
  ['height', 'int4', (stream) => stream.height],
  ['channels', 'int4', (stream) => stream.channels],
  ['is_default', 'bool', (stream) => stream.isDefault],
  ['details', 'jsonb', (stream) => postgresSafeJson(stream.details)],
]

const WrittenRow = z.strictObject({ id: z.string(), path: z.string(), isNew: z.boolean() })

/**
 * Inserts or updates rows by (library, path). Of the metadata of a known row only `source` is replaced: the rest may have come from a
 * provider since. xmax is 0 exactly for a row that this statement inserted.
 */
export async function upsertItems(
  connection: Connection,
  writes: readonly PlacedItem[],
  now: Date,
): Promise<WrittenItem[]> {
  const at = sql.timestamp(now)
  const rows = await connection.any(sql.type(WrittenRow)`
    insert into media_items as i (${namesOf(ITEM_COLUMNS)}, added_at, created_at, updated_at)
    select *, ${at}, ${at}, ${at} from ${unnest(ITEM_COLUMNS, writes)}
    on conflict (library_id, path_hash) do update set
      name = case when ${isRenamed} then excluded.name else i.name end,
      sort_title = case when ${isRenamed} then excluded.sort_title else i.sort_title end,
      year = case when ${isRenamed} then excluded.year else i.year end,
      name_source = case when ${isRenamed} then excluded.name_source else i.name_source end,
      season_number = excluded.season_number, episode_number = excluded.episode_number,
      ending_episode_number = excluded.ending_episode_number,
      episode_title = case when ${isRenamed} then coalesce(excluded.episode_title, i.episode_title)
        else coalesce(i.episode_title, excluded.episode_title) end,
      parent_id = excluded.parent_id, role = excluded.role,
      primary_id = case when excluded.role is not null then coalesce(excluded.primary_id, i.primary_id) end,
      role_label = case when excluded.role is not null then i.role_label end,
      role_order = case when excluded.role is not null then i.role_order end,
      owner_folder_hash = case when excluded.role is not null then i.owner_folder_hash end,
      local_metadata = excluded.local_metadata, sidecar_hash = excluded.sidecar_hash, size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns, duration_seconds = excluded.duration_seconds,
      container = excluded.container, bitrate = excluded.bitrate, chapters = excluded.chapters, metadata = excluded.metadata || (i.metadata - 'source'),
      probe_error = excluded.probe_error, canonical_key = excluded.canonical_key, content_hash = excluded.content_hash,
      missing_since = null, updated_at = excluded.updated_at
    returning i.id, i.path, xmax = 0 as is_new`)
  return [...rows]
}

type ItemStreams = { itemId: string; isNew: boolean; streams: readonly StreamWrite[] }

/** Makes the streams of items exactly these. A stream that remains keeps its id. */
export async function replaceStreams(connection: Connection, items: readonly ItemStreams[]): Promise<void> {
  const known = items.filter(({ isNew }) => !isNew)
  if (known.length > 0) await deleteOtherStreams(connection, known)
  const streams = items.flatMap(({ itemId, streams }) => streams.map((stream) => ({ ...stream, itemId })))
  if (streams.length === 0) return
  await connection.query(sql.unsafe`
    insert into media_streams (${namesOf(STREAM_COLUMNS)})
    select * from ${unnest(STREAM_COLUMNS, streams)}
    on conflict (media_item_id, stream_index) do update set
      stream_type = excluded.stream_type, codec = excluded.codec, language = excluded.language, title = excluded.title,
      bitrate = excluded.bitrate, width = excluded.width, height = excluded.height, channels = excluded.channels,
      is_default = excluded.is_default, details = excluded.details`)
}

async function deleteOtherStreams(connection: Connection, items: readonly ItemStreams[]): Promise<void> {
  const kept = items.map(({ itemId, streams }) => [itemId, streams.map(({ index }) => index).join(',')])
  await connection.query(sql.unsafe`
    delete from media_streams s using ${sql.unnest(kept, ['uuid', 'text'])} as kept (item_id, indexes)
    where s.media_item_id = kept.item_id and not s.stream_index::text = any (string_to_array(kept.indexes, ','))`)
}

function namesOf(columns: readonly Column<never>[]): ListSqlToken {
  const names: IdentifierSqlToken[] = columns.map(([name]) => sql.identifier([name]))
  return sql.join(names, sql.fragment`, `)
}

function unnest<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const values = rows.map((row) => columns.map(([, , value]) => value(row)))
  const types = columns.map(([, type]) => type)
  return sql.unnest(values, types)
}

function textOf(text: string | null): string | null {
  return text === null ? null : postgresSafeText(text)
}
