import { errors, jwtVerify, SignJWT } from 'jose'
import { HUB_ISSUER } from '../../hub-protocol/index.ts'
import { isRowId, type Database } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import {
  bindToCookie,
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
/** Within this time, a repeated use of a refresh token returns the same tokens: two tabs may use it, or a reply may have been lost. */
const GRACE_MILLISECONDS = 10_000
const AUDIENCE = 'hub'
const SCOPE = ['library:read', 'library:playback']
const MAX_TOKEN_LENGTH = 4096

/** The signed-in user of a request. */
export type HubCaller = { id: string; username: string; email: string; isAdmin: boolean; sessionId: string }

export type HubTokenPair = { accessToken: string; refreshToken: string }

/** How a refresh token is presented. */
export type HubPresentation = 'body' | 'cookie' | 'adoption'

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
   * @param presentedIn `adoption`: the tokens of the session are accepted in the cookie of the page only from now on; default `body`
   * @throws AppError `auth.required`
   */
  refresh(
    refreshToken: string,
    presentedIn?: HubPresentation,
  ): Promise<HubTokenPair & { user: HubCaller; expiresAt: Date }>
  /**
   * The session of a refresh token, which may have ended.
   * @throws AppError `auth.required`
   */
  sessionIdOf(refreshToken: string): Promise<string>
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
  async function step(
    { sessionId, step: given }: { sessionId: string; step: number },
    presentedIn: HubPresentation,
  ): Promise<HubSession | undefined> {
    const now = clock.now()
    return db.transaction(async (connection) => {
      const session = await lockHubSession(connection, sessionId, now)
      if (session === undefined) return undefined
      if (session.step === given) {
        if (session.isInCookie !== (presentedIn === 'cookie')) return undefined
        if (presentedIn === 'adoption') await bindToCookie(connection, sessionId)
        return updateSession(connection, { id: sessionId, now, expiresAt: endOf(now) })
      }
      const isRecent = Math.abs(now.getTime() - session.steppedAt.getTime()) <= GRACE_MILLISECONDS
      if (isRecent && session.step === given + 1) {
        return session.isInCookie === (presentedIn !== 'body') ? session : undefined
      }
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
    async refresh(refreshToken, presentedIn = 'body') {
      const claims = await decode(refreshToken, 'refresh')
      const session = await step(claims, presentedIn)
      if (session === undefined) throw hubErrors.hub_auth_required()
      return { ...(await pairOf(session)), user: await callerOf(claims), expiresAt: session.expiresAt }
    },
    sessionIdOf: async (refreshToken) => (await decode(refreshToken, 'refresh')).sessionId,
    end: (sessionId) => deleteSession(db, sessionId),
    endByRefreshToken: async (refreshToken) => deleteSession(db, (await decode(refreshToken, 'refresh')).sessionId),
  }
}
