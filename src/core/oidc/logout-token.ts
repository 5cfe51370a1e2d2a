import { errors as joseErrors, jwtVerify, type JWTPayload } from 'jose'
import { publishLogout, endSessionsInTransaction, type Session } from '../accounts/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { oidcErrors } from './errors.ts'
import type { OidcProvider } from './oidc-provider.ts'
import {
  deleteOneTimeCodesOfTarget,
  deleteProviderSessions,
  insertLogoutToken,
  selectProviderSessionsOfTarget,
  type LogoutTarget,
} from './queries.ts'
import { secretDigest } from './secrets.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Only signatures with a private key: a token that this server could have signed itself proves nothing. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const MAX_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60

/** How long a used token is remembered: until it is too old anyway. */
const REMEMBERED_SECONDS = MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS

/**
 * Ends the sessions that a logout token of the provider names, at once (OpenID Connect Back-Channel Logout 1.0, 2.6). Each token is accepted
 * once.
 * @returns the number of sessions
 * @throws AppError `oidc_logout_token_invalid`, `oidc_unavailable`
 */
export async function endSessionsOfLogoutToken(
  needs: { db: Database; clock: Clock; events: EventBus; log: Logger; oidc: OidcProvider },
  token: string,
): Promise<number> {
  const { db, clock } = needs
  const { target, jti } = await readToken(needs, token)
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + REMEMBERED_SECONDS * 1000)
  const sessions = await db.transaction(async (connection) => {
    const isNew = await insertLogoutToken(connection, { jtiDigest: secretDigest(jti), expiresAt, now })
    return isNew ? takeCodesAndSessions(connection, target, now) : undefined
  })
  if (sessions === undefined) throw refuse(needs, 'the token was used before')
  for (const session of sessions) publishLogout(needs.events, session)
  return sessions.length
}

/**
 * Deletes codes that were not exchanged, and then ends sessions: a code that is being exchanged is awaited, and its session is found then. In the
 * transaction that marks the token as used, because the provider does not repeat it if it is lost halfway.
 */
async function takeCodesAndSessions(
  connection: Connection,
  target: LogoutTarget,
  now: Date,
): Promise<readonly Session[]> {
  await deleteOneTimeCodesOfTarget(connection, target)
  const sessions = await selectProviderSessionsOfTarget(connection, target)
  await endSessionsInTransaction(connection, { sessions, now })
  await deleteProviderSessions(connection, sessions)
  return sessions
}

async function readToken(
  needs: { clock: Clock; log: Logger; oidc: OidcProvider },
  token: string,
): Promise<{ target: LogoutTarget; jti: string }> {
  const { clock, oidc } = needs
  const { issuer } = await oidc.metadata()
  const keys = await oidc.logoutKeys()
  let payload: JWTPayload
  try {
    const verified = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      typ: 'logout+jwt',
      issuer,
      audience: oidc.options.clientId,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: clock.now(),
    })
    payload = verified.payload
  } catch (error) {
    if (!(error instanceof joseErrors.JOSEError)) throw error
    throw refuse(needs, describeError(error))
  }
  const { jti, sub, sid, events, nonce } = payload as JWTPayload & { sid?: unknown; events?: unknown; nonce?: unknown }
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  if (!isLogout) throw refuse(needs, 'the token has no logout event')
  // An ID token has one: it must not be accepted here.
  if (nonce !== undefined) throw refuse(needs, 'the token has a nonce')
  const [subject, providerSession] = [textOf(sub), textOf(sid)]
  if (subject === null && providerSession === null)
    throw refuse(needs, 'the token names neither a person nor a session')
  return { target: { issuer, subject, providerSession }, jti: String(jti) }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function refuse({ log }: { log: Logger }, reason: string): Error {
  log.warning({ domain: 'oidc', reason }, 'a logout token was refused')
  return oidcErrors.oidc_logout_token_invalid({ message: reason })
}
