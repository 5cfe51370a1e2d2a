import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import type { StreamIndex } from '../../probing/index.ts'
import { packKeyFrames, packIntegers, unpackKeyFrames, unpackIntegers } from './key-frame-bytes.ts'
import { RECORDING_CONTAINERS } from './recordings.ts'
import type { SourceFile } from './source-file.ts'

const IndexRow = z.strictObject({
  streamIndex: z.number(),
  firstMicroseconds: z.number(),
  endMicroseconds: z.number(),
  frameCount: z.number().nullable(),
  hasConstantRate: z.boolean(),
  keyFrames: z.instanceof(Buffer),
  keyFrameBytes: z.instanceof(Buffer),
  jumps: z.array(
    z.strictObject({
      atMicroseconds: z.number(),
      byMicroseconds: z.number(),
      position: z.number().nullable().default(null),
    }),
  ),
})

type FileStamp = Pick<SourceFile, 'sizeBytes' | 'modifiedAtNanoseconds'>

/** Returns the stored index of an item's video if it was read from this version of the file; null for `file` accepts any version. */
export async function findStreamIndex(
  connection: Connection,
  { mediaItemId, file }: { mediaItemId: string; file: FileStamp | null },
): Promise<StreamIndex | undefined> {
  const isSame =
    file === null
      ? sql.fragment`true`
      : sql.fragment`size_bytes = ${file.sizeBytes} and modified_ns = ${file.modifiedAtNanoseconds}::bigint`
  const row = await connection.maybeOne(sql.type(IndexRow)`
    select stream_index, first_microseconds, end_microseconds, frame_count, has_constant_rate, key_frames, key_frame_bytes,
      jumps
    from stream_indexes where media_item_id = ${mediaItemId} and ${isSame}`)
  if (row === null) return undefined
  const { keyFrames, keyFrameBytes, ...index } = row
  return {
    ...index,
    keyFrameMicroseconds: unpackKeyFrames(row.firstMicroseconds, keyFrames),
    keyFrameBytes: unpackIntegers(keyFrameBytes),
  }
}

export type IndexWrite = FileStamp & { mediaItemId: string; index: StreamIndex }

/** Inserts or replaces indexes, at most one per item. */
export async function saveStreamIndexes(connection: Connection, writes: readonly IndexWrite[]): Promise<void> {
  const rows = writes.map(({ mediaItemId, sizeBytes, modifiedAtNanoseconds, index }) => [
    mediaItemId,
    sizeBytes,
    modifiedAtNanoseconds,
    index.streamIndex,
    index.firstMicroseconds,
    index.endMicroseconds,
    index.frameCount,
    index.hasConstantRate,
    packKeyFrames(index.firstMicroseconds, index.keyFrameMicroseconds),
    packIntegers(index.keyFrameBytes),
    JSON.stringify(index.jumps),
  ])
  const types = ['uuid', 'int8', 'int8', 'int4', 'int8', 'int8', 'int4', 'bool', 'bytea', 'bytea', 'jsonb']
  await connection.query(sql.unsafe`
    insert into stream_indexes (media_item_id, size_bytes, modified_ns, stream_index, first_microseconds,
      end_microseconds, frame_count, has_constant_rate, key_frames, key_frame_bytes, jumps)
    select * from ${sql.unnest(rows, types)}
    on conflict (media_item_id) do update set
      size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns, stream_index = excluded.stream_index,
      first_microseconds = excluded.first_microseconds, end_microseconds = excluded.end_microseconds,
      frame_count = excluded.frame_count, has_constant_rate = excluded.has_constant_rate,
      key_frames = excluded.key_frames, key_frame_bytes = excluded.key_frame_bytes, jumps = excluded.jumps`)
}

/** Videos without a stored index that may be copied, or whose clock may jump. */
const isUnindexed = sql.fragment`
  i.path is not null and i.missing_since is null and i.metadata->'source'->>'videoStreamIndex' is not null
  and (
    lower(i.metadata->'source'->>'videoCodec') in ('h264', 'avc1', 'avc')
    or i.container = any(${sql.array([...RECORDING_CONTAINERS], 'text')})
  )
  and not exists (select 1 from stream_indexes x where x.media_item_id = i.id)`

const UnindexedRow = z.strictObject({
  id: z.string(),
  path: z.string(),
  streamIndex: z.number(),
  container: z.string().nullable(),
})

/** A film without a stored index; `streamIndex` is the stream of its video. */
export type UnindexedItem = z.infer<typeof UnindexedRow>

export async function selectUnindexedFilms(
  connection: Connection,
  { libraryId, after, limit }: { libraryId: string; after: UnindexedItem | null; limit: number },
): Promise<UnindexedItem[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`i.id > ${after.id}`
  const rows = await connection.any(sql.type(UnindexedRow)`
    select i.id, i.path, i.container, (i.metadata->'source'->>'videoStreamIndex')::int4 as stream_index
    from media_items i where i.library_id = ${libraryId} and ${isUnindexed} and ${isAfter} order by i.id limit ${limit}`)
  return [...rows]
}

export async function selectUnindexedFilmCount(connection: Connection, libraryId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items i where i.library_id = ${libraryId} and ${isUnindexed}`)
}
