import { errors, jwtVerify, SignJWT } from 'jose'
import { HUB_ISSUER } from '../../hub-protocol/index.ts'
import { isRowId, type Database } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import {
  deleteSession,
  findSessionUser,
  insertHubSession,
  lockHubSession,
  updateSession,
  type HubSession,
} from '../queries/sessions.ts'

/** Lifetime of an access token in seconds. */
export const HUB_ACCESS_TOKEN_SECONDS = 3600
const REFRESH_SECONDS = 604_800
/** Two tabs, or a lost reply: within this time the use of the step before gives the same tokens again. */
const GRACE_MILLISECONDS = 10_000
const AUDIENCE = 'hub'
const SCOPE = ['library:read', 'library:playback']
const MAX_TOKEN_LENGTH = 4096

/** The signed-in user of a request. */
export type HubCaller = { id: string; username: string; email: string; isAdmin: boolean; sessionId: string }

export type HubTokenPair = { accessToken: string; refreshToken: string }

/** Sessions of users at a hub: tokens of HS256, whose session is a row of the database. */
export type HubSessions = {
  start(userId: string): Promise<HubTokenPair>
  /**
   * The user of an access token, as of now.
   * @throws AppError `auth.required`, also after the end of the session and for a disabled user
   */
  identify(accessToken: string): Promise<HubCaller>
  /**
   * Exchanges a refresh token, which is valid once. A repeated use after ten seconds ends the session, because the token may be stolen.
   * @throws AppError `auth.required`
   */
  refresh(refreshToken: string): Promise<HubTokenPair & { user: HubCaller }>
  end(sessionId: string): Promise<void>
  /** @throws AppError `auth.required` */
  endByRefreshToken(refreshToken: string): Promise<void>
}

export function createHubSessions(needs: { db: Database; clock: Clock; log: Logger; jwtSecret: Buffer }): HubSessions {
  const { db, clock, log, jwtSecret } = needs

  async function encode(session: HubSession, type: 'access' | 'refresh'): Promise<string> {
    const now = clock.unixSeconds()
    const isAccess = type === 'access'
    const expiry = isAccess ? now + HUB_ACCESS_TOKEN_SECONDS : Math.floor(session.expiresAt.getTime() / 1000)
    return new SignJWT({ type, sid: session.id, ...(isAccess ? { scope: SCOPE } : { step: session.step }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(HUB_ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(session.userId)
      .setIssuedAt(now)
      .setExpirationTime(expiry)
      .sign(jwtSecret)
  }

  async function decode(token: string, type: 'access' | 'refresh') {
    try {
      if (token.length > MAX_TOKEN_LENGTH) throw new errors.JWTInvalid()
      const { payload } = await jwtVerify(token, jwtSecret, {
        algorithms: ['HS256'],
        issuer: HUB_ISSUER,
        audience: AUDIENCE,
        currentDate: clock.now(),
        requiredClaims: ['sub', 'iat', 'exp'],
      })
      const { sub: userId, sid: sessionId, type: found, step } = payload
      if (found === type && isRowId(userId) && isRowId(sessionId)) return { userId, sessionId, step: Number(step) }
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
    }
    throw hubErrors.hub_auth_required()
  }

  const pairOf = async (session: HubSession): Promise<HubTokenPair> => ({
    accessToken: await encode(session, 'access'),
    refreshToken: await encode(session, 'refresh'),
  })

  const endOf = (now: Date): Date => new Date(now.getTime() + REFRESH_SECONDS * 1000)

  async function callerOf({ userId, sessionId }: { userId: string; sessionId: string }): Promise<HubCaller> {
    const user = await findSessionUser(db, { userId, sessionId, now: clock.now() })
    if (user === undefined) throw hubErrors.hub_auth_required()
    return { ...user, sessionId }
  }

  /** The session after its step; undefined if the token was used before, which has ended the session. */
  async function step(sessionId: string, given: number): Promise<HubSession | undefined> {
    const now = clock.now()
    return db.transaction(async (connection) => {
      const session = await lockHubSession(connection, sessionId, now)
      if (session?.step === given) return updateSession(connection, { id: sessionId, now, expiresAt: endOf(now) })
      if (session === undefined) return undefined
      const isRecent = Math.abs(now.getTime() - session.steppedAt.getTime()) <= GRACE_MILLISECONDS
      if (isRecent && session.step === given + 1) return session
      log.warning({ userId: session.userId }, 'a used refresh token of the hub came back: its session was ended')
      await deleteSession(connection, sessionId)
      return undefined
    })
  }

  return {
    async start(userId) {
      const now = clock.now()
      return pairOf(
        await db.transaction((connection) => insertHubSession(connection, { userId, now, expiresAt: endOf(now) })),
      )
    },
    identify: async (accessToken) => callerOf(await decode(accessToken, 'access')),
    async refresh(refreshToken) {
      const claims = await decode(refreshToken, 'refresh')
      const session = await step(claims.sessionId, claims.step)
      if (session === undefined) throw hubErrors.hub_auth_required()
      return { ...(await pairOf(session)), user: await callerOf(claims) }
    },
    end: (sessionId) => deleteSession(db, sessionId),
    endByRefreshToken: async (refreshToken) => deleteSession(db, (await decode(refreshToken, 'refresh')).sessionId),
  }
}
