import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as 43 characters of base64url. */
export const SECRET_PATTERN = /^[\w-]{43}$/

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256. Secrets are stored as digests: whoever reads the database cannot use them. They are random, so a fast hash is enough. */
export function secretDigest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
