import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { ACCOUNT_STATUSES, type Account, type AccountStatus } from '../account.ts'
import { accountErrors } from '../errors.ts'

export const accountColumns = sql.fragment`
  users.id, users.email, users.username, users.display_name, users.avatar_url, users.is_admin, users.status, users.policy_id,
  users.may_download, users.created_at, users.updated_at, users.last_login_at`

export const AccountRow = z.strictObject({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  displayName: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  isAdmin: z.boolean(),
  status: z.enum(ACCOUNT_STATUSES),
  policyId: z.number().nullable(),
  mayDownload: z.boolean(),
  createdAt: z.date(),
  updatedAt: z.date(),
  lastLoginAt: z.date().nullable(),
})

const CredentialsRow = z.strictObject({
  id: z.string(),
  status: z.enum(ACCOUNT_STATUSES),
  passwordHash: z.string(),
})

type NewAccount = { username: string; email: string; passwordHash: string; now: Date }

/** Inserts an account; `hasPassword` is false if nobody knows the password. Unique violations are `users_username_key` and `users_email_key`. */
export async function insertAccount(
  connection: Connection,
  row: NewAccount & Pick<Account, 'isAdmin' | 'status'> & { policyId?: number | undefined; hasPassword?: boolean },
): Promise<Account> {
  const now = sql.timestamp(row.now)
  return connection.one(sql.type(AccountRow)`
    insert into users (username, email, password_hash, has_password, is_admin, status, policy_id, created_at, updated_at)
    values (${row.username}, ${row.email}, ${row.passwordHash}, ${row.hasPassword ?? true}, ${row.isAdmin}, ${row.status},
      ${row.policyId ?? null}, ${now}, ${now})
    returning ${accountColumns}`)
}

export async function findAccountById(connection: Connection, id: string): Promise<Account | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`select ${accountColumns} from users where id = ${id}`)
  return row ?? undefined
}

/** Locks an account until the transaction ends; false when it was deleted. */
export async function lockAccountRow(connection: Connection, id: string): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from users where id = ${id} for update`)
}

/** Finds an account by username or e-mail address, case-insensitive. A username has no @, so at most one account matches. */
export async function findAccountByName(connection: Connection, name: string): Promise<Account | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    select ${accountColumns} from users where lower(username) = lower(${name}) or lower(email) = lower(${name})`)
  return row ?? undefined
}

/** All accounts, or those of one status, sorted by name. */
export async function listAccountRows(connection: Connection, status?: AccountStatus): Promise<readonly Account[]> {
  const condition = status === undefined ? sql.fragment`true` : sql.fragment`status = ${status}`
  return connection.any(sql.type(AccountRow)`
    select ${accountColumns} from users where ${condition} order by lower(username), id`)
}

/** Serialises changes of the number of administrators until the transaction ends. */
export async function lockAdministrators(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:administrators', 0))`)
}

export async function hasOtherActiveAdministrator(connection: Connection, id: string): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from users where is_admin and status = 'active' and id <> ${id}`)
}

export async function updateRoleAndStatus(
  connection: Connection,
  { id, isAdmin, status, now }: Pick<Account, 'id' | 'isAdmin' | 'status'> & { now: Date },
): Promise<Account | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    update users set is_admin = ${isAdmin}, status = ${status}, updated_at = ${sql.timestamp(now)}
    where id = ${id} returning ${accountColumns}`)
  return row ?? undefined
}

/** Gives an account another access policy, null for none, and says whether it may download. */
export async function updateAccess(
  connection: Connection,
  { id, policyId, mayDownload, now }: Pick<Account, 'id' | 'policyId' | 'mayDownload'> & { now: Date },
): Promise<Account | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    update users set policy_id = ${policyId}, may_download = ${mayDownload}, updated_at = ${sql.timestamp(now)}
    where id = ${id} returning ${accountColumns}`)
  return row ?? undefined
}

/** The credentials of an account, by username or e-mail address. */
export async function findCredentials(
  connection: Connection,
  name: string,
): Promise<z.infer<typeof CredentialsRow> | undefined> {
  const row = await connection.maybeOne(sql.type(CredentialsRow)`
    select id, status, password_hash from users where lower(username) = lower(${name}) or lower(email) = lower(${name})`)
  return row ?? undefined
}

/** @throws AppError `account_disabled` when it was disabled or deleted since its credentials were read */
export async function markLogin(connection: Connection, { id, now }: { id: string; now: Date }): Promise<Account> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    update users set last_login_at = ${sql.timestamp(now)}
    where id = ${id} and status = 'active' returning ${accountColumns}`)
  if (row === null) throw accountErrors.account_disabled()
  return row
}

export async function updatePasswordHash(
  connection: Connection,
  { id, passwordHash, now }: { id: string; passwordHash: string; now: Date },
): Promise<Account | undefined> {
  const found = await connection.maybeOne(sql.type(AccountRow)`
    update users set password_hash = ${passwordHash}, has_password = true, updated_at = ${sql.timestamp(now)}
    where id = ${id} returning ${accountColumns}`)
  return found ?? undefined
}

/**
 * Changes the fields that are not undefined. Throws the same unique violations as `insertAccount`. Returns undefined if the account was
 * deleted.
 */
export async function updateAccountRow(
  connection: Connection,
  row: Pick<Account, 'id'> & { [Field in 'username' | 'email' | 'passwordHash']: string | undefined } & {
    /** Whether the person has chosen the address, and not an administrator. */
    isOwnChoice?: boolean
    now: Date
  },
): Promise<Account | undefined> {
  const found = await connection.maybeOne(sql.type(AccountRow)`
    update users set username = coalesce(${row.username ?? null}, username), email = coalesce(${row.email ?? null}, email),
      password_hash = coalesce(${row.passwordHash ?? null}, password_hash),
      has_password = has_password or ${row.passwordHash !== undefined},
      has_chosen_email = case when ${row.email === undefined} then has_chosen_email else ${row.isOwnChoice ?? false} end, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} returning ${accountColumns}`)
  return found ?? undefined
}

/** Whether the account with an address has chosen it by itself. */
export async function isChosenAddress(connection: Connection, email: string): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from users where lower(email) = lower(${email}) and has_chosen_email`)
}

/** Stores the picture of an account and its URL; undefined when the account was deleted. Requires a transaction. */
export async function upsertAvatar(
  connection: Connection,
  { id, url, version, bytes, now }: { id: string; url: string; version: string; bytes: Buffer; now: Date },
): Promise<Account | undefined> {
  const account = await updateAvatarUrl(connection, { id, url, now })
  if (account === undefined) return undefined
  await connection.query(sql.unsafe`
    insert into user_avatars (user_id, version, bytes, created_at)
    values (${id}, ${version}, ${sql.binary(bytes)}, ${sql.timestamp(now)})
    on conflict (user_id) do update set version = excluded.version, bytes = excluded.bytes, created_at = excluded.created_at`)
  return account
}

/** Requires a transaction. */
export async function deleteAvatar(
  connection: Connection,
  { id, now }: { id: string; now: Date },
): Promise<Account | undefined> {
  await connection.query(sql.unsafe`delete from user_avatars where user_id = ${id}`)
  return updateAvatarUrl(connection, { id, url: null, now })
}

async function updateAvatarUrl(
  connection: Connection,
  { id, url, now }: { id: string; url: string | null; now: Date },
): Promise<Account | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    update users set avatar_url = ${url}, updated_at = ${sql.timestamp(now)} where id = ${id} returning ${accountColumns}`)
  return row ?? undefined
}

const AvatarRow = z.strictObject({ version: z.string(), bytes: z.instanceof(Buffer), createdAt: z.date() })

export async function selectAvatar(connection: Connection, id: string): Promise<z.infer<typeof AvatarRow> | undefined> {
  const row = await connection.maybeOne(sql.type(AvatarRow)`
    select version, bytes, created_at from user_avatars where user_id = ${id}`)
  return row ?? undefined
}

/** Deletes an account; dependent rows are deleted by cascade. */
export async function deleteAccountRow(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from users where id = ${id}`)
}
