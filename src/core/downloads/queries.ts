import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../platform/database/index.ts'
import { DOWNLOAD_STATUSES, type Download } from './download.ts'

const DownloadRow = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  quality: z.string(),
  status: z.enum(DOWNLOAD_STATUSES),
  percent: z.number(),
  sizeBytes: z.number().nullable(),
  failure: z.string().nullable(),
  sourceStamp: z.string(),
  createdAt: z.date(),
  usedAt: z.date(),
})

const columns = sql.fragment`
  id, media_item_id as item_id, quality, status, percent, size_bytes, failure, source_stamp, created_at, used_at`

type Wanted = Pick<Download, 'itemId' | 'quality'>

export async function findDownloadRow(
  connection: Connection,
  { itemId, quality }: Wanted,
): Promise<Download | undefined> {
  const row = await connection.maybeOne(sql.type(DownloadRow)`
    select ${columns} from downloads where media_item_id = ${itemId} and quality = ${quality}`)
  return row ?? undefined
}

/** A new download, or the one that is there: it is kept unless it failed, or `isStale`, or its source has changed. */
export async function upsertDownload(
  connection: Connection,
  { itemId, quality, sourceStamp, isStale, now }: Wanted & { sourceStamp: string; isStale: boolean; now: Date },
): Promise<Download> {
  return connection.one(sql.type(DownloadRow)`
    insert into downloads as d (media_item_id, quality, status, percent, source_stamp, created_at, used_at)
    values (${itemId}, ${quality}, 'waiting', 0, ${sourceStamp}, ${sql.timestamp(now)}, ${sql.timestamp(now)})
    on conflict (media_item_id, quality) do update set
      used_at = excluded.used_at, source_stamp = excluded.source_stamp, failure = null,
      (status, percent, size_bytes) = (
        select case when again then 'waiting' else d.status end, case when again then 0 else d.percent end,
          case when again then null else d.size_bytes end
        from (select ${isStale} or d.status = 'failed' or d.source_stamp <> excluded.source_stamp as again) as decided)
    returning ${columns}`)
}

/** The number of downloads that wait or are made. */
export async function countUnfinished(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) from downloads where status in ('waiting', 'running')`)
}

/** The download that was asked for first of those that are not finished. */
export async function selectNextDownload(connection: Connection): Promise<Download | undefined> {
  const row = await connection.maybeOne(sql.type(DownloadRow)`
    select ${columns} from downloads where status in ('waiting', 'running') order by created_at, id limit 1`)
  return row ?? undefined
}

/**
 * Stores how far a download is.
 * @param change.sourceStamp of the source that it is made from: if it is another one by now, nothing is stored
 * @returns false if the download is gone, or was asked for again from another source
 */
export async function updateDownload(
  connection: Connection,
  { id, sourceStamp, ...change }: Pick<Download, 'id' | 'sourceStamp' | 'status' | 'percent' | 'sizeBytes' | 'failure'>,
): Promise<boolean> {
  const updated = await connection.maybeOneFirst(sql.type(IdRow)`
    update downloads set status = ${change.status}, percent = ${change.percent}, size_bytes = ${change.sizeBytes},
      failure = ${change.failure}
    where id = ${id} and source_stamp = ${sourceStamp} returning id`)
  return updated !== null
}

/** Stores that a download was read. */
export async function markDownloadUsed(connection: Connection, { id, now }: { id: string; now: Date }): Promise<void> {
  await connection.query(sql.unsafe`update downloads set used_at = ${sql.timestamp(now)} where id = ${id}`)
}

/** All downloads, the least recently used first. */
export async function selectDownloads(connection: Connection): Promise<readonly Download[]> {
  return connection.any(sql.type(DownloadRow)`select ${columns} from downloads order by used_at, id`)
}

export async function deleteDownload(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from downloads where id = ${id}`)
}
