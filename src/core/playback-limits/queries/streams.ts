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

/** An open stream: its bit rate in kbit/s, and its place in the order of streams. */
const OpenRow = z.strictObject({ kbps: z.number(), place: z.number() })

type OpenStream = z.infer<typeof OpenRow>

/** Stores that an open stream is used now. @returns undefined if the stream was not open */
export async function updateStreamUseTime(
  connection: Connection,
  { device, itemId, now }: Stream & { now: Date },
): Promise<OpenStream | undefined> {
  const open = await connection.maybeOne(sql.type(OpenRow)`
    update open_streams set seen_at = ${sql.timestamp(now)} where device = ${device} and media_item_id = ${itemId}
    returning kbps, place`)
  return open ?? undefined
}

/**
 * How many streams of an account and of a profile are open, after the removal of those that were not used between two times. A use that is
 * far in the future was stored before the clock was set back.
 * @param input.place counts only those before this place; undefined: all
 */
export async function countStreams(
  connection: Connection,
  {
    accountId,
    profileId,
    place,
    since,
    until,
  }: { accountId: string; profileId: string; place: number | undefined; since: Date; until: Date },
): Promise<z.infer<typeof CountRow>> {
  const isCounted = place === undefined ? sql.fragment`true` : sql.fragment`place < ${place}`
  await connection.query(sql.unsafe`
    delete from open_streams where account_id = ${accountId} and (seen_at < ${sql.timestamp(since)} or seen_at > ${sql.timestamp(until)})`)
  return connection.one(sql.type(CountRow)`
    select count(*)::int as of_account, count(*) filter (where profile_id = ${profileId})::int as of_profile
    from open_streams where account_id = ${accountId} and ${isCounted}`)
}

export async function insertStream(
  connection: Connection,
  row: Stream & { accountId: string; profileId: string; now: Date },
): Promise<OpenStream> {
  return connection.one(sql.type(OpenRow)`
    insert into open_streams (device, media_item_id, account_id, profile_id, seen_at)
    values (${row.device}, ${row.itemId}, ${row.accountId}, ${row.profileId}, ${sql.timestamp(row.now)})
    returning kbps, place`)
}

export async function deleteStreams(connection: Connection, device: string): Promise<void> {
  await connection.query(sql.unsafe`delete from open_streams where device = ${device}`)
}

const RatesRow = z.strictObject({
  ofAccount: z.number(),
  ofProfile: z.number(),
  earlierOfAccount: z.number(),
  earlierOfProfile: z.number(),
})

/** The bit rates of the other open streams of an account and of a profile, and of those before a place, in kbit/s. */
export async function sumOtherKbps(
  connection: Connection,
  { device, itemId, accountId, profileId, place }: Stream & { accountId: string; profileId: string; place: number },
): Promise<z.infer<typeof RatesRow>> {
  const isOfProfile = sql.fragment`profile_id = ${profileId}`
  const isEarlier = sql.fragment`place < ${place}`
  return connection.one(sql.type(RatesRow)`
    select coalesce(sum(kbps), 0)::int as of_account,
      coalesce(sum(kbps) filter (where ${isOfProfile}), 0)::int as of_profile,
      coalesce(sum(kbps) filter (where ${isEarlier}), 0)::int as earlier_of_account,
      coalesce(sum(kbps) filter (where ${isEarlier} and ${isOfProfile}), 0)::int as earlier_of_profile
    from open_streams where account_id = ${accountId} and (device, media_item_id) <> (${device}, ${itemId}::uuid)`)
}

/** Stores the bit rate of an open stream. With a higher one it comes after all others. */
export async function updateKbps(
  connection: Connection,
  { device, itemId, kbps }: Stream & { kbps: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    update open_streams set kbps = ${kbps},
      place = case when kbps < ${kbps} then nextval(pg_get_serial_sequence('open_streams', 'place')) else place end
    where device = ${device} and media_item_id = ${itemId}`)
}
