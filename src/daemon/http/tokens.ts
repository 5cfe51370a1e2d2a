import { randomBytes } from 'node:crypto'
import type { RefreshToken, SessionInProfile } from '../../core/accounts/index.ts'
import type { Clock } from '../../core/platform/time/index.ts'
import { httpErrors } from '../errors.ts'

/** Lifetime of an access token in seconds. The lifetime of a refresh token is in its database row. */
export const ACCESS_TOKEN_SECONDS = 3600

const ISSUER = 'phlix'

/** Accepted clock difference for times in a token that lie in the future, in seconds. */
const CLOCK_LEEWAY_SECONDS = 60

export type TokenType = 'access' | 'refresh'

/** Claims of both token types; times in Unix seconds. */
export type TokenClaims = {
  iss: string
  sub: string
  iat: number
  exp: number
  jti: string
  type: TokenType
  /** UUID of the session of an access token, and of a refresh token in a cookie, whose requests are counted by it. Refresh tokens use `jti`. */
  sid?: string
  /** UUID of the profile of an access token. Tokens of releases without profiles have none: they belong to the main profile. */
  pid?: string
  /** How often the session had changed its profile when an access token was issued; absent: never. */
  ver?: number
}

/** Claims of an access token. */
export type AccessClaims = TokenClaims & { sid: string }

/** Signs and verifies compact JWS with HS256 only. Throws for everything else. */
export type TokenCodec = { sign(claims: TokenClaims): string; open(token: string): unknown }

type StoredToken = Pick<RefreshToken, 'accountId' | 'jti' | 'issuedAt' | 'expiresAt'>

/** Issues and verifies the tokens of this server. */
export type TokenService = {
  /** Issues an access token for a session, valid from now. */
  issueAccess(session: SessionInProfile): string
  /** Encodes a stored refresh token. The same row gives the same text. */
  issueRefresh(token: StoredToken): string
  /** The same for the cookie of the web page, with the session. */
  issueForCookie(token: StoredToken & Pick<RefreshToken, 'familyId'>): string
  /** @throws AppError `auth.required` for a foreign or expired token, and for a refresh token */
  verifyAccess(token: string): AccessClaims
  /** @throws AppError `auth.required` for a foreign or expired token, and for an access token */
  verifyRefresh(token: string): TokenClaims
}

export function createTokenService({ codec, clock }: { codec: TokenCodec; clock: Clock }): TokenService {
  const read = (token: string, type: TokenType): TokenClaims => {
    let payload: unknown
    try {
      if (!isCanonical(token)) throw new Error('the token is not in canonical form')
      payload = codec.open(token)
    } catch (error) {
      throw httpErrors.auth_required({ cause: error })
    }
    const problem = validateClaims(payload, type, clock.unixSeconds())
    if (problem !== undefined) throw httpErrors.auth_required({ cause: new Error(problem) })
    return payload as TokenClaims
  }

  return {
    issueAccess({ accountId, sessionId, profileId, epoch }) {
      const iat = clock.unixSeconds()
      const jti = randomBytes(16).toString('hex')
      const exp = iat + ACCESS_TOKEN_SECONDS
      const who = { sub: accountId, sid: sessionId, pid: profileId, ver: epoch }
      return codec.sign({ iss: ISSUER, ...who, iat, exp, jti, type: 'access' })
    },
    issueRefresh: (token) => codec.sign(refreshClaims(token)),
    issueForCookie: (token) => codec.sign({ ...refreshClaims(token), sid: token.familyId }),
    // `validateClaims` has verified that the session id is present.
    verifyAccess: (token) => read(token, 'access') as AccessClaims,
    verifyRefresh: (token) => read(token, 'refresh'),
  }
}

function refreshClaims({ accountId, jti, issuedAt, expiresAt }: StoredToken): TokenClaims {
  const [iat, exp] = [toUnixSeconds(issuedAt), toUnixSeconds(expiresAt)]
  return { iss: ISSUER, sub: accountId, iat, exp, jti, type: 'refresh' }
}

/**
 * Returns what is wrong with the payload of a correctly signed token, or undefined. The library accepts tokens without `exp`, from the
 * future and of the other type (measured), so every claim is checked here.
 */
export function validateClaims(payload: unknown, type: TokenType, nowSeconds: number): string | undefined {
  if (typeof payload !== 'object' || payload === null) return 'the payload is not an object'
  return validateIdentity(payload, type) ?? validateTimes(payload, nowSeconds)
}

type Claims = Partial<Record<string, unknown>>

function validateIdentity(
  { iss, sub, sid, pid, ver, jti, type: tokenType }: Claims,
  type: TokenType,
): string | undefined {
  if (iss !== ISSUER) return 'the issuer is another'
  if (tokenType !== type) return 'the type is another'
  if (typeof sub !== 'string' || !isUuid(sub)) return 'the subject is not an account id'
  if (typeof jti !== 'string' || jti === '') return 'the token has no id'
  if (type === 'access' && (typeof sid !== 'string' || !isUuid(sid))) return 'the token names no session'
  return validateProfile({ pid, ver })
}

function validateProfile({ pid, ver }: Claims): string | undefined {
  if (pid !== undefined && (typeof pid !== 'string' || !isUuid(pid))) return 'the profile is not an id'
  if (ver !== undefined && !(Number.isSafeInteger(ver) && Number(ver) >= 0)) return 'the version is not a number'
  return undefined
}

function validateTimes({ iat, exp, nbf }: Claims, nowSeconds: number): string | undefined {
  const latestStart = nowSeconds + CLOCK_LEEWAY_SECONDS
  if (!isTime(iat) || iat > latestStart) return 'the token is from the future'
  if (nbf !== undefined && (!isTime(nbf) || nbf > latestStart)) return 'the token is not valid yet'
  if (!isTime(exp) || exp <= nowSeconds) return 'the token has expired'
  return undefined
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** The last character of base64url carries unused bits. Only one spelling of a token may be valid (RFC 4648, 3.5). */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
