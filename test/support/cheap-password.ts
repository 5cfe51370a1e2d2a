import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'slonik'
import type { Database } from '../../src/core/platform/database/index.ts'

const derive = promisify(argon2)

/** The minimum parameters of argon2; those of the product cost five hundred times as much. */
const PARAMETERS = { memory: 8, passes: 1, parallelism: 1 }

/**
 * Gives all accounts a cheap hash of this password, for tests that log in often and do not test hashing. The product reads the parameters
 * from the hash.
 */
export async function cheapenPasswords(db: Database, password: string): Promise<void> {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', { message: password, nonce: salt, tagLength: 32, ...PARAMETERS })
  const [encodedSalt, encodedTag] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  const { memory, passes, parallelism } = PARAMETERS
  const hash = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodedSalt}$${encodedTag}`
  await db.query(sql.unsafe`update users set password_hash = ${hash}`)
}
