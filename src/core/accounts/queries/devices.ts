import { sql } from 'slonik'
import { z } from 'zod'
import { type Connection } from '../../platform/database/index.ts'

/** Sessions of an account: one, all, or all but one. */
export type SessionsOfAccount = { accountId: string; onlyId?: string; exceptSessionId?: string }

/** More devices than an account has; the ones with the oldest sign-ins are forgotten. */
const MAX_KNOWN_DEVICES = 200

const ForgottenRow = z.strictObject({ isForgotten: z.boolean() })
const KnownRow = z.strictObject({ isFirst: z.boolean(), isNew: z.boolean() })

/**
 * Stores that an account has signed in from a device.
 * @returns whether it is the first device of the account, and whether the account did not know it. Of several sign-ins at once one is new.
 */
export async function recordDevice(
  connection: Connection,
  { accountId, digest, now }: { accountId: string; digest: Buffer; now: Date },
): Promise<z.infer<typeof KnownRow>> {
  // Locked before it is read, so that a sign-in that waited sees what the previous one has stored.
  const wasForgotten = await connection.maybeOneFirst(sql.type(ForgottenRow)`
    select is_forgotten from known_devices
    where user_id = ${accountId} and device_digest = ${sql.binary(digest)} for update`)
  const { isFirst, isNew } = await connection.one(sql.type(KnownRow)`
    with noted as (
      insert into known_devices as kept (user_id, device_digest, last_sign_in_at)
      values (${accountId}, ${sql.binary(digest)}, ${sql.timestamp(now)})
      on conflict (user_id, device_digest)
        do update set last_sign_in_at = excluded.last_sign_in_at, is_forgotten = false
      returning xmax = 0 as is_new)
    select is_new, not exists (select 1 from known_devices where user_id = ${accountId}) as is_first from noted`)
  await connection.query(sql.unsafe`
    delete from known_devices where user_id = ${accountId} and device_digest in (
      select device_digest from known_devices where user_id = ${accountId}
      order by is_forgotten, last_sign_in_at desc, device_digest offset ${MAX_KNOWN_DEVICES})`)
  return { isFirst, isNew: isNew || wasForgotten === true }
}

const RevokedRow = z.strictObject({ id: z.string(), isListed: z.boolean() })

/**
 * Ends active sessions of an account, whose row is locked: one, all, or all but one.
 * @returns their ids, and whether they were in the list of sessions: expired ones are not
 */
export async function revokeSessionRows(
  connection: Connection,
  input: SessionsOfAccount & { now: Date },
): Promise<readonly z.infer<typeof RevokedRow>[]> {
  const { accountId, onlyId, exceptSessionId } = input
  const now = sql.timestamp(input.now)
  const isWanted = onlyId === undefined ? sql.fragment`true` : sql.fragment`f.id = ${onlyId}`
  const isOther = exceptSessionId === undefined ? sql.fragment`true` : sql.fragment`f.id <> ${exceptSessionId}`
  return connection.any(sql.type(RevokedRow)`
    update refresh_families f set revoked_at = ${now}, revoked_reason = 'revoked'
    where f.user_id = ${accountId} and f.revoked_at is null and ${isWanted} and ${isOther}
    returning f.id, f.is_restricted or exists (
      select 1 from refresh_tokens t where t.family_id = f.id and t.expires_at > ${now}) as is_listed`)
}

/**
 * Marks the devices of ended sessions as forgotten: the next sign-in from one counts as from a new device. Devices with another active session
 * stay known.
 */
export async function markSessionDevicesForgotten(
  connection: Connection,
  { accountId, sessionIds }: { accountId: string; sessionIds: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    update known_devices k set is_forgotten = true from refresh_families f
    where k.user_id = ${accountId} and f.id = any (${sql.array([...sessionIds], 'uuid')})
      and k.device_digest = f.device_digest and not exists (
        select 1 from refresh_families active where active.user_id = ${accountId}
          and active.device_digest = k.device_digest and active.revoked_at is null)`)
}

/** Stores that a session was used, unless that was stored later than `before`. */
export async function updateLastUse(
  connection: Connection,
  row: { sessionId: string; address: string | null; now: Date; before: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update refresh_families set last_used_at = ${sql.timestamp(row.now)}, address = coalesce(${row.address}, address)
    where id = ${row.sessionId} and last_used_at <= ${sql.timestamp(row.before)}`)
}
