import { constants } from 'node:fs'
import { open, readFile, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/index.ts'
import { AppError, describeError, systemErrorCode } from '../errors/index.ts'
import { toIsoTimestamp, type Clock } from '../time/index.ts'
import { keyErrors } from './errors.ts'
import {
  KEY_FILE_LIMIT_BYTES,
  generateKeyBlock,
  parseServerKey,
  type ServerKey,
  type ServerKeyPair,
} from './server-key.ts'
import { restrictToOwner, linkUnlessExists, writeSecretFile } from './write-secret-file.ts'

type Dependencies = { config: Config; clock: Clock }

/** Key ids are parts of file names: a time or a short hash. */
const KEPT_KID = /^[\w:.-]{1,64}$/

/** Number of attempts of a rotation; it is repeated after a concurrent rotation. */
const ROTATION_ATTEMPTS = 5

/** The path of the server's key: `auth.key_file`, else `keys/server-key` in the data directory. */
export function serverKeyPath(config: Config): string {
  return isConfigured(config)
    ? resolve(config.options['auth.key_file'] ?? '')
    : join(config.dataDirectory, 'keys', 'server-key')
}

function isConfigured({ options }: Config): boolean {
  return options['auth.key_file'] !== undefined && options['auth.key_file'] !== ''
}

/**
 * Reads the server's key from its file.
 * @throws AppError `server_key_unusable`; its message has the path and the reason, never content of the file
 */
export async function readServerKey({ config }: { config: Config }): Promise<ServerKey> {
  const { kid, x, createdAt } = await readServerKeyPair({ config })
  return { kid, x, createdAt }
}

/**
 * Reads the server's key with its private half.
 * @param options.kid the key with this id, which may have been replaced since: its file is kept by a rotation
 * @throws AppError `server_key_unusable`, also if no key with this id is kept
 */
export async function readServerKeyPair(
  { config }: { config: Config },
  { kid }: { kid?: string } = {},
): Promise<ServerKeyPair> {
  const path = serverKeyPath(config)
  const current = await readKeyPair(path)
  if (kid === undefined || current.kid === kid) return current
  if (!KEPT_KID.test(kid)) throw unusable(`no earlier key beside ${path} has this id`)
  const kept = await readKeyPair(`${await realpath(path)}.${kid}.old`)
  if (kept.kid !== kid) throw unusable(`the earlier key beside ${path} has another id than its name`)
  return kept
}

async function readKeyPair(path: string): Promise<ServerKeyPair> {
  const key = parseServerKey(await readSmallFile(path))
  if (key === undefined) throw unusable(`${path} holds no Ed25519 private key`)
  return key
}

/**
 * Creates the key at the first start. Not at the path of `auth.key_file`: a configured key that is missing must be an error.
 * @returns whether a key was created
 */
export async function createServerKey({ config, clock }: Dependencies): Promise<boolean> {
  if (isConfigured(config)) return false
  const path = serverKeyPath(config)
  const isNew = await writeSecretFile(path, generateKeyBlock(toIsoTimestamp(clock.now())))
  if (!isNew) await restrictToOwner(path)
  return isNew
}

/**
 * Replaces the key by a new one. The old key is kept beside it as `server-key.KID.old` and can be restored. Concurrent rotations agree on
 * one new key; an interrupted rotation is completed by the next one.
 * @throws AppError `server_key_unusable` when the current file holds no key that can be kept under its name
 */
export async function rotateServerKey(needs: Dependencies): Promise<{ key: ServerKey; keptAs: string | null }> {
  const path = await realpath(serverKeyPath(needs.config)).catch(() => serverKeyPath(needs.config))
  for (let attempt = 0; attempt < ROTATION_ATTEMPTS; attempt += 1) {
    const old = await readServerKey(needs).catch((error: unknown) => ignoreMissing(error))
    const next = `${path}.next`
    await writeSecretFile(next, generateKeyBlock(newKeyId(old, needs.clock)))
    const keptAs = old === undefined ? null : `${path}.${old.kid}.old`
    if (keptAs !== null && !(await keepOldKey(path, keptAs))) continue
    await rename(next, path).catch((error: unknown) => {
      // A concurrent rotation of the same old key has already put the same new key in place.
      if (systemErrorCode(error) !== 'ENOENT') throw error
    })
    return { key: await readServerKey(needs), keptAs }
  }
  await rm(`${path}.next`, { force: true })
  throw unusable(`the old key cannot be kept beside ${path}: a file of that name holds another key`)
}

/** Creates a second name for the old key. Also returns true if the name already exists because a rotation was interrupted. */
async function keepOldKey(path: string, name: string): Promise<boolean> {
  if (await linkUnlessExists(path, name)) return true
  const [kept, current] = await Promise.all([readFile(name), readFile(path)])
  return kept.equals(current)
}

/** The time as the key id. Two keys of the same millisecond must not share it. */
function newKeyId(old: ServerKey | undefined, clock: Clock): string {
  const now = clock.now()
  const kid = toIsoTimestamp(now)
  return kid === old?.kid ? toIsoTimestamp(new Date(now.getTime() + 1)) : kid
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && systemErrorCode(error.cause) === 'ENOENT') return undefined
  throw error
}

async function readSmallFile(path: string): Promise<Buffer> {
  try {
    // Non-blocking: opening a pipe must not wait.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { size } = await file.stat()
      if (size > KEY_FILE_LIMIT_BYTES) throw unusable(`${path} is too large to be a key`)
      const bytes = Buffer.alloc(KEY_FILE_LIMIT_BYTES)
      const { bytesRead } = await file.read(bytes, 0, KEY_FILE_LIMIT_BYTES, 0)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unusable(`${path} cannot be read (${systemErrorCode(error) ?? describeError(error)})`, error)
  }
}

function unusable(message: string, cause?: unknown): Error {
  const hint = 'restore it from a backup, or move it away and make a new one: phlix key:rotate'
  return keyErrors.server_key_unusable({ message, cause, hint })
}
