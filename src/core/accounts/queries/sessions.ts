import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { SignedInAccount } from '../account.ts'
import type { Device } from '../device.ts'
import type { Session, RefreshToken } from '../session.ts'
import { accountColumns, AccountRow } from './accounts.ts'

const SessionRow = z.strictObject({ accountId: z.string(), sessionId: z.string() })

const TokenRow = z.strictObject({
  jti: z.string(),
  familyId: z.string(),
  accountId: z.string(),
  profileId: z.string(),
  epoch: z.number(),
  issuedAt: z.date(),
  expiresAt: z.date(),
})

const LockedRefreshTokenRow = TokenRow.extend({
  isRevoked: z.boolean(),
  isInCookie: z.boolean(),
  usedAt: z.date().nullable(),
  successorJti: z.string().nullable(),
})

export type LockedRefreshToken = z.infer<typeof LockedRefreshTokenRow>
type Revocation = { reason: 'logout' | 'reuse' | 'password_reset' | 'account_disabled' | 'provider_removed'; now: Date }

const tokenColumns = sql.fragment`t.jti, t.family_id, f.user_id as account_id, f.profile_id, f.epoch, t.issued_at, t.expires_at`
const tokensWithFamilies = sql.fragment`refresh_tokens t join refresh_families f on f.id = t.family_id`

const SessionAccountRow = AccountRow.extend({
  sessionId: z.string(),
  isRestricted: z.boolean(),
  lastUsedAt: z.date(),
  epoch: z.number(),
  profileId: z.string(),
  profileName: z.string(),
  isMain: z.boolean(),
  isKids: z.boolean(),
  profileMayDownload: z.boolean(),
  hasLimits: z.boolean(),
  effectivePolicyId: z.number().nullable(),
})

/** The account of an active session, and the last use of the session that is stored. */
export type SessionAccount = { account: SignedInAccount; lastUsedAt: Date }

/**
 * The accounts of the active sessions among these, by session id. In a restricted session, and in a restricted profile, nobody is an
 * administrator.
 */
export async function selectSessionAccounts(
  connection: Connection,
  sessionIds: readonly string[],
): Promise<Map<string, SessionAccount>> {
  const rows = await connection.any(sql.type(SessionAccountRow)`
    select ${accountColumns}, f.id as session_id, f.is_restricted, f.last_used_at, f.epoch, r.id as profile_id, r.name as profile_name,
      r.is_main, r.is_kids, r.may_download as profile_may_download, r.effective_policy_id, not r.is_main and (
        r.policy_id is not null or not r.may_download
        or exists (select from profile_schedules s where s.profile_id = r.id and s.is_active)
        or exists (select from stream_limits l where l.profile_id = r.id)) as has_limits
    from refresh_families f join users on users.id = f.user_id join profiles r on r.id = f.profile_id
    where f.id = any (${sql.array([...sessionIds], 'uuid')}) and f.revoked_at is null`)
  return new Map(rows.map((row) => [row.sessionId, toSessionAccount(row)]))
}

function toSessionAccount(row: z.infer<typeof SessionAccountRow>): SessionAccount {
  const {
    sessionId: _,
    isRestricted: isOfHub,
    lastUsedAt,
    hasLimits,
    profileId,
    profileName,
    effectivePolicyId,
    ...rest
  } = row
  const { isMain, isKids, profileMayDownload, isAdmin, ...account } = rest
  const mayDownload = account.mayDownload && profileMayDownload
  const isRestricted = isKids || hasLimits
  const profile = { id: profileId, name: profileName, isMain, isKids, mayDownload, isRestricted }
  const mayAdminister = isAdmin && !isOfHub && !isRestricted
  return { account: { ...account, isAdmin: mayAdminister, policyId: effectivePolicyId, profile }, lastUsedAt }
}

/** Whether a session of the account was last used from this address. Sessions that ended otherwise than by a logout do not count. */
export async function hasSessionFrom(
  connection: Connection,
  { accountId, clientKey }: { accountId: string; clientKey: string },
): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from refresh_families
    where user_id = ${accountId} and client_key = ${clientKey} and (revoked_reason is null or revoked_reason = 'logout')`)
}

/** Stores the address from which a session is renewed. */
export async function updateClientKey(
  connection: Connection,
  row: { familyId: string; clientKey: string; address: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update refresh_families
    set client_key = ${row.clientKey}, address = ${row.address}, last_used_at = ${sql.timestamp(row.now)}
    where id = ${row.familyId}`)
}

const LoginSessionRow = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  username: z.string(),
  deviceName: z.string(),
  deviceType: z.string(),
  address: z.string().nullable(),
  createdAt: z.date(),
  lastUsedAt: z.date(),
  expiresAt: z.date().nullable(),
})

/**
 * An active session: who signed in with which device, and when and from which address it was last used. The last use is exact to a minute;
 * the address is null for sessions of the hub.
 */
export type LoginSession = z.infer<typeof LoginSessionRow>

/**
 * The active sessions, the last used first: those with a token that is still valid, and restricted ones, which live without tokens of their own.
 */
export async function selectLoginSessions(
  connection: Connection,
  { accountId, now, limit }: { accountId: string | undefined; now: Date; limit: number },
): Promise<LoginSession[]> {
  const isWanted = accountId === undefined ? sql.fragment`true` : sql.fragment`f.user_id = ${accountId}`
  const rows = await connection.any(sql.type(LoginSessionRow)`
    select f.id, f.user_id as account_id, u.username, f.device_name, f.device_type, f.address, f.created_at, f.last_used_at,
      case when not f.is_restricted then max(t.expires_at) end as expires_at
    from refresh_families f join users u on u.id = f.user_id join refresh_tokens t on t.family_id = f.id
    where f.revoked_at is null and ${isWanted}
    group by f.id, u.id having f.is_restricted or max(t.expires_at) > ${sql.timestamp(now)}
    order by f.last_used_at desc, f.id limit ${limit}`)
  return [...rows]
}

const AuthenticationRow = z.strictObject({ authenticatedAt: z.date().nullable() })

/** When the person of a session was authenticated in the profile that the session has. Undefined if that did not happen. */
export async function findAuthenticationTime(connection: Connection, sessionId: string): Promise<Date | undefined> {
  const time = await connection.maybeOneFirst(sql.type(AuthenticationRow)`
    select authenticated_at from refresh_families where id = ${sessionId}`)
  return time ?? undefined
}

/** The account of an active session. */
export async function findSessionOwner(connection: Connection, id: string): Promise<string | undefined> {
  const owner = await connection.maybeOneFirst(sql.type(IdRow)`
    select user_id as id from refresh_families where id = ${id} and revoked_at is null`)
  return owner ?? undefined
}

const RightsRow = z.strictObject({ isRestricted: z.boolean() })

/**
 * An active session. The share lock keeps it active until the transaction ends: a transaction that ends it waits, and then sees the written
 * rows.
 */
export async function lockSession(
  connection: Connection,
  { accountId, sessionId }: Session,
): Promise<z.infer<typeof RightsRow> | undefined> {
  const row = await connection.maybeOne(sql.type(RightsRow)`
    select is_restricted from refresh_families
    where id = ${sessionId} and user_id = ${accountId} and revoked_at is null for share`)
  return row ?? undefined
}

type NewTokenFamily = {
  accountId: string
  profileId: string
  clientKey: string | null
  address: string | null
  isRestricted: boolean
  device: Device
  deviceDigest: Buffer | null
  authenticatedAt: Date | null
  now: Date
}

/**
 * Inserts a session: a family of refresh tokens. Undefined if the account is not active. A transaction that disables the account waits for the
 * share lock and then sees this family.
 */
export async function insertTokenFamily(connection: Connection, row: NewTokenFamily): Promise<string | undefined> {
  const now = sql.timestamp(row.now)
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    insert into refresh_families (
      user_id, profile_id, client_key, address, is_restricted, device_name, device_type, device_id, device_digest, authenticated_at, created_at, last_used_at)
    select users.id, ${row.profileId}, ${row.clientKey}, ${row.address}, ${row.isRestricted}, ${row.device.name}, ${row.device.type},
      ${row.device.id}, ${row.deviceDigest === null ? null : sql.binary(row.deviceDigest)}, ${row.authenticatedAt === null ? null : sql.timestamp(row.authenticatedAt)}, ${now}, ${now} from users where users.id = ${row.accountId} and users.status = 'active'
    for share returning id`)
  return id ?? undefined
}

/** Inserts a refresh token of a family. @returns the token with its account and profile */
export async function insertRefreshToken(
  connection: Connection,
  row: { familyId: string; jti: string; issuedAt: Date; expiresAt: Date },
): Promise<RefreshToken> {
  await connection.query(sql.unsafe`
    insert into refresh_tokens (jti, family_id, issued_at, expires_at)
    values (${row.jti}, ${row.familyId}, ${sql.timestamp(row.issuedAt)}, ${sql.timestamp(row.expiresAt)})`)
  return getRefreshToken(connection, row.jti)
}

export async function getRefreshToken(connection: Connection, jti: string): Promise<RefreshToken> {
  return connection.one(sql.type(TokenRow)`select ${tokenColumns} from ${tokensWithFamilies} where t.jti = ${jti}`)
}

/** Reads a refresh token with the state of its family, and locks the family until the transaction ends. */
export async function lockRefreshToken(connection: Connection, jti: string): Promise<LockedRefreshToken | undefined> {
  // Locked before it is read, so that a transaction that waited sees the changes of the previous one.
  await connection.query(sql.unsafe`
    select 1 from refresh_families
    where id = (select family_id from refresh_tokens where jti = ${jti}) for update`)
  const row = await connection.maybeOne(sql.type(LockedRefreshTokenRow)`
    select ${tokenColumns}, f.revoked_at is not null as is_revoked, f.is_in_cookie, t.used_at, t.successor_jti
    from ${tokensWithFamilies} where t.jti = ${jti}`)
  return row ?? undefined
}

/** From now on, the refresh tokens of a session are accepted in the cookie of the web page only. */
export async function bindToCookie(connection: Connection, familyId: string): Promise<void> {
  await connection.query(sql.unsafe`update refresh_families set is_in_cookie = true where id = ${familyId}`)
}

/** Stores that a refresh token was used, and which token replaces it. */
export async function markRefreshTokenUsed(
  connection: Connection,
  { jti, successorJti, now }: { jti: string; successorJti: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update refresh_tokens set used_at = ${sql.timestamp(now)}, successor_jti = ${successorJti} where jti = ${jti}`)
}

export async function revokeTokenFamily(
  connection: Connection,
  { id, reason, now }: Revocation & { id: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    update refresh_families set revoked_at = ${sql.timestamp(now)}, revoked_reason = ${reason}
    where id = ${id} and revoked_at is null`)
}

/** Ends the session of a refresh token. @returns the account of the session; undefined when there was none to end */
export async function revokeTokenFamilyByJti(
  connection: Connection,
  { jti, reason, now }: Revocation & { jti: string },
): Promise<{ accountId: string; sessionId: string } | undefined> {
  const row = await connection.maybeOne(sql.type(SessionRow)`
    update refresh_families set revoked_at = ${sql.timestamp(now)}, revoked_reason = ${reason}
    where id = (select family_id from refresh_tokens where jti = ${jti}) and revoked_at is null
    returning user_id as account_id, id as session_id`)
  return row ?? undefined
}

/** Ends all active sessions of an account. Each is a family of refresh tokens. @returns their ids */
export async function revokeAccountTokenFamilies(
  connection: Connection,
  { accountId, reason, now }: Revocation & { accountId: string },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    update refresh_families set revoked_at = ${sql.timestamp(now)}, revoked_reason = ${reason}
    where user_id = ${accountId} and revoked_at is null returning id`)
}

export async function deleteExpiredRefreshTokens(
  connection: Connection,
  { familyId, now }: { familyId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from refresh_tokens where family_id = ${familyId} and expires_at <= ${sql.timestamp(now)}`)
}

/** Deletes those token families of an account that have no valid token. */
export async function deleteExpiredTokenFamilies(
  connection: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from refresh_families f where f.user_id = ${accountId} and not exists (
      select 1 from refresh_tokens t where t.family_id = f.id and t.expires_at > ${sql.timestamp(now)})`)
}
