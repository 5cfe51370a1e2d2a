import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'

/** Playable items without a video or audio stream that was ever found. */
const isUnread = sql.fragment`
  path is not null and missing_since is null and not metadata ? 'source'
  and (type in ('movie', 'video', 'episode') or (type in ('audio', 'audiobook') and duration_seconds is null))`

const LibraryFileRow = z.strictObject({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  isMissing: z.boolean(),
  /** Whether an attempt to read it failed. */
  isUnreadable: z.boolean(),
})

/** An item that has a file. */
export type LibraryFile = z.infer<typeof LibraryFileRow>

export type FilePageRequest = { libraryId: string; after: LibraryFile | null; limit: number }

export async function selectLibraryFiles(
  connection: Connection,
  { libraryId, after, limit }: FilePageRequest,
): Promise<LibraryFile[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`id > ${after.id}`
  const rows = await connection.any(sql.type(LibraryFileRow)`
    select id, path, name, missing_since is not null as is_missing, probe_error is not null as is_unreadable
    from media_items where library_id = ${libraryId} and path is not null and ${isAfter} order by id limit ${limit}`)
  return [...rows]
}

/** Files that were tried before come last, so that they do not use up a limit. */
export async function selectUnreadFiles(
  connection: Connection,
  { libraryId, after, limit }: FilePageRequest,
): Promise<LibraryFile[]> {
  const isAfter =
    after === null
      ? sql.fragment`true`
      : sql.fragment`(probe_error is not null, id) > (${after.isUnreadable}::boolean, ${after.id}::uuid)`
  const rows = await connection.any(sql.type(LibraryFileRow)`
    select id, path, name, missing_since is not null as is_missing, probe_error is not null as is_unreadable
    from media_items where library_id = ${libraryId} and ${isUnread} and ${isAfter}
    order by probe_error is not null, id limit ${limit}`)
  return [...rows]
}

export async function selectUnreadFileCount(connection: Connection, libraryId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items where library_id = ${libraryId} and ${isUnread}`)
}

export async function updateFileFacts(
  connection: Connection,
  row: {
    id: string
    durationSeconds: number
    container: string
    bitrate: number | null
    chapters: string
    /** JSON of `{source}`, or of `{}` for a file without a picture. */
    source: string
    now: Date
  },
): Promise<boolean> {
  const result = await connection.query(sql.unsafe`
    update media_items set duration_seconds = ${row.durationSeconds}, container = ${row.container}, bitrate = ${row.bitrate},
      chapters = ${row.chapters}::jsonb, metadata = metadata || ${row.source}::jsonb, probe_error = null,
      updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} and ${isUnread}`)
  return result.rowCount === 1
}

export async function updateFileSeconds(
  connection: Connection,
  { itemId, seconds }: { itemId: string; seconds: number },
): Promise<void> {
  await connection.query(sql.unsafe`update media_items set duration_seconds = ${seconds} where id = ${itemId}`)
}

export async function updateProbeError(
  connection: Connection,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items set probe_error = ${reason}, updated_at = ${sql.timestamp(now)} where id = ${id} and ${isUnread}`)
}
