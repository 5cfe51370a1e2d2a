import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'

/** More devices than an account has; the ones with the oldest sign-ins are forgotten. */
const MAX_KNOWN_DEVICES = 200

const KnownRow = z.strictObject({ isFirst: z.boolean(), isNew: z.boolean() })

/**
 * Stores that an account has signed in from a device. Called while the row of the account is locked.
 * @returns whether it is the first device of the account, and whether the account had not used it before
 */
export async function noteDevice(
  connection: Connection,
  { accountId, digest, now }: { accountId: string; digest: Buffer; now: Date },
): Promise<z.infer<typeof KnownRow>> {
  const known = await connection.one(sql.type(KnownRow)`
    with noted as (
      insert into known_devices as kept (user_id, device_digest, last_sign_in_at)
      values (${accountId}, ${sql.binary(digest)}, ${sql.timestamp(now)})
      on conflict (user_id, device_digest) do update set last_sign_in_at = excluded.last_sign_in_at
      returning xmax = 0 as is_new)
    select is_new, not exists (select 1 from known_devices where user_id = ${accountId}) as is_first from noted`)
  await connection.query(sql.unsafe`
    delete from known_devices where user_id = ${accountId} and device_digest in (
      select device_digest from known_devices where user_id = ${accountId}
      order by last_sign_in_at desc, device_digest offset ${MAX_KNOWN_DEVICES})`)
  return known
}

/** Ends active sessions of an account: one, all, or all but one. @returns their ids */
export async function revokeSessionsOf(
  connection: Connection,
  input: { accountId: string; onlyId?: string; exceptSessionId?: string; now: Date },
): Promise<string[]> {
  const { accountId, onlyId, exceptSessionId, now } = input
  const isWanted = onlyId === undefined ? sql.fragment`true` : sql.fragment`id = ${onlyId}`
  const isOther = exceptSessionId === undefined ? sql.fragment`true` : sql.fragment`id <> ${exceptSessionId}`
  const rows = await connection.any(sql.type(IdRow)`
    update refresh_families set revoked_at = ${sql.timestamp(now)}, revoked_reason = 'revoked'
    where user_id = ${accountId} and revoked_at is null and ${isWanted} and ${isOther} returning id`)
  return rows.map(({ id }) => id)
}

/** Forgets the devices of ended sessions: a new sign-in from them is one from a new device. Devices with another session stay known. */
export async function forgetDevices(
  connection: Connection,
  { accountId, sessionIds }: { accountId: string; sessionIds: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from known_devices k using refresh_families f
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
