import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { chownSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemErrorCode } from '../../errors/index.ts'
import { syncFolder } from '../../files/index.ts'

/** Name of the file with the password. It is in the cluster's folder, so that a copied or renamed cluster keeps its password. */
const SECRET_NAME = 'phlix-password'
const SECRET_BYTES = 32
const SALT_BYTES = 16

/**
 * Iterations slow down the guessing of short passwords. Guessing 256 random bits is impossible anyway, and the 4096 iterations of RFC 7677
 * would be computed twice for each new connection.
 */
const ITERATIONS = 1

/** The password of the role `phlix`; undefined for a cluster that has none yet. */
export function readEnginePassword(cluster: string): string | undefined {
  try {
    return readFileSync(join(cluster, SECRET_NAME), 'utf8').trim()
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export type EnginePasswordFile = {
  dataDirectory: string
  /** The folder of the cluster; the unfinished one at a first start. */ cluster: string
}

/**
 * The password of the role `phlix`: 256 random bits in base64url, in a file of mode 0600 that belongs to the owner of the data directory.
 * The file is created if it is missing; of several concurrent callers one creates it.
 */
export function ensureEnginePassword({ dataDirectory, cluster }: EnginePasswordFile): string {
  const existing = readEnginePassword(cluster)
  if (existing !== undefined) return existing
  const path = join(cluster, SECRET_NAME)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    const { uid, gid } = statSync(dataDirectory)
    if (process.getuid?.() === 0) chownSync(draft, uid, gid)
    linkSync(draft, path)
    syncFolder(cluster)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * What PostgreSQL stores for a password: `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>` (RFC 5802, RFC 7677; PostgreSQL,
 * pg_authid). With it neither the server's log nor a command line contains the password.
 */
export function scramVerifier(password: string, salt = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`
}
