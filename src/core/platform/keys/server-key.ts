import { createHash, createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto'

/** The public half of the server's Ed25519 key. */
export type ServerKey = {
  /** The key id: the time of generation (ISO 8601) of a key that Phlix generated, else a short hash of the public key. */
  kid: string
  /** The public key, 32 bytes as base64url. */
  x: string
  /** When the key was generated, if its file contains the time. */
  createdAt: Date | null
}

/** The server's key with its private half. It is read from its file for each signature and is not kept in memory. */
export type ServerKeyPair = ServerKey & { privateKey: KeyObject }

/** One entry of the public key set (RFC 8037, RFC 7517). */
export type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }

/** Maximum size of a key file. Ed25519 keys are below 200 bytes; the limit lets an RSA key through, which gets a clearer error. */
export const KEY_FILE_LIMIT_BYTES = 16 * 1024

const BEGIN = '-----BEGIN PHLIX ED25519 PRIVATE KEY-----'
const END = '-----END PHLIX ED25519 PRIVATE KEY-----'
/** 43 characters and one character of padding encode 32 bytes. */
const BLOCK = new RegExp(`^${BEGIN}\\r?\\n(?:kid: ([0-9TZ:.-]{20,30})\\r?\\n)?([A-Za-z0-9+/]{43}=)\\r?\\n${END}\\s*$`)
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const PKCS8_PEM = /^-----BEGIN PRIVATE KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END PRIVATE KEY-----\s*$/

/** The bytes before the 32 bytes of the seed in a PKCS#8 Ed25519 key (RFC 8410, 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Generates a key in the format of Phlix.
 * @param generatedAt ISO 8601; the key id
 */
export function generateKeyBlock(generatedAt: string): string {
  return `${BEGIN}\nkid: ${generatedAt}\n${randomBytes(32).toString('base64')}\n${END}\n`
}

/**
 * Parses a key in the format of this product or a PKCS#8 key (PEM or DER).
 * @returns undefined for everything else: other keys, other algorithms, encrypted keys, invalid data. The bytes never appear in an error
 */
export function parseServerKey(bytes: Buffer): ServerKeyPair | undefined {
  const text = bytes.toString('latin1')
  const block = BLOCK.exec(text)
  if (block !== null) return parseBlock(block[1], block[2] ?? '')
  const pem = PKCS8_PEM.exec(text)?.[1]
  return parsePkcs8(pem === undefined ? bytes : Buffer.from(pem, 'base64'))
}

export function publicJwk({ kid, x }: ServerKey): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }
}

function parseBlock(kid: string | undefined, text: string): ServerKeyPair | undefined {
  const seed = Buffer.from(text, 'base64')
  if (seed.toString('base64') !== text) return undefined
  const key = parsePkcs8(Buffer.concat([PKCS8_HEAD, seed]))
  if (key === undefined || kid === undefined) return key
  const createdAt = new Date(kid)
  return TIMESTAMP.test(kid) && !Number.isNaN(createdAt.getTime()) ? { ...key, kid, createdAt } : undefined
}

function parsePkcs8(der: Buffer): ServerKeyPair | undefined {
  let key: KeyObject
  try {
    key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
  if (key.asymmetricKeyType !== 'ed25519') return undefined
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kid: shortKeyId(x), x, createdAt: null, privateKey: key }
}

/** The first 8 bytes of the SHA-256 of the public key, base64url. */
function shortKeyId(x: string): string {
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest().subarray(0, 8).toString('base64url')
}
