import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { ACCOUNT_STATUSES } from '../../accounts/index.ts'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'
import { SHARE_KINDS, type Share } from '../share.ts'

const ShareRow = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  profileId: z.string(),
  username: z.string(),
  kind: z.enum(SHARE_KINDS),
  subjectId: z.string().nullable(),
  title: z.string().nullable(),
  hasPassword: z.boolean(),
  allowsDownload: z.boolean(),
  maxUses: z.number().nullable(),
  uses: z.number(),
  createdAt: z.date(),
  expiresAt: z.date(),
  lastUsedAt: z.date().nullable(),
  lastAddress: z.string().nullable(),
})

/** Whether the day of an album of photos has a photo that the reader sees. */
const hasPhotos = sql.fragment`exists (select from photos p where p.local_date = s.photo_day)`

/**
 * The subject and its title are read again each time. Over the connection of a limited account, those of a hidden subject are null. A day is
 * visible if one of its photos is.
 */
const columns = sql.fragment`
  s.id, s.user_id as account_id, s.profile_id, u.username, s.kind,
  case s.kind
    when 'item' then (select i.id::text from media_items i where i.id = s.subject_id)
    when 'album' then (select a.id::text from music_albums a where a.id = s.subject_id)
    when 'collection' then (select c.id::text from collections c where c.id = s.subject_id)
    else (select 'album-' || s.photo_day::text where ${hasPhotos}) end as subject_id,
  case s.kind
    when 'item' then (
      select case when i.type = 'season' then concat_ws(': ', above.name, i.name) else i.name end
      from media_items i left join media_items above on above.id = i.parent_id where i.id = s.subject_id)
    when 'album' then (select a.title from music_albums a where a.id = s.subject_id)
    when 'collection' then (select c.name from collections c where c.id = s.subject_id)
    else (select s.photo_day::text where ${hasPhotos}) end as title,
  s.password_hash is not null as has_password, s.allows_download, s.max_uses, s.uses, s.created_at, s.expires_at,
  s.last_used_at, s.last_address`

/** Links that are not revoked, those that can be opened first, then the newest first. */
export async function selectShares(
  connection: Connection,
  { accountId, now, limit, offset }: { accountId: string | undefined; now: Date; limit: number; offset: number },
): Promise<readonly Share[]> {
  const isWanted = accountId === undefined ? sql.fragment`true` : sql.fragment`s.user_id = ${accountId}`
  return connection.any(sql.type(ShareRow)`
    select ${columns} from shares s join users u on u.id = s.user_id
    where ${isWanted} and s.revoked_at is null
    order by s.expires_at > ${sql.timestamp(now)} desc, s.created_at desc, s.id limit ${limit} offset ${offset}`)
}

export async function selectShareById(connection: Connection, id: string): Promise<Share | undefined> {
  const row = await connection.maybeOne(sql.type(ShareRow)`
    select ${columns} from shares s join users u on u.id = s.user_id where s.id = ${id}`)
  return row ?? undefined
}

/** The condition that a link has not ended: it can be opened, or an earlier guest can continue. */
const hasNotEnded = (now: Date): FragmentSqlToken =>
  sql.fragment`revoked_at is null and expires_at > ${sql.timestamp(now)}`

/**
 * The number of links of an account that have not ended. The row of the account is locked until the transaction ends.
 * @returns undefined if there is no active account
 */
export async function lockShareCount(
  connection: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<number | undefined> {
  const isActive = await connection.exists(
    sql.unsafe`select 1 from users where id = ${accountId} and status = 'active' for no key update`,
  )
  if (!isActive) return undefined
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) from shares where user_id = ${accountId} and ${hasNotEnded(now)}`)
}

type NewRow = Pick<Share, 'accountId' | 'profileId' | 'kind' | 'allowsDownload' | 'maxUses' | 'expiresAt'> & {
  subjectId: string
  itemIds: readonly string[]
  digest: Buffer
  passwordHash: string | null
  now: Date
}

/** Inserts a link with its items. */
export async function insertShare(connection: Connection, row: NewRow): Promise<Share> {
  const isDay = row.kind === 'photo_album'
  const day = isDay ? row.subjectId.replace('album-', '') : null
  const id = await connection.oneFirst(sql.type(IdRow)`
    insert into shares (user_id, profile_id, kind, subject_id, photo_day, digest, password_hash, allows_download, max_uses, created_at, expires_at)
    values (${row.accountId}, ${row.profileId}, ${row.kind}, ${isDay ? null : row.subjectId}::uuid, ${day}::date, ${sql.binary(row.digest)},
      ${row.passwordHash}, ${row.allowsDownload}, ${row.maxUses}, ${sql.timestamp(row.now)}, ${sql.timestamp(row.expiresAt)})
    returning id`)
  await connection.query(sql.unsafe`
    insert into share_items (share_id, media_item_id, position)
    select ${id}, item, place from unnest(${sql.array([...row.itemIds], 'uuid')}) with ordinality as listed (item, place)`)
  return connection.one(sql.type(ShareRow)`
    select ${columns} from shares s join users u on u.id = s.user_id where s.id = ${id}`)
}

const RevokedRow = z.strictObject({ accountId: z.string(), wasRevoked: z.boolean() })

/** @returns the account of the link, and whether it was revoked before; undefined if none has this id, or it belongs to another account */
export async function revokeShareRow(
  connection: Connection,
  { id, accountId, now }: { id: string; accountId: string | undefined; now: Date },
): Promise<z.infer<typeof RevokedRow> | undefined> {
  const isWanted = accountId === undefined ? sql.fragment`true` : sql.fragment`user_id = ${accountId}`
  const row = await connection.maybeOne(sql.type(RevokedRow)`
    with found as (
      select s.id, s.user_id, s.revoked_at is not null as was_revoked from shares s
      where s.id = ${id} and ${isWanted} for update),
    revoked as (
      update shares set revoked_at = ${sql.timestamp(now)} where id in (select id from found where not was_revoked)),
    -- The list of its items is no longer needed.
    forgotten as (delete from share_items where share_id in (select id from found))
    select user_id as account_id, was_revoked from found`)
  return row ?? undefined
}

/** Deletes links of all accounts that ended before a time. */
export async function deleteEndedShares(connection: Connection, before: Date): Promise<void> {
  await connection.query(sql.unsafe`
    delete from shares where expires_at < ${sql.timestamp(before)} or revoked_at < ${sql.timestamp(before)}`)
}

/** Deletes the lists of items of the ended links of an account, and the oldest ended links above a number. */
export async function deleteSurplusShares(
  connection: Connection,
  { accountId, kept, now }: { accountId: string; kept: number; now: Date },
): Promise<void> {
  const hasEnded = sql.fragment`s.user_id = ${accountId} and (s.revoked_at is not null or s.expires_at <= ${sql.timestamp(now)})`
  await connection.query(sql.unsafe`
    delete from shares where id in (
      select s.id from shares s where ${hasEnded} order by least(s.revoked_at, s.expires_at) desc, s.id offset ${kept})`)
  await connection.query(sql.unsafe`
    delete from share_items i using shares s where s.id = i.share_id and ${hasEnded}`)
}

const StoredRow = z.strictObject({
  id: z.string(),
  passwordHash: z.string().nullable(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
  /** Whether it was opened as often as it may be. */
  isUsedUp: z.boolean(),
  /** Of the account that made it. */
  status: z.enum(ACCOUNT_STATUSES),
})

export type StoredShare = z.infer<typeof StoredRow>

export async function findShareByDigest(connection: Connection, digest: Buffer): Promise<StoredShare | undefined> {
  const row = await connection.maybeOne(sql.type(StoredRow)`
    select s.id, s.password_hash, s.expires_at, s.revoked_at, coalesce(s.uses >= s.max_uses, false) as is_used_up, u.status
    from shares s join users u on u.id = s.user_id
    where s.digest = ${sql.binary(digest)}`)
  return row ?? undefined
}

/** Counts one use. @returns false if the link has no use left */
export async function countShareUse(
  connection: Connection,
  { id, now, address }: { id: string; now: Date; address: string },
): Promise<boolean> {
  const used = await connection.maybeOneFirst(sql.type(IdRow)`
    update shares set uses = uses + 1, last_used_at = ${sql.timestamp(now)}, last_address = ${address}
    where id = ${id} and ${hasNotEnded(now)} and (max_uses is null or uses < max_uses) returning id`)
  return used !== null
}

const GuestRow = StoredRow.omit({ passwordHash: true, isUsedUp: true }).extend({
  accountId: z.string(),
  profileId: z.string(),
  policyId: z.number().nullable(),
  mayDownload: z.boolean(),
  allowsDownload: z.boolean(),
})

/** Links with the present permissions of the profiles that made them, by id. */
export async function selectGuestShares(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, z.infer<typeof GuestRow>>> {
  const rows = await connection.any(sql.type(GuestRow)`
    select s.id, s.expires_at, s.revoked_at, u.status, s.user_id as account_id, s.profile_id, r.effective_policy_id as policy_id, 
      u.may_download and r.may_download as may_download,
      s.allows_download
    from shares s join users u on u.id = s.user_id join profiles r on r.id = s.profile_id
    where s.id = any (${sql.array([...ids], 'uuid')})`)
  return new Map(rows.map((row) => [row.id, row]))
}
