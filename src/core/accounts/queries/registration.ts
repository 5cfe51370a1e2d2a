import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { StoredInvite } from '../invite.ts'

const CodeRow = z.strictObject({ code: z.string() })

const InviteRow = z.strictObject({
  id: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  policyId: z.number().nullable(),
  maxUses: z.number(),
  uses: z.number(),
  usedAt: z.date().nullable(),
  usernames: z.array(z.string()),
})

const InviteStateRow = z.strictObject({
  id: z.string(),
  policyId: z.number().nullable(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
  /** Whether as many accounts were created with it as it permits. */
  isUsedUp: z.boolean(),
})

/** The state of an invite that decides whether it permits one more registration. */
export type InviteState = z.infer<typeof InviteStateRow>

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
  row: { digest: Buffer; now: Date; expiresAt: Date; policyId: number | null; maxUses: number },
): Promise<StoredInvite> {
  return connection.one(sql.type(InviteRow)`
    insert into account_invites (code_digest, created_at, expires_at, policy_id, max_uses)
    values (${sql.binary(row.digest)}, ${sql.timestamp(row.now)}, ${sql.timestamp(row.expiresAt)}, ${row.policyId}, ${row.maxUses})
    returning id, created_at, expires_at, policy_id, max_uses, uses, used_at, array[]::text[] as usernames`)
}

/** The invites that are not revoked, newest first, with the usernames of the accounts that were created with them. */
export async function selectInvites(connection: Connection): Promise<readonly StoredInvite[]> {
  return connection.any(sql.type(InviteRow)`
    select i.id, i.created_at, i.expires_at, i.policy_id, i.max_uses, i.uses, i.used_at,
      array (select u.username from users u where u.invite_id = i.id order by u.created_at, u.id) as usernames
    from account_invites i where i.revoked_at is null order by i.created_at desc, i.id`)
}

/** Revokes an invite and removes its limits. @returns whether there was such an invite that was not revoked */
export async function markInviteRevoked(
  connection: Connection,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update account_invites set revoked_at = ${sql.timestamp(now)}, policy_id = null where id = ${id} and revoked_at is null`)
  return rowCount === 1
}

/** Deletes invites that were revoked before a time. */
export async function deleteRevokedInvites(connection: Connection, before: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from account_invites where revoked_at < ${sql.timestamp(before)}`)
}

/** The invite with this digest, in whatever state. It is locked until the transaction ends. */
export async function lockInvite(connection: Connection, digest: Buffer): Promise<InviteState | undefined> {
  const row = await connection.maybeOne(sql.type(InviteStateRow)`
    select id, policy_id, expires_at, revoked_at, uses >= max_uses as is_used_up from account_invites
    where code_digest = ${sql.binary(digest)} for update`)
  return row ?? undefined
}

/** Counts a use, and stores which account was created by it. */
export async function useInvite(
  connection: Connection,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update account_invites set uses = uses + 1, used_at = ${sql.timestamp(now)} where id = ${id}`)
  await connection.query(sql.unsafe`update users set invite_id = ${id} where id = ${accountId}`)
}
