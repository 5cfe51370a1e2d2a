import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, lockName, type Connection } from '../../platform/database/index.ts'

const DownloadedRow = z.strictObject({
  id: z.string(),
  language: z.string(),
  format: z.string(),
  title: z.string().nullable(),
  isHearingImpaired: z.boolean(),
})

/** A text that somebody has downloaded for an item. */
export type DownloadedSubtitle = z.infer<typeof DownloadedRow>

const TextRow = z.strictObject({ text: z.instanceof(Buffer) })
const CountRow = z.strictObject({ count: z.number() })

/** The downloaded texts of an item, the oldest first, so that a number does not change by another download. */
export async function selectDownloaded(connection: Connection, itemId: string): Promise<readonly DownloadedSubtitle[]> {
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
export async function deleteDownloaded(
  connection: Connection,
  { itemId, id }: { itemId: string; id: string },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from downloaded_subtitles where media_item_id = ${itemId} and id = ${id}`)
  return rowCount > 0
}

/** Serialises the downloads for an item until the transaction ends, so that their limit holds. */
export async function lockDownloads(connection: Connection, itemId: string): Promise<void> {
  await lockName(connection, `downloaded-subtitles:${itemId}`)
}

export async function countDownloaded(
  connection: Connection,
  { itemId, provider, downloadId }: { itemId: string; provider: string; downloadId: string },
): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from downloaded_subtitles
    where media_item_id = ${itemId} and (provider, download_id) <> (${provider}, ${downloadId})`)
}

export type NewDownload = Omit<DownloadedSubtitle, 'id'> & {
  itemId: string
  provider: string
  downloadId: string
  text: Buffer
  now: Date
}

/** The same text of a provider is replaced. @returns its id */
export async function upsertDownloaded(connection: Connection, row: NewDownload): Promise<string> {
  return connection.oneFirst(sql.type(IdRow)`
    insert into downloaded_subtitles
      (media_item_id, provider, download_id, language, format, title, is_hearing_impaired, text, created_at)
    values (${row.itemId}, ${row.provider}, ${row.downloadId}, ${row.language}, ${row.format}, ${row.title},
      ${row.isHearingImpaired}, ${sql.binary(row.text)}, ${sql.timestamp(row.now)})
    on conflict (media_item_id, provider, download_id) do update
      set language = excluded.language, format = excluded.format, title = excluded.title,
        is_hearing_impaired = excluded.is_hearing_impaired, text = excluded.text
    returning id`)
}
