import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'phlix_'
/** 256 bits. */
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const HINT_LENGTH = PREFIX.length + 4
const FORM = /^phlix_[0-9A-Za-z]{49}$/

/**
 * A new key: `phlix_`, 43 random characters of base62, and a checksum of six. The prefix lets programs find keys that were published by
 * mistake; the checksum lets them, and the server, recognise other texts without a database.
 */
export function generateApiKey(): { key: string; hint: string; digest: Buffer } {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  const key = `${PREFIX}${random}${checksumOf(random)}`
  return { key, hint: key.slice(0, HINT_LENGTH), digest: apiKeyDigest(key) }
}

/** Whether a text has the form of a key. Pure. */
export function isApiKeyText(text: string): boolean {
  if (!FORM.test(text)) return false
  const random = text.slice(PREFIX.length, -CHECKSUM_LENGTH)
  return text.endsWith(checksumOf(random))
}

/** SHA-256 of a key. A key is random, so that a slow hash would protect it no better. Pure. */
export function apiKeyDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The CRC-32 of a text in base62, six characters. */
function checksumOf(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = `${DIGITS[value % DIGITS.length]}${digits}`
    value = Math.floor(value / DIGITS.length)
  }
  return digits
}
