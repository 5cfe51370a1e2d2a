import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, acquireNamedLock, type Connection } from '../../platform/database/index.ts'

const DownloadedRow = z.strictObject({
  id: z.string(),
  language: z.string(),
  format: z.string(),
  title: z.string().nullable(),
  isHearingImpaired: z.boolean(),
})

/** A text that somebody has downloaded for an item. */
export type DownloadedSubtitle = z.infer<typeof DownloadedRow>

const SourceRow = z.strictObject({ id: z.string(), addedBy: z.string().nullable() })
const TextRow = z.strictObject({ text: z.instanceof(Buffer) })
const UsageRow = z.strictObject({ count: z.number(), itemBytes: z.number(), accountBytes: z.number() })

/** The downloaded texts of an item, the oldest first, so that a number does not change by another download. */
export async function selectDownloadedSubtitles(
  connection: Connection,
  itemId: string,
): Promise<readonly DownloadedSubtitle[]> {
  return connection.any(sql.type(DownloadedRow)`
    select id, language, format, title, is_hearing_impaired from downloaded_subtitles
    where media_item_id = ${itemId} order by created_at, id`)
}

export async function selectDownloadedText(
  connection: Connection,
  { itemId, id }: { itemId: string; id: string },
): Promise<Buffer | undefined> {
  const row = await connection.maybeOne(sql.type(TextRow)`
    select text from downloaded_subtitles where media_item_id = ${itemId} and id = ${id}`)
  return row?.text
}

/** @returns whether there was one */
export async function deleteDownloadedSubtitle(
  connection: Connection,
  { itemId, id }: { itemId: string; id: string },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from downloaded_subtitles where media_item_id = ${itemId} and id = ${id}`)
  return rowCount > 0
}

type Source = { itemId: string; provider: string; downloadId: string }

/** Serialises the downloads of an account and those for an item until the transaction ends, so that their limits hold. */
export async function lockSubtitleDownloads(
  connection: Connection,
  { accountId, itemId }: { accountId: string; itemId: string },
): Promise<void> {
  await acquireNamedLock(connection, `subtitles-downloaded-by:${accountId}`)
  await acquireNamedLock(connection, `downloaded-subtitles:${itemId}`)
}

/** Who has added a text, null if that account was deleted; undefined if it was not downloaded yet. */
export async function selectDownloader(
  connection: Connection,
  { itemId, provider, downloadId }: Source,
): Promise<{ id: string; addedBy: string | null } | undefined> {
  const row = await connection.maybeOne(sql.type(SourceRow)`
    select id, added_by from downloaded_subtitles
    where media_item_id = ${itemId} and provider = ${provider} and download_id = ${downloadId}`)
  return row ?? undefined
}

/** What an item has, and what an account has added, without one text. */
export async function readDownloadUsage(
  connection: Connection,
  { itemId, provider, downloadId, accountId }: Source & { accountId: string },
): Promise<z.infer<typeof UsageRow>> {
  return connection.one(sql.type(UsageRow)`
    select count(*) filter (where media_item_id = ${itemId})::int as count,
      coalesce(sum(length(text)) filter (where media_item_id = ${itemId}), 0)::float8 as item_bytes,
      coalesce(sum(length(text)) filter (where added_by = ${accountId}), 0)::float8 as account_bytes
    from downloaded_subtitles
    where (media_item_id = ${itemId} or added_by = ${accountId})
      and (media_item_id, provider, download_id) <> (${itemId}, ${provider}, ${downloadId})`)
}

export type NewDownloadedSubtitle = Omit<DownloadedSubtitle, 'id'> &
  Source & { accountId: string; text: Buffer; now: Date }

/**
 * Stores a downloaded text and returns its id. If the same text of the provider is already stored, it is replaced, but still belongs to the
 * account that first added it.
 */
export async function upsertDownloadedSubtitle(connection: Connection, row: NewDownloadedSubtitle): Promise<string> {
  return connection.oneFirst(sql.type(IdRow)`
    insert into downloaded_subtitles
      (media_item_id, provider, download_id, language, format, title, is_hearing_impaired, text, created_at, added_by)
    values (${row.itemId}, ${row.provider}, ${row.downloadId}, ${row.language}, ${row.format}, ${row.title},
      ${row.isHearingImpaired}, ${sql.binary(row.text)}, ${sql.timestamp(row.now)}, ${row.accountId})
    on conflict (media_item_id, provider, download_id) do update
      set language = excluded.language, format = excluded.format, title = excluded.title,
        is_hearing_impaired = excluded.is_hearing_impaired, text = excluded.text
    returning id`)
}
