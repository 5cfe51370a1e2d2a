import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { HashingCost, PasswordHashing } from './password-hashing.ts'

const argon2Async = promisify(argon2)

const SALT_BYTES = 16
const TAG_BYTES = 32
const VERSION = 19

/** 120 bits of letters and digits that cannot be confused with each other. */
const GENERATED_CHARACTERS = 24
const ALPHABET = 'abcdefghjkmnpqrstvwxyz0123456789'

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{11,86})$/

/** Hashes a password with a new salt, limited by the hashing queue. The result is a PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`). */
export async function hashPassword({ cost, queue }: PasswordHashing, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await queue(() => derive(password, { ...cost, salt, tagBytes: TAG_BYTES }))
  return formatHash(cost, salt, tag)
}

/** A hash of no password. Logins of unknown users verify against it, so that they take the same time. */
export function unknownAccountHash(cost: HashingCost): string {
  return formatHash(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES))
}

/**
 * Whether a password matches a stored PHC string. Without one (`undefined`: no such account) the result is false after the work of a new
 * hash. The cost is read from the string, so that it can change without invalidating passwords. The caller must hold a permit of the
 * hashing queue.
 */
export async function verifyPassword(
  { cost }: Pick<PasswordHashing, 'cost'>,
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const match = PHC.exec(stored ?? unknownAccountHash(cost))
  if (match === null) return false
  const [memoryKibibytes, passes, parallelism] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const salt = Buffer.from(match[4] ?? '', 'base64')
  const expected = Buffer.from(match[5] ?? '', 'base64')
  const tag = await derive(password, { memoryKibibytes, passes, parallelism, salt, tagBytes: expected.length })
  return timingSafeEqual(tag, expected) && stored !== undefined
}

/** Generates a password of 120 bits that is displayed once. */
export function generatePassword(): string {
  const symbols = [...randomBytes(GENERATED_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return symbols.join('').replace(/(.{6})(?=.)/g, '$1-')
}

type Derivation = HashingCost & { salt: Buffer; tagBytes: number }

async function derive(password: string, { salt, tagBytes, ...cost }: Derivation): Promise<Buffer> {
  const { memoryKibibytes: memory, passes, parallelism } = cost
  const message = Buffer.from(password)
  return argon2Async('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: tagBytes })
}

function formatHash({ memoryKibibytes, passes, parallelism }: HashingCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=${VERSION}$m=${memoryKibibytes},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
