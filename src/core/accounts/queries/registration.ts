import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { Invite } from '../invite.ts'

const CodeRow = z.strictObject({ code: z.string() })

const InviteRow = z.strictObject({
  id: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  usedAt: z.date().nullable(),
  usedBy: z.string().nullable(),
})

export async function hasAccounts(connection: Connection): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from users`)
}

/** Serialises registrations until the transaction ends, so that exactly one is the first. */
export async function lockRegistrations(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:first-account', 0))`)
}

export async function selectSetupCode(connection: Connection): Promise<string | undefined> {
  return (await connection.maybeOneFirst(sql.type(CodeRow)`select code from setup_codes`)) ?? undefined
}

/** Returns the existing code, or else stores this one: concurrent processes get the same code. */
export async function insertSetupCode(connection: Connection, code: string): Promise<string> {
  return connection.oneFirst(sql.type(CodeRow)`
    insert into setup_codes (code) values (${code})
    on conflict (is_only) do update set code = setup_codes.code returning code`)
}

export async function deleteSetupCode(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`delete from setup_codes`)
}

export async function insertInvite(
  connection: Connection,
  { digest, now, expiresAt }: { digest: Buffer; now: Date; expiresAt: Date },
): Promise<Invite> {
  return connection.one(sql.type(InviteRow)`
    insert into account_invites (code_digest, created_at, expires_at)
    values (${sql.binary(digest)}, ${sql.timestamp(now)}, ${sql.timestamp(expiresAt)})
    returning id, created_at, expires_at, used_at, used_by`)
}

/** Newest first, with the username of the account that was created with it. */
export async function selectInvites(connection: Connection): Promise<readonly Invite[]> {
  return connection.any(sql.type(InviteRow)`
    select i.id, i.created_at, i.expires_at, i.used_at, users.username as used_by
    from account_invites i left join users on users.id = i.used_by order by i.created_at desc, i.id`)
}

/** @returns whether it existed */
export async function deleteInvite(connection: Connection, id: string): Promise<boolean> {
  return (await connection.query(sql.unsafe`delete from account_invites where id = ${id}`)).rowCount === 1
}

/** The usable invite with this digest. It is locked until the transaction ends. */
export async function lockInvite(
  connection: Connection,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<string | undefined> {
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    select id from account_invites
    where code_digest = ${sql.binary(digest)} and used_at is null and expires_at > ${sql.timestamp(now)} for update`)
  return id ?? undefined
}

export async function markInviteUsed(
  connection: Connection,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update account_invites set used_at = ${sql.timestamp(now)}, used_by = ${accountId} where id = ${id}`)
}
