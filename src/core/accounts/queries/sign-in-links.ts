import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'

/** The person of a provider that an account belongs to. */
export type SignInLink = { provider: string; subject: string }

const LinkRow = z.strictObject({ provider: z.string(), subject: z.string() })

export async function selectLink(connection: Connection, accountId: string): Promise<SignInLink | undefined> {
  const row = await connection.maybeOne(sql.type(LinkRow)`
    select provider, subject from account_sign_in_links where user_id = ${accountId}`)
  return row ?? undefined
}

const StoredLinkRow = LinkRow.extend({ createdAt: z.date() })

/** A link with the time at which it was made. */
export type LinkedIdentity = z.infer<typeof StoredLinkRow>

export async function selectLinkedIdentity(
  connection: Connection,
  accountId: string,
): Promise<LinkedIdentity | undefined> {
  const row = await connection.maybeOne(sql.type(StoredLinkRow)`
    select provider, subject, created_at from account_sign_in_links where user_id = ${accountId}`)
  return row ?? undefined
}

/** Whether an active account is linked to a person of the OpenID provider or of the directory. Spellings of an issuer differ by a slash. */
export async function hasLinkedAccount(
  connection: Connection,
  { issuer, hasDirectory }: { issuer: string | undefined; hasDirectory: boolean },
): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from account_sign_in_links l join users u on u.id = l.user_id
    where u.status = 'active' and (
      (${hasDirectory} and l.provider = 'ldap') or rtrim(l.provider, '/') = rtrim(${issuer ?? null}, '/'))`)
}

/** Whether an account has this link. The share lock keeps it until the transaction ends: a transaction that removes it waits. */
export async function lockLink(
  connection: Connection,
  { accountId, provider, subject }: SignInLink & { accountId: string },
): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from account_sign_in_links
    where user_id = ${accountId} and provider = ${provider} and subject = ${subject} for share`)
}

/** The id of the account that belongs to a person of a provider. */
export async function selectLinkedAccount(
  connection: Connection,
  { provider, subject }: SignInLink,
): Promise<string | undefined> {
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    select user_id as id from account_sign_in_links where provider = ${provider} and subject = ${subject}`)
  return id ?? undefined
}

/** Replaces the link of an account. The unique violation is `account_sign_in_links_subject_key`. */
export async function upsertLink(
  connection: Connection,
  { accountId, provider, subject, now }: SignInLink & { accountId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into account_sign_in_links (user_id, provider, subject, created_at)
    values (${accountId}, ${provider}, ${subject}, ${sql.timestamp(now)})
    on conflict (user_id) do update
      set provider = excluded.provider, subject = excluded.subject, created_at = excluded.created_at`)
}

export async function deleteLink(connection: Connection, accountId: string): Promise<void> {
  await connection.query(sql.unsafe`delete from account_sign_in_links where user_id = ${accountId}`)
}

/** Locks the accounts that are linked to a provider: each transaction locks accounts before their links and sessions. */
export async function lockLinkedAccounts(connection: Connection, provider: string): Promise<void> {
  await connection.query(sql.unsafe`
    select 1 from users where id in (select user_id from account_sign_in_links where provider = ${provider})
    order by id for update`)
}

/** @returns the ids of the accounts that had one */
export async function deleteLinksOfProvider(connection: Connection, provider: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    delete from account_sign_in_links where provider = ${provider} returning user_id as id`)
}
