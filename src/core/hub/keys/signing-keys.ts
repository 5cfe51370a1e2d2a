import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { errors, importJWK, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { HUB_ISSUER, toPublicJwk } from '../../hub-protocol/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { PublicJwk } from '../../platform/keys/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { toIsoTimestamp, type Clock } from '../../platform/time/index.ts'
import {
  deleteRetiredKeys,
  lockSigningKeys,
  replaceSigningKey,
  selectSigningKeys,
  type SigningKeyRow,
} from '../queries/signing-keys.ts'
import { encryptPrivateKey, decryptPrivateKey } from './encrypt-private-key.ts'

/** A key signs for 30 days. Its tokens live for 7 days at most, so that it is published for 8 days after that. */
const SIGNING_MILLISECONDS = 30 * 86_400_000
const PUBLISHED_MILLISECONDS = 8 * 86_400_000

/** How long a process uses the keys that it has read. Another process may rotate them meanwhile. */
const KEPT_MILLISECONDS = 60_000

/** The result of the check of a token. */
export type TokenCheckResult = { payload: JWTPayload } | { problem: 'invalid' | 'expired' }

/** The Ed25519 keys of a hub. All its processes have the same ones. */
export type SigningKeys = {
  /** Signs a token (EdDSA, RFC 8037) with the current key. */
  sign(claims: JWTPayload, options: { audience: string; lifetimeSeconds: number }): Promise<string>
  /** Checks signature, issuer, audience and times of a token of this hub. */
  verify(token: string, options: { audience: string }): Promise<TokenCheckResult>
  /** All keys whose tokens may still be valid. */
  publicKeys(): Promise<PublicJwk[]>
  /** Replaces the key that signs. Tokens of the old one stay valid until they expire. */
  rotate(): Promise<{ kid: string }>
}

/** Maximum number of cached tokens, more than a hub has servers. One takes about 500 bytes. */
const KEPT_TOKENS = 10_000

/** The clocks of the machines on which the processes of a hub run may differ by this. */
const LEEWAY_SECONDS = 5

type Dependencies = { db: Database; clock: Clock; log: Logger; jwtSecret: Buffer }
type Kept = { rows: readonly SigningKeyRow[]; readAt: number; signer: { kid: string; privateKey: KeyObject } }

export function createSigningKeys({ db, clock, log, jwtSecret }: Dependencies): SigningKeys {
  let kept: Kept | undefined
  let reading: Promise<Kept> | undefined
  // A server sends the same token for days. A key is withdrawn only after the last of its tokens has expired.
  const checked = new LRUCache<string, JWTPayload>({ max: KEPT_TOKENS })

  const publishedSince = (): Date => new Date(clock.now().getTime() - PUBLISHED_MILLISECONDS)

  function usableSigner(rows: readonly SigningKeyRow[]): Kept['signer'] | undefined {
    const active = rows.find(({ retiredAt }) => retiredAt === null)
    if (active === undefined) return undefined
    if (clock.now().getTime() - active.createdAt.getTime() > SIGNING_MILLISECONDS) return undefined
    const privateKey = decryptPrivateKey(jwtSecret, active.kid, active.privateBox)
    return privateKey === undefined ? undefined : { kid: active.kid, privateKey }
  }

  /** Replaces the signing key, unless another process has done so since `seenKid` was read. */
  async function replace(seenKid: string | undefined): Promise<void> {
    await db.transaction(async (connection) => {
      await lockSigningKeys(connection)
      const active = (await selectSigningKeys(connection, publishedSince())).find(({ retiredAt }) => retiredAt === null)
      if (active?.kid !== seenKid) return
      const now = clock.now()
      const pair = generateKeyPairSync('ed25519')
      const { x = '' } = pair.publicKey.export({ format: 'jwk' })
      const kid = toIsoTimestamp(
        active !== undefined && active.createdAt >= now ? new Date(active.createdAt.getTime() + 1) : now,
      )
      await replaceSigningKey(connection, {
        kid,
        publicX: x,
        privateBox: encryptPrivateKey(jwtSecret, kid, pair.privateKey),
        now,
      })
      await deleteRetiredKeys(connection, publishedSince())
      log.notice({ kid, replaced: seenKid ?? null }, 'the hub has a new signing key')
    })
  }

  async function read(): Promise<Kept> {
    for (;;) {
      const rows = await selectSigningKeys(db, publishedSince())
      const signer = usableSigner(rows)
      if (signer !== undefined) return (kept = { rows, signer, readAt: clock.monotonicMilliseconds() })
      await replace(rows.find(({ retiredAt }) => retiredAt === null)?.kid)
    }
  }

  async function current(maximumAge = KEPT_MILLISECONDS): Promise<Kept> {
    if (kept !== undefined && clock.monotonicMilliseconds() - kept.readAt < maximumAge) return kept
    return (reading ??= read().finally(() => (reading = undefined)))
  }

  async function findKey(kid: string | undefined) {
    const find = ({ rows }: Kept): SigningKeyRow | undefined => rows.find((row) => row.kid === kid)
    // Another process may have made the key since. Concurrent checks of tokens with unknown keys share one query.
    const row = find(await current()) ?? find(await current(0))
    if (row === undefined) throw new errors.JWKSNoMatchingKey()
    return importJWK(toPublicJwk({ kid: row.kid, x: row.publicX }), 'EdDSA')
  }

  return {
    async sign(claims, { audience, lifetimeSeconds }) {
      const { signer } = await current()
      const now = clock.unixSeconds()
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', kid: signer.kid, typ: 'JWT' })
        .setIssuer(HUB_ISSUER)
        .setAudience(audience)
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(signer.privateKey)
    },
    async verify(token, { audience }) {
      const name = createHash('sha256').update(`${audience} ${token}`).digest('base64')
      const known = checked.get(name)
      if ((known?.exp ?? 0) > clock.unixSeconds()) return { payload: known ?? {} }
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => findKey(kid), {
          algorithms: ['EdDSA'],
          issuer: HUB_ISSUER,
          audience,
          currentDate: clock.now(),
          clockTolerance: LEEWAY_SECONDS,
          requiredClaims: ['sub', 'iat', 'exp'],
        })
        checked.set(name, payload)
        return { payload }
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { problem: 'expired' }
        if (error instanceof errors.JOSEError) return { problem: 'invalid' }
        throw error
      }
    },
    async publicKeys() {
      return (await current()).rows.map(({ kid, publicX }) => toPublicJwk({ kid, x: publicX }))
    },
    async rotate() {
      const before = await current()
      await replace(before.signer.kid)
      kept = undefined
      return { kid: (await current()).signer.kid }
    },
  }
}
