import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../platform/database/index.ts'
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
  failingSince: z.date().nullable(),
})

const columns = sql.fragment`
  id, media_item_id as item_id, quality, status, percent, size_bytes, failure, source_stamp, created_at, used_at, failing_since`

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
      (status, percent, size_bytes, created_at, failing_since) = (
        select case when again then 'waiting' else d.status end, case when again then 0 else d.percent end,
          case when again then null else d.size_bytes end, case when again then excluded.created_at else d.created_at end,
          case when again then null else d.failing_since end
        from (select ${isStale} or d.status = 'failed' or d.source_stamp <> excluded.source_stamp as again) as decided)
    returning ${columns}`)
}

/** The queue is read and extended by one transaction at a time. */
export async function lockDownloadQueue(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:downloads', 0))`)
}

const UnfinishedRow = z.strictObject({ ofAll: z.number(), ofAccount: z.number() })

const isUnfinished = sql.fragment`d.status in ('waiting', 'running')`

/** How many other downloads wait or are made: of everybody, and of those that an account has asked for. */
export async function countUnfinishedDownloads(
  connection: Connection,
  { accountId, besides: { itemId, quality } }: { accountId: string; besides: Wanted },
): Promise<z.infer<typeof UnfinishedRow>> {
  return connection.one(sql.type(UnfinishedRow)`
    select count(*)::int as of_all, count(a.account_id)::int as of_account
    from downloads d left join download_askers a on a.download_id = d.id and a.account_id = ${accountId}
    where ${isUnfinished} and not (d.media_item_id = ${itemId} and d.quality = ${quality})`)
}

type Asker = { downloadId: string; accountId: string }

/** Stores that an account wants a download. */
export async function insertDownloadRequester(connection: Connection, { downloadId, accountId }: Asker): Promise<void> {
  await connection.query(sql.unsafe`
    insert into download_askers (download_id, account_id) values (${downloadId}, ${accountId}) on conflict do nothing`)
}

/** @returns whether the account wanted the download */
export async function deleteDownloadRequester(
  connection: Connection,
  { downloadId, accountId }: Asker,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from download_askers where download_id = ${downloadId} and account_id = ${accountId}`)
  return rowCount > 0
}

/**
 * Deletes an unfinished download that no account requests. Requires the lock of the queue, because a concurrent request would lose it.
 * @returns whether it was deleted
 */
export async function deleteUnwantedDownload(connection: Connection, id: string): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from downloads d where d.id = ${id} and ${isUnfinished} and not d.asker_is_unknown
      and not exists (select from download_askers a where a.download_id = d.id)`)
  return rowCount > 0
}

/**
 * The unfinished download that was requested first.
 * @param exceptIds is not made now
 */
export async function selectNextDownload(
  connection: Connection,
  exceptIds: readonly string[],
): Promise<Download | undefined> {
  const row = await connection.maybeOne(sql.type(DownloadRow)`
    select ${columns} from downloads d where ${isUnfinished} and id <> all (${sql.array([...exceptIds], 'uuid')})
    order by created_at, id limit 1`)
  return row ?? undefined
}

const FailingRow = z.strictObject({ failingSince: z.date() })

/** Stores that an attempt has failed for a reason that may pass. @returns since when attempts fail; undefined if the download is gone */
export async function markDownloadFailing(
  connection: Connection,
  { id, now }: { id: string; now: Date },
): Promise<Date | undefined> {
  const row = await connection.maybeOne(sql.type(FailingRow)`
    update downloads set failing_since = coalesce(failing_since, ${sql.timestamp(now)}) where id = ${id} returning failing_since`)
  return row?.failingSince
}

/**
 * Stores how far a download is.
 * @param change.sourceStamp of the source that it is made from: if it is another one by now, nothing is stored
 * @returns false if the download is gone, or was requested again from another source
 */
export async function updateDownload(
  connection: Connection,
  { id, sourceStamp, ...change }: Pick<Download, 'id' | 'sourceStamp' | 'status' | 'percent' | 'sizeBytes' | 'failure'>,
): Promise<boolean> {
  const updated = await connection.maybeOneFirst(sql.type(IdRow)`
    update downloads set status = ${change.status}, percent = ${change.percent}, size_bytes = ${change.sizeBytes},
      failure = ${change.failure}, failing_since = case when percent < ${change.percent} then null else failing_since end
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
