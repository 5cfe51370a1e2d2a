import { createHash } from 'node:crypto'
import { isJsonObject } from '../platform/json/index.ts'
import type { PublicJwk } from '../platform/keys/index.ts'

/** The public key of a home server, as the hub keeps it. */
export type KnownKey = {
  kid: string
  /** The public key, 32 bytes as base64url. */
  x: string
}

const MAX_KEYS = 4
const KID = /^[\w:.+-]{1,64}$/
const X = /^[A-Za-z0-9_-]{43}$/

/**
 * Reads the Ed25519 keys of a key set (RFC 8037); others are ignored.
 * @returns at most four; undefined if there is none or the value is no key set
 */
export function parsePublicKeys(value: unknown): KnownKey[] | undefined {
  const list = isJsonObject(value) ? value['keys'] : undefined
  if (!Array.isArray(list) || list.length > MAX_KEYS) return undefined
  const keys = list.flatMap((entry: unknown) => {
    if (!isJsonObject(entry) || entry['kty'] !== 'OKP' || entry['crv'] !== 'Ed25519') return []
    const { kid, x } = entry
    if (typeof kid !== 'string' || typeof x !== 'string' || !KID.test(kid) || !X.test(x)) return []
    return Buffer.from(x, 'base64url').toString('base64url') === x ? [{ kid, x }] : []
  })
  return keys.length === 0 ? undefined : keys
}

/** The SHA-256 of a public key as base64url. It identifies a server at its hub. */
export function publicKeyHash({ x }: Pick<KnownKey, 'x'>): string {
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('base64url')
}

export function toPublicJwk({ kid, x }: KnownKey): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }
}
