import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configErrors, type Config } from '../config/index.ts'
import { systemErrorCode } from '../errors/index.ts'
import { keyErrors } from './errors.ts'
import { restrictToOwner, writeSecretFile } from './write-secret-file.ts'

/** The minimum key length of HS256 is the length of its hash (RFC 7518, 3.2). */
const MINIMUM_BYTES = 32

/** Placeholders of sample configurations, compared after all characters but letters and digits are removed. */
const PLACEHOLDER =
  /change(?:me|this|it)|replace(?:me|this|with)|your(?:super|256bit|own|very|jwt|app)?secret|secret(?:key)?(?:here|atleast)|atleast(?:32|256)|placeholder|insecure|defaultsecret|donotuse/

/**
 * Loads the secret that signs tokens and from which the key for media addresses is derived: `JWT_SECRET`, or outside production a secret
 * that is generated at the first start and stored in `keys/jwt-secret` with mode 0600.
 * @throws AppError `insecure_jwt_secret` in production when it is missing, a placeholder or shorter than 32 bytes; `key_file_damaged`
 */
export async function loadSigningSecret({ config }: { config: Config }): Promise<Buffer> {
  const given = config.options['auth.jwt_secret']
  if (given !== undefined && given !== '') {
    const problem = config.isProduction ? weaknessOf(given) : undefined
    if (problem !== undefined) throw insecure(`JWT_SECRET ${problem}`)
    return Buffer.from(given)
  }
  if (config.isProduction) throw insecure('JWT_SECRET is not set')
  return storedSecret(join(config.dataDirectory, 'keys', 'jwt-secret'))
}

/** Why the configured signing secret is not secure; undefined for a secure secret, and for the stored secret, which is random. */
export function signingSecretProblem({
  options,
  isProduction,
}: Pick<Config, 'options' | 'isProduction'>): string | undefined {
  const given = options['auth.jwt_secret']
  if (given === undefined || given === '') return isProduction ? 'JWT_SECRET is not set' : undefined
  const weakness = weaknessOf(given)
  return weakness === undefined ? undefined : `JWT_SECRET ${weakness}`
}

function weaknessOf(secret: string): string | undefined {
  if (Buffer.byteLength(secret) < MINIMUM_BYTES) return `is shorter than ${MINIMUM_BYTES} bytes`
  const letters = secret.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  if (PLACEHOLDER.test(letters) || new Set(secret).size < 8) return 'is a placeholder, not a secret'
  return undefined
}

function insecure(message: string) {
  return configErrors.insecure_jwt_secret({
    message: `${message}; in production it must have at least ${MINIMUM_BYTES} random bytes`,
    hint: 'JWT_SECRET="$(openssl rand -base64 48)"',
  })
}

async function storedSecret(path: string): Promise<Buffer> {
  let secret = await readSecret(path)
  if (secret === undefined) {
    await writeSecretFile(path, `${randomBytes(48).toString('base64url')}\n`)
    // Concurrent first starts all read the secret of the first writer.
    secret = (await readSecret(path)) ?? Buffer.alloc(0)
  }
  if (secret.length < MINIMUM_BYTES) {
    throw keyErrors.key_file_damaged({
      message: `${path} holds only ${secret.length} bytes`,
      hint: `restore it from a backup, or delete it, which signs everyone out`,
    })
  }
  return secret
}

async function readSecret(path: string): Promise<Buffer | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    await restrictToOwner(path)
    return Buffer.from(text.trim())
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
