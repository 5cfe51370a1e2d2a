import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import { API_KEY_SCOPES, type ApiKey } from './api-key.ts'

const KeyRow = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  username: z.string(),
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.enum(API_KEY_SCOPES)),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  lastUsedAt: z.date().nullable(),
  lastAddress: z.string().nullable(),
})

const columns = sql.fragment`
  k.id, k.user_id as account_id, u.username, k.name, k.hint, k.scopes, k.created_at, k.expires_at, k.last_used_at,
  k.last_address`

/** The keys of an account, or all, the newest first. */
export async function selectKeys(connection: Connection, accountId: string | undefined): Promise<readonly ApiKey[]> {
  const isWanted = accountId === undefined ? sql.fragment`true` : sql.fragment`k.user_id = ${accountId}`
  return connection.any(sql.type(KeyRow)`
    select ${columns} from api_keys k join users u on u.id = k.user_id
    where ${isWanted} order by k.created_at desc, k.id limit 1000`)
}

const CountRow = z.strictObject({ count: z.number() })

/** The number of keys of an account, whose row is locked until the transaction ends. Undefined if there is no active account. */
export async function countKeysWithLock(connection: Connection, accountId: string): Promise<number | undefined> {
  const isActive = await connection.exists(
    sql.unsafe`select 1 from users where id = ${accountId} and status = 'active' for no key update`,
  )
  if (!isActive) return undefined
  return connection.oneFirst(sql.type(CountRow)`
    select count(*)::int4 as count from api_keys where user_id = ${accountId}`)
}

type NewKey = Pick<ApiKey, 'accountId' | 'name' | 'hint' | 'scopes' | 'expiresAt'> & { digest: Buffer; now: Date }

export async function insertKey(connection: Connection, row: NewKey): Promise<ApiKey> {
  const expiresAt = row.expiresAt === null ? null : sql.timestamp(row.expiresAt)
  return connection.one(sql.type(KeyRow)`
    with k as (
      insert into api_keys (user_id, name, digest, hint, scopes, created_at, expires_at)
      values (${row.accountId}, ${row.name}, ${sql.binary(row.digest)}, ${row.hint},
        ${sql.array([...row.scopes], 'text')}, ${sql.timestamp(row.now)}, ${expiresAt})
      returning *)
    select ${columns} from k join users u on u.id = k.user_id`)
}

/** @returns the account of the key; undefined if there is none with this id, or it belongs to another account */
export async function deleteKey(
  connection: Connection,
  { id, accountId }: { id: string; accountId: string | undefined },
): Promise<string | undefined> {
  const isWanted = accountId === undefined ? sql.fragment`true` : sql.fragment`user_id = ${accountId}`
  const owner = await connection.maybeOneFirst(sql.type(OwnerRow)`
    delete from api_keys where id = ${id} and ${isWanted} returning user_id as account_id`)
  return owner ?? undefined
}

const OwnerRow = z.strictObject({ accountId: z.string() })

const FoundRow = KeyRow.extend({ digest: z.string() })

/** The keys with these digests, by digest; also expired ones. */
export async function selectKeysByDigest(
  connection: Connection,
  digests: readonly string[],
): Promise<Map<string, ApiKey>> {
  const rows = await connection.any(sql.type(FoundRow)`
    select ${columns}, encode(k.digest, 'hex') as digest from api_keys k join users u on u.id = k.user_id
    where k.digest in (select decode(hex, 'hex') from unnest(${sql.array([...digests], 'text')}) as wanted (hex))`)
  return new Map(rows.map(({ digest, ...key }) => [digest, key]))
}

const HolderRow = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  policyId: z.number().nullable(),
  mayDownload: z.boolean(),
})

/** The accounts of these keys, by id of the key; only of active accounts and keys that have not expired. */
export async function selectKeyHolders(
  connection: Connection,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<readonly z.infer<typeof HolderRow>[]> {
  return connection.any(sql.type(HolderRow)`
    select k.id, u.id as account_id, u.policy_id, u.may_download and p.may_download as may_download
    from api_keys k join users u on u.id = k.user_id join profiles p on p.id = u.id
    where k.id = any (${sql.array([...ids], 'uuid')}) and u.status = 'active'
      and (k.expires_at is null or k.expires_at > ${sql.timestamp(now)})`)
}

/** Stores that a key was used, unless that was stored later than `before`. */
export async function updateKeyUse(
  connection: Connection,
  row: { id: string; address: string; now: Date; before: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update api_keys set last_used_at = ${sql.timestamp(row.now)}, last_address = ${row.address}
    where id = ${row.id} and (last_used_at is null or last_used_at <= ${sql.timestamp(row.before)})`)
}
