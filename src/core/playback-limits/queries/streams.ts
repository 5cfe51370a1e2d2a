import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'

const CountRow = z.strictObject({ ofAccount: z.number(), ofProfile: z.number() })

/** Streams of an account are counted and added by one transaction at a time. */
export async function lockStreams(connection: Connection, accountId: string): Promise<void> {
  await connection.query(sql.unsafe`
    select pg_advisory_xact_lock(hashtextextended(${`phlix:streams:${accountId}`}, 0))`)
}

/** The item that a file belongs to: for a version or a part the film. Undefined for an unknown item. */
export async function selectPlayedItemId(connection: Connection, itemId: string): Promise<string | undefined> {
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    select coalesce(above.primary_id, above.id, i.id) as id
    from media_items i
    left join media_items above on above.id = i.primary_id and i.role in ('version', 'part')
    where i.id = ${itemId}`)
  return id ?? undefined
}

type Stream = { device: string; itemId: string }

const RateRow = z.strictObject({ kbps: z.number() })

/** @returns the stored bit rate in kbit/s; undefined if the stream was not open */
export async function touchStream(
  connection: Connection,
  { device, itemId, now }: Stream & { now: Date },
): Promise<number | undefined> {
  const kbps = await connection.maybeOneFirst(sql.type(RateRow)`
    update open_streams set seen_at = ${sql.timestamp(now)} where device = ${device} and media_item_id = ${itemId} returning kbps`)
  return kbps ?? undefined
}

/**
 * How many streams of an account and of a profile are open, after the removal of those that were not used between two times. A use that is
 * far in the future was stored before the clock was set back.
 */
export async function countStreams(
  connection: Connection,
  { accountId, profileId, since, until }: { accountId: string; profileId: string; since: Date; until: Date },
): Promise<z.infer<typeof CountRow>> {
  await connection.query(sql.unsafe`
    delete from open_streams where account_id = ${accountId} and (seen_at < ${sql.timestamp(since)} or seen_at > ${sql.timestamp(until)})`)
  return connection.one(sql.type(CountRow)`
    select count(*)::int as of_account, count(*) filter (where profile_id = ${profileId})::int as of_profile
    from open_streams where account_id = ${accountId}`)
}

export async function insertStream(
  connection: Connection,
  row: Stream & { accountId: string; profileId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into open_streams (device, media_item_id, account_id, profile_id, seen_at)
    values (${row.device}, ${row.itemId}, ${row.accountId}, ${row.profileId}, ${sql.timestamp(row.now)})`)
}

export async function deleteStreams(connection: Connection, device: string): Promise<void> {
  await connection.query(sql.unsafe`delete from open_streams where device = ${device}`)
}

/** The bit rates of the other open streams of an account and of a profile, in kbit/s. */
export async function sumOtherKbps(
  connection: Connection,
  { device, itemId, accountId, profileId }: Stream & { accountId: string; profileId: string },
): Promise<z.infer<typeof CountRow>> {
  return connection.one(sql.type(CountRow)`
    select coalesce(sum(kbps), 0)::int as of_account,
      coalesce(sum(kbps) filter (where profile_id = ${profileId}), 0)::int as of_profile
    from open_streams where account_id = ${accountId} and (device, media_item_id) <> (${device}, ${itemId}::uuid)`)
}

/** Stores the bit rate of an open stream. */
export async function updateKbps(
  connection: Connection,
  { device, itemId, kbps }: Stream & { kbps: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    update open_streams set kbps = ${kbps} where device = ${device} and media_item_id = ${itemId}`)
}
