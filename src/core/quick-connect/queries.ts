import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

const CodeRow = z.strictObject({
  code: z.string(),
  secretDigest: z.instanceof(Buffer),
  needsSecret: z.boolean(),
  deviceName: z.string(),
  deviceType: z.string(),
  deviceId: z.string().nullable(),
  address: z.string(),
  status: z.enum(['pending', 'approved', 'denied']),
  pollSeconds: z.number(),
  expiresAt: z.date(),
  approverId: z.string().nullable(),
  profileId: z.string().nullable(),
})

/** A code that has not expired. `approverId` is the account that approved it, `profileId` the profile that the device gets. */
export type OpenDeviceCode = z.infer<typeof CodeRow>

export async function lockClientAddress(connection: Connection, clientKey: string): Promise<void> {
  await connection.query(
    sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`phlix:quick-connect:${clientKey}`}, 0))`,
  )
}

export async function deleteExpiredCodeRows(connection: Connection, now: Date): Promise<void> {
  await connection.query(sql.unsafe`delete from quick_connect_codes where expires_at <= ${sql.timestamp(now)}`)
}

export async function deleteDeviceCode(connection: Connection, code: string): Promise<void> {
  await connection.query(sql.unsafe`delete from quick_connect_codes where code = ${code}`)
}

/** Deletes the codes of a device at an address about which nobody has decided. */
export async function deletePendingOfDevice(
  connection: Connection,
  { deviceId, address }: { deviceId: string; address: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from quick_connect_codes where device_id = ${deviceId} and address = ${address} and status = 'pending'`)
}

const ExpiryRow = z.strictObject({ expiresAt: z.date() })

/** When the codes of an address expire that nobody has denied, the first one first. */
export async function selectCodeExpiries(
  connection: Connection,
  { clientKey, now }: { clientKey: string; now: Date },
): Promise<readonly Date[]> {
  return connection.anyFirst(sql.type(ExpiryRow)`
    select expires_at from quick_connect_codes
    where client_key = ${clientKey} and status <> 'denied' and expires_at > ${sql.timestamp(now)} order by expires_at`)
}

type NewCode = Pick<
  OpenDeviceCode,
  'code' | 'secretDigest' | 'needsSecret' | 'deviceName' | 'deviceType' | 'deviceId' | 'address' | 'pollSeconds'
>

/** False when another device has this code. */
export async function insertDeviceCode(
  connection: Connection,
  row: NewCode & { clientKey: string; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into quick_connect_codes (
      code, secret_digest, needs_secret, device_name, device_type, device_id, address, client_key, status, poll_seconds,
      created_at, expires_at)
    values (${row.code}, ${sql.binary(row.secretDigest)}, ${row.needsSecret}, ${row.deviceName}, ${row.deviceType}, ${row.deviceId},
      ${row.address}, ${row.clientKey}, 'pending', ${row.pollSeconds}, ${sql.timestamp(row.now)},
      ${sql.timestamp(row.expiresAt)})
    on conflict (code) do nothing`)
  return rowCount === 1
}

/** A code that has not expired, and whose approval, if there is one, has not ended. */
export async function findDeviceCode(
  connection: Connection,
  { code, now }: { code: string; now: Date },
): Promise<OpenDeviceCode | undefined> {
  const row = await connection.maybeOne(sql.type(CodeRow)`
    select c.code, c.secret_digest, c.needs_secret, c.device_name, c.device_type, c.device_id, c.address, c.status, c.poll_seconds,
      c.expires_at, f.user_id as approver_id, c.profile_id
    from quick_connect_codes c left join refresh_families f on f.id = c.approved_by
    where c.code = ${code} and c.expires_at > ${sql.timestamp(now)} and f.revoked_at is null`)
  return row ?? undefined
}

/** From now on the device of a code needs its secret. */
export async function markSecretRequired(connection: Connection, code: string): Promise<void> {
  await connection.query(sql.unsafe`update quick_connect_codes set needs_secret = true where code = ${code}`)
}

const PollRow = z.strictObject({ pollSeconds: z.number(), isTooSoon: z.boolean() })

/** Stores that the device of a code has polled. If it polled too soon, it must wait longer from now on. */
export async function recordPoll(
  connection: Connection,
  input: { code: string; now: Date; leewaySeconds: number; addedSeconds: number; maxSeconds: number },
): Promise<z.infer<typeof PollRow> | undefined> {
  const now = sql.timestamp(input.now)
  const row = await connection.maybeOne(sql.type(PollRow)`
    with before as (
      select code, coalesce(
        last_polled_at > ${now} - make_interval(secs => poll_seconds - ${input.leewaySeconds}), false) as is_too_soon
      from quick_connect_codes where code = ${input.code} for update)
    update quick_connect_codes c set last_polled_at = ${now},
      poll_seconds = case when b.is_too_soon
        then least(c.poll_seconds + ${input.addedSeconds}, ${input.maxSeconds}) else c.poll_seconds end
    from before b where c.code = b.code returning c.poll_seconds, b.is_too_soon`)
  return row ?? undefined
}

/** Approves a code that nobody has decided about. False if there is none. */
export async function approvePendingCode(
  connection: Connection,
  { code, sessionId, profileId, now }: { code: string; sessionId: string; profileId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update quick_connect_codes set status = 'approved', approved_by = ${sessionId}, profile_id = ${profileId}
    where code = ${code} and status = 'pending' and expires_at > ${sql.timestamp(now)}`)
  return rowCount === 1
}

/** Denies a code that nobody has decided about. False if there is none. */
export async function denyPendingCode(
  connection: Connection,
  { code, now }: { code: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update quick_connect_codes set status = 'denied'
    where code = ${code} and status = 'pending' and expires_at > ${sql.timestamp(now)}`)
  return rowCount === 1
}

/** Deletes a code that the account has approved. Of several calls at once one is true; none is if the approval has ended. */
export async function deleteApprovedCode(
  connection: Connection,
  { code, accountId, profileId, now }: { code: string; accountId: string; profileId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from quick_connect_codes c using refresh_families f
    where c.code = ${code} and c.status = 'approved' and c.expires_at > ${sql.timestamp(now)}
      and c.profile_id = ${profileId}
      and f.id = c.approved_by and f.user_id = ${accountId} and f.revoked_at is null`)
  return rowCount === 1
}
