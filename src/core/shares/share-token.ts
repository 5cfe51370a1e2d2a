import { createHash, randomBytes } from 'node:crypto'

/** 256 bits, so that a link cannot be guessed. */
const TOKEN_BYTES = 32
const FORM = /^[\w-]{43}$/

/** A new token, and the digest that is stored. A random token needs no slow hash. */
export function generateToken(): { token: string; digest: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, digest: computeTokenDigest(token) }
}

/** Whether a text has the form of a token. Pure. */
export function isTokenText(text: string): boolean {
  return FORM.test(text)
}

/** SHA-256 of a token. Pure. */
export function computeTokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
