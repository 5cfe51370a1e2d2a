import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { MediaItemType } from '../media-item.ts'

/** Of what is streamed, without a picture or sound that was ever found in it (document 1, job semantics 2). */
const isUnread = sql.fragment`
  path is not null and missing_since is null and not metadata ? 'source'
  and (type in ('movie', 'video', 'episode') or (type in ('audio', 'audiobook') and duration_seconds is null))`

const LibraryFileRow = z.strictObject({ id: z.string(), path: z.string(), name: z.string(), isMissing: z.boolean() })

/** An item that stands for a file. */
export type LibraryFile = z.infer<typeof LibraryFileRow>

export async function selectLibraryFiles(
  connection: Connection,
  {
    libraryId,
    afterId,
    limit,
    isUnreadOnly,
  }: { libraryId: string; afterId: string | null; limit: number; isUnreadOnly: boolean },
): Promise<LibraryFile[]> {
  const isAfter = afterId === null ? sql.fragment`true` : sql.fragment`id > ${afterId}`
  const isWanted = isUnreadOnly ? isUnread : sql.fragment`path is not null`
  const rows = await connection.any(sql.type(LibraryFileRow)`
    select id, path, name, missing_since is not null as is_missing from media_items
    where library_id = ${libraryId} and ${isWanted} and ${isAfter} order by id limit ${limit}`)
  return [...rows]
}

export async function countUnreadFiles(connection: Connection, libraryId: string): Promise<number> {
  return connection.oneFirst(sql.type(z.strictObject({ count: z.number() }))`
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
    /** JSON of `{source}`, or of `{}` for what has no picture. */
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

export async function deleteLibraryItems(
  connection: Connection,
  { libraryId, limit }: { libraryId: string; limit: number },
): Promise<number> {
  const result = await connection.query(sql.unsafe`
    delete from media_items where id in (select id from media_items where library_id = ${libraryId} limit ${limit})`)
  return result.rowCount
}

export async function selectItemIds(
  connection: Connection,
  { libraryId, type, limit, offset }: { libraryId: string; type: MediaItemType; limit: number; offset: number },
): Promise<string[]> {
  const ids = await connection.anyFirst(sql.type(z.strictObject({ id: z.string() }))`
    select id from media_items where library_id = ${libraryId} and type = ${type}
    order by sort_key, id limit ${limit} offset ${offset}`)
  return [...ids]
}
