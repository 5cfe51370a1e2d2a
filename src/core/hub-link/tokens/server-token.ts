import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { CLOCK_SKEW_SECONDS, HUB_ISSUER, MEDIA_SERVER_AUDIENCE } from '../../hub-protocol/index.ts'
import { isRowId } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { HubKeys } from './hub-keys.ts'

const MAX_TOKEN_LENGTH = 4096
const MAX_KEPT = 1000

/** What a valid token of the hub says. */
export type ServerToken = {
  hubUserId: string
  /** Unix seconds by the clock of the hub. */
  issuedAt: number
  expiresAt: number
}

/**
 * Checks the tokens with which users of the hub authenticate at this server (EdDSA, RFC 8037). A checked token is kept until it expires, so
 * that its signature is not checked for each request.
 */
export function createServerTokenVerifier({ clock, keys }: { clock: Clock; keys: HubKeys }) {
  const kept = new LRUCache<string, ServerToken>({ max: MAX_KEPT })

  async function verify(token: string, mayBeOld: boolean): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, await keys.find({ mayBeOld }), {
      algorithms: ['EdDSA'],
      issuer: HUB_ISSUER,
      audience: MEDIA_SERVER_AUDIENCE,
      currentDate: clock.now(),
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['sub', 'iat', 'exp', 'nbf', 'jti'],
    })
    return payload
  }

  /** A signature that no known key explains may be of a key that the hub has made since. */
  async function verifyTwice(token: string): Promise<JWTPayload | undefined> {
    try {
      return await verify(token, true)
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
      const isUnknownKey =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
      if (!isUnknownKey) return undefined
    }
    try {
      return await verify(token, false)
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  /**
   * @returns undefined for a token that is not valid here
   * @throws AppError `hub_unreachable` when the keys of the hub cannot be read
   */
  return async (token: string, serverId: string): Promise<ServerToken | undefined> => {
    const key = `${serverId} ${createHash('sha256').update(token).digest('base64url')}`
    const known = kept.get(key)
    if (known !== undefined && known.expiresAt + CLOCK_SKEW_SECONDS > clock.unixSeconds()) return known
    const payload = token.length > MAX_TOKEN_LENGTH ? undefined : await verifyTwice(token)
    if (payload === undefined || payload['server_id'] !== serverId) return undefined
    const { sub, iat, exp, jti } = payload
    if (!isRowId(sub) || typeof jti !== 'string' || jti === '' || iat === undefined || exp === undefined)
      return undefined
    const read = { hubUserId: sub.toLowerCase(), issuedAt: iat, expiresAt: exp }
    kept.set(key, read)
    return read
  }
}

/** Whether a token has the algorithm of a hub, whatever its signature is. */
export function isHubToken(token: string): boolean {
  if (token.length > MAX_TOKEN_LENGTH) return false
  try {
    return decodeProtectedHeader(token).alg === 'EdDSA'
  } catch {
    return false
  }
}
