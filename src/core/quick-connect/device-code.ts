import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** Consonants only, so that no word appears, and no letter that looks like a digit (RFC 8628, 6.1). 34.5 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
const SECRET_BYTES = 32
/** A code with separators; longer texts are not read. */
const MAX_ENTERED_LENGTH = 32

/** A new code of eight letters. */
export function generateDeviceCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** Reads a code as people type it: in lower case, with spaces or dashes. Undefined for what is no code. Pure. */
export function normalizeDeviceCode(text: string): string | undefined {
  if (text.length > MAX_ENTERED_LENGTH) return undefined
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return letters.length === CODE_LENGTH && Array.from(letters).every((letter) => LETTERS.includes(letter))
    ? letters
    : undefined
}

/** A new secret of 256 bits, which only the device gets, and what is stored of it. */
export function generateDeviceSecret(): { secret: string; digest: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, digest: digestOf(secret) }
}

/** Whether this is the secret of a digest, in constant time. */
export function matchesSecretDigest(digest: Buffer, secret: string): boolean {
  return timingSafeEqual(digest, digestOf(secret))
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
