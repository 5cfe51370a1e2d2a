import { randomBytes } from 'node:crypto'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { rateLimitKey } from '../platform/rate-limits/index.ts'
import { enqueueEvent } from '../outbox/index.ts'
import { lockProfile } from '../profiles/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { RefreshToken, Session } from './session.ts'
import type { SignedInAccount } from './account.ts'
import type { Device, DeviceInput } from './device.ts'
import { describeDevice, computeDeviceDigest } from './describe-device.ts'
import { accountErrors } from './errors.ts'
import { findAccountById, lockAccountRow } from './queries/accounts.ts'
import { markSessionDevicesForgotten, recordDevice } from './queries/devices.ts'
import { lockLink, type SignInLink } from './queries/sign-in-links.ts'
import {
  bindToCookie,
  deleteExpiredRefreshTokens,
  deleteExpiredTokenFamilies,
  getRefreshToken,
  insertTokenFamily,
  insertRefreshToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  revokeTokenFamily,
  revokeTokenFamilyByJti,
  selectSessionAccounts,
  updateClientKey,
  type LockedRefreshToken,
} from './queries/sessions.ts'

type Dependencies = { db: Database; clock: Clock }
type SessionDependencies = Dependencies & { events: Pick<EventBus, 'publish'> }

/** 7 days. */
const REFRESH_LIFETIME_SECONDS = 604_800
const GRACE_MILLISECONDS = 10_000
const JTI_FORM = /^[0-9a-f]{32}$/

/** A sign-in whose account has been authenticated. */
export type SessionInput = {
  accountId: string
  /** The profile of the session; absent: the main one. */
  profileId?: string | undefined
  /** The data that the client sends about its device. */
  device?: DeviceInput | undefined
  /** The link by which a provider has signed the person in. */
  signInLink?: SignInLink | undefined
  /** Address of the client, which is exempt from the login lock of the account. */
  clientAddress?: string | undefined
  /** The session has no rights of an administrator, whatever the account is. */
  isRestricted?: boolean
  /**
   * For a session that another one has approved: uses up the approval while the account is locked, so that a password reset comes before or
   * after both. Such a session counts as not authenticated; other sessions are authenticated now.
   */
  takeApproval?: ((connection: Connection) => Promise<void>) | undefined
}

/**
 * Starts a token family after a login, of whatever kind. Expired families of the account are deleted. A device that the account has not used
 * before is an event `device.added`, unless it is the first one of the account.
 * @throws AppError `account_disabled`, also for an account that was deleted since the login; `invalid_credentials` if the account no longer
 * has the link; `profile_not_found` for a profile that was deleted meanwhile
 */
export async function startRefreshSession(
  { db, clock, events }: Dependencies & Partial<Pick<SessionDependencies, 'events'>>,
  input: SessionInput,
): Promise<RefreshToken> {
  const now = clock.now()
  const { accountId, profileId = accountId, signInLink, clientAddress: address = null, isRestricted = false } = input
  const clientKey = address === null ? null : rateLimitKey(address)
  const device = describeDevice(input.device ?? {})
  const deviceDigest = isRestricted ? null : computeDeviceDigest(device, clientKey)
  const token = await db.transaction(async (connection) => {
    await takeApproval(connection, input)
    if (profileId !== accountId) await lockProfile(connection, profileId)
    const family = {
      accountId,
      profileId,
      clientKey,
      address,
      isRestricted,
      device,
      deviceDigest,
      authenticatedAt: input.takeApproval === undefined ? now : null,
      now,
    }
    const familyId = await insertTokenFamily(connection, family)
    if (familyId === undefined) throw accountErrors.account_disabled()
    const isLinked = signInLink === undefined || (await lockLink(connection, { ...signInLink, accountId }))
    if (!isLinked) throw accountErrors.invalid_credentials()
    const issued = await insertRefreshToken(connection, { familyId, ...generateRefreshToken(now) })
    if (deviceDigest !== null) {
      await reportDevice(connection, { accountId, digest: deviceDigest, device, address, now })
    }
    // Last, because every transaction locks the account before its families.
    await deleteExpiredTokenFamilies(connection, { accountId, now })
    return issued
  })
  const userAgent = input.device?.userAgent ?? null
  const payload = { userId: accountId, sessionId: token.familyId, ipAddress: address, userAgent }
  events?.publish('plugin.event', { name: 'user.logged_in', payload })
  return token
}

async function takeApproval(connection: Connection, input: SessionInput): Promise<void> {
  if (input.takeApproval === undefined) return
  await lockAccountRow(connection, input.accountId)
  await input.takeApproval(connection)
}

async function reportDevice(
  connection: Connection,
  input: { accountId: string; digest: Buffer; device: Device; address: string | null; now: Date },
): Promise<void> {
  const { isNew, isFirst } = await recordDevice(connection, input)
  if (!isNew || isFirst) return
  const { device, address } = input
  const account = await findAccountById(connection, input.accountId)
  if (account === undefined) return
  const { id: userId, username: userName } = account
  const facts = { userId, userName, deviceName: device.name, deviceType: device.type, address }
  await enqueueEvent(connection, { event: 'device.added', ...facts }, input.now)
}

/**
 * How a refresh token is presented: in the body of a request, in the cookie of the web page, or in a body to be moved into that cookie. Once
 * moved, the tokens of a session are accepted in the cookie only.
 */
type Presentation = 'body' | 'cookie' | 'adoption'

type Rotation = { jti: string; clientAddress?: string; presentedIn?: Presentation }

/**
 * Uses a refresh token and returns its successor. Repeated use within 10 s returns the same successor (two tabs, or a reply that did not
 * reach the client). Later use revokes the family, because the token may have been stolen, and logs a warning.
 * @param input.jti of a token whose signature, type and expiry the caller has verified
 * @throws AppError `invalid_refresh_token`
 */
export async function rotateRefreshToken(
  { db, clock, log, events }: SessionDependencies & { log: Logger },
  input: Rotation,
): Promise<{ token: RefreshToken; account: SignedInAccount }> {
  if (!JTI_FORM.test(input.jti)) throw accountErrors.invalid_refresh_token()
  const now = clock.now()
  // Thrown outside of the transaction: inside, it would roll back the revocation.
  const { successor, reused } = await db.transaction((connection) => rotate(connection, input, now))
  if (reused !== undefined) {
    const { accountId, familyId } = reused
    log.warning({ accountId, familyId }, 'a refresh token was used a second time; its session was ended')
    events.publish('account.changed', { accountId })
  }
  const account = successor === undefined ? undefined : await findSignedIn(db, successor.familyId)
  if (successor === undefined || account?.status !== 'active') throw accountErrors.invalid_refresh_token()
  const { clientAddress: address } = input
  if (address !== undefined) {
    await updateClientKey(db, { familyId: successor.familyId, clientKey: rateLimitKey(address), address, now })
  }
  return { token: successor, account }
}

async function findSignedIn(db: Connection, sessionId: string): Promise<SignedInAccount | undefined> {
  return (await selectSessionAccounts(db, [sessionId])).get(sessionId)?.account
}

/**
 * Ends the session of a refresh token (logout), with its access tokens and its WebSockets in this process. Unknown tokens are ignored,
 * because their session has already ended.
 */
export async function revokeRefreshSession(
  { db, clock, events }: SessionDependencies,
  { jti }: { jti: string },
): Promise<void> {
  if (!JTI_FORM.test(jti)) return
  const session = await revokeTokenFamilyByJti(db, { jti, reason: 'logout', now: clock.now() })
  if (session !== undefined) publishLogout(events, session)
}

/** Ends a session by its id. */
export async function endSession(
  { db, clock, events }: SessionDependencies,
  { accountId, sessionId }: Session,
): Promise<void> {
  await revokeTokenFamily(db, { id: sessionId, reason: 'logout', now: clock.now() })
  publishLogout(events, { accountId, sessionId })
}

/**
 * Ends sessions in a transaction. The accounts are locked first, each before its sessions, as in all transactions. After the commit the caller
 * calls `publishLogout` for each.
 */
export async function endSessionsInTransaction(
  connection: Connection,
  { sessions, now }: { sessions: readonly Session[]; now: Date },
): Promise<void> {
  const accountIds = [...new Set(sessions.map(({ accountId }) => accountId))]
  for (const accountId of accountIds.toSorted()) await lockAccountRow(connection, accountId)
  for (const { sessionId } of sessions) await revokeTokenFamily(connection, { id: sessionId, reason: 'logout', now })
}

/** Tells WebSockets and plugins about a session that has ended by a logout. */
export function publishLogout(events: SessionDependencies['events'], { accountId, sessionId }: Session): void {
  events.publish('account.changed', { accountId })
  events.publish('plugin.event', {
    name: 'user.logged_out',
    payload: { userId: accountId, sessionId, reason: 'logout' },
  })
}

/** The successor, or the reused token whose family was revoked. Neither for an invalid or expired token. */
type RotationResult = { successor?: RefreshToken; reused?: LockedRefreshToken }

async function rotate(
  connection: Connection,
  { jti, presentedIn = 'body' }: Rotation,
  now: Date,
): Promise<RotationResult> {
  // The lock on the family serialises concurrent uses: the first creates the successor, the others read it.
  const token = await lockRefreshToken(connection, jti)
  if (token === undefined || token.isRevoked || token.expiresAt <= now) return {}
  const { successorJti, usedAt, familyId } = token
  if (successorJti === null || usedAt === null) {
    if (token.isInCookie !== (presentedIn === 'cookie')) return {}
    if (presentedIn === 'adoption') await bindToCookie(connection, familyId)
    return { successor: await issueSuccessor(connection, token, now) }
  }
  // The absolute value: a clock that was set back does not extend the grace period.
  if (Math.abs(now.getTime() - usedAt.getTime()) <= GRACE_MILLISECONDS) {
    if (token.isInCookie !== (presentedIn !== 'body')) return {}
    return { successor: await getRefreshToken(connection, successorJti) }
  }
  await revokeTokenFamily(connection, { id: familyId, reason: 'reuse', now })
  await markSessionDevicesForgotten(connection, { accountId: token.accountId, sessionIds: [familyId] })
  return { reused: token }
}

async function issueSuccessor(connection: Connection, token: LockedRefreshToken, now: Date): Promise<RefreshToken> {
  const successor = await insertRefreshToken(connection, { familyId: token.familyId, ...generateRefreshToken(now) })
  await markRefreshTokenUsed(connection, { jti: token.jti, successorJti: successor.jti, now })
  await deleteExpiredRefreshTokens(connection, { familyId: token.familyId, now })
  return successor
}

/** Generates the id and the times of a new refresh token. It is not stored. */
export function generateRefreshToken(now: Date): { jti: string; issuedAt: Date; expiresAt: Date } {
  const issuedAt = new Date(Math.floor(now.getTime() / 1000) * 1000)
  const expiresAt = new Date(issuedAt.getTime() + REFRESH_LIFETIME_SECONDS * 1000)
  return { jti: randomBytes(16).toString('hex'), issuedAt, expiresAt }
}
