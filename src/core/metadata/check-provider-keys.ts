import { AppError } from '../platform/errors/index.ts'
import { applyDatabaseSettings } from '../platform/settings/index.ts'
import { createMetadataProviders, type ProvidersInput } from './create-providers.ts'
import { metadataErrors } from './errors.ts'

const KEYS = {
  'metadata.tmdb.api_key': 'tmdb',
  'metadata.tvdb.api_key': 'tvdb',
  'metadata.tvdb.pin': 'tvdb',
} as const

type KeyPath = keyof typeof KEYS

/** A client waits for the result. */
const TIMEOUT_MILLISECONDS = 12_000

/** `problem`: why the provider could not be reached, which says nothing about the key; null if the provider accepts the key. */
export type KeyCheck = { path: string; problem: string | null }

/**
 * Checks the provider keys among settings that are about to be set, together with the stored settings. Each provider receives one
 * request. Settings that allow no request (a PIN without a key, an empty text) are skipped.
 * @throws AppError `metadata.key_refused`
 */
export async function checkProviderKeys(
  input: ProvidersInput,
  values: Readonly<Record<string, unknown>>,
): Promise<KeyCheck[]> {
  const keys = Object.entries(values).flatMap(([path, value]) =>
    isProviderKey(path) && typeof value === 'string' && value !== '' ? [{ path, value }] : [],
  )
  if (keys.length === 0) return []
  const config = await applyDatabaseSettings(input)
  const options = { ...config.options, ...Object.fromEntries(keys.map(({ path, value }) => [path, value])) }
  const checks: KeyCheck[] = []
  for (const key of new Map(keys.map((one) => [KEYS[one.path], one])).values()) {
    const problem = await problemOf({ ...input, config: { ...config, options } }, key)
    if (problem !== undefined) checks.push({ path: key.path, problem })
  }
  return checks
}

async function problemOf(
  input: ProvidersInput,
  key: { path: KeyPath; value: string },
): Promise<string | null | undefined> {
  try {
    return (await checkProviderKey(input, key)) ? null : undefined
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === metadataErrors.key_refused.definition.code
    if (!(error instanceof AppError) || isRefused) throw error
    return error.text ?? error.title
  }
}

/** Whether an option is a credential of a provider. */
function isProviderKey(path: string): path is KeyPath {
  return Object.hasOwn(KEYS, path)
}

/**
 * Sends a small request to a provider with a key that is not stored yet.
 * @returns false if no request is possible: a PIN without a key
 * @throws AppError `metadata.key_refused`; `metadata.…_unreachable` if the provider does not answer, which says nothing about the key
 */
async function checkProviderKey(
  input: ProvidersInput,
  { path, value }: { path: KeyPath; value: string },
): Promise<boolean> {
  const options = { ...input.config.options, [path]: value }
  const providers = createMetadataProviders({ ...input, config: { ...input.config, options } })
  const provider = providers[KEYS[path]]
  if (provider === undefined) return false
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  try {
    await provider.checkKey({ signal, notBefore: input.clock.now() })
    return true
  } catch (error) {
    if (signal.aborted) throw unreachable(KEYS[path], error)
    const cause: unknown = error instanceof AppError ? error.cause : undefined
    throw cause instanceof AppError && cause.code === metadataErrors.key_refused.definition.code ? cause : error
  } finally {
    await providers.close()
  }
}

function unreachable(name: 'tmdb' | 'tvdb', cause: unknown): AppError {
  const message = `${name.toUpperCase()} did not send a usable reply in time`
  return metadataErrors[`${name}_unreachable`]({ message, cause })
}
