import { createHash } from 'node:crypto'
import type { Connection } from '../platform/database/index.ts'
import {
  clearHits,
  countHit,
  NETWORK_LIMIT_FACTOR,
  networkRateLimitKey,
  rateLimitKey,
  readHits,
  reduceHits,
  rateLimitedError,
  deleteHitsReturning,
} from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** Limits of failed attempts per window: of a client address, of its /48 network, and at an account. */
const LIMITS = {
  login_address: 10,
  login_network: 10 * NETWORK_LIMIT_FACTOR,
  login_account: 20,
  // Used to reduce the other counts of the address after a success. It needs no limit, because the address is locked first.
  login_address_at_account: Number.POSITIVE_INFINITY,
} as const

/**
 * Limit of failed attempts at the providers, of all names together: a provider may accept more spellings of a name than there are accounts.
 */
const PROVIDERS_LIMIT = 200
const PROVIDERS = { surface: 'login_providers', key: 'all' } as const

const WINDOW_SECONDS = 900

type Dependencies = { db: Connection; clock: Clock }
type Surface = keyof typeof LIMITS

/** The keys under which a login attempt is counted. */
export type LoginAttempt = Readonly<Partial<Record<Surface, string>>>

/**
 * The keys of an attempt: its address and the account of the name. An unknown name is counted too, so that the response does not differ;
 * its key is a digest, because the field can contain any text.
 */
export function loginAttempt(input: {
  clientAddress: string
  accountId: string | undefined
  name: string
}): LoginAttempt {
  const { clientAddress, accountId, name } = input
  const folded = createHash('sha256').update(name.toLowerCase()).digest('hex')
  const address = rateLimitKey(clientAddress)
  const account = accountId ?? `name ${folded}`
  const network = networkRateLimitKey(clientAddress)
  return {
    login_address: address,
    ...(network === undefined ? {} : { login_network: network }),
    login_account: account,
    login_address_at_account: `${address} ${account}`,
  }
}

/**
 * @param options.isKnownDevice the locks of the account and of the /48 network do not apply to a device of the owner, so that a stranger
 * cannot lock the owner out
 * @throws AppError `rate_limited` while the address, its network or the account has too many failures, regardless of the password
 */
export async function refuseWhenLocked(
  needs: Dependencies,
  attempt: LoginAttempt,
  { isKnownDevice }: { isKnownDevice: boolean },
): Promise<void> {
  let longest = 0
  for (const [surface, key] of Object.entries(attempt) as [Surface, string][]) {
    if (isKnownDevice && (surface === 'login_account' || surface === 'login_network')) continue
    const { hits, millisecondsLeft } = await readHits(needs, { surface, key, windowSeconds: WINDOW_SECONDS })
    if (hits >= LIMITS[surface]) longest = Math.max(longest, millisecondsLeft)
  }
  if (longest > 0) throw rateLimitedError(longest)
}

/** Counts a failed attempt. */
export async function recordFailure(needs: Dependencies, attempt: LoginAttempt): Promise<void> {
  for (const [surface, key] of Object.entries(attempt)) {
    await countHit(needs, { surface, key, windowSeconds: WINDOW_SECONDS })
  }
}

/**
 * Subtracts a failed attempt whose password could not be checked from the count of its address, so that others there are not locked. It still
 * counts for the name: while a provider does not answer, passwords must not be guessed without a limit.
 */
export async function uncountFailure({ db }: Pick<Dependencies, 'db'>, attempt: LoginAttempt): Promise<void> {
  const { login_account: _, ...ofAddress } = attempt
  for (const [surface, key] of Object.entries(ofAddress)) await reduceHits({ db }, { surface, key, hits: 1 })
}

/** Whether an account has too many failures. */
export async function isAccountLocked(needs: Dependencies, accountId: string): Promise<boolean> {
  const counter = { surface: 'login_account', key: accountId, windowSeconds: WINDOW_SECONDS }
  return (await readHits(needs, counter)).hits >= LIMITS.login_account
}

/**
 * @param options.isKnownDevice as for `refuseWhenLocked`
 * @throws AppError `rate_limited` while the providers have refused too many passwords
 */
export async function refuseWhenProvidersLocked(
  needs: Dependencies,
  { isKnownDevice }: { isKnownDevice: boolean },
): Promise<void> {
  if (isKnownDevice) return
  const { hits, millisecondsLeft } = await readHits(needs, { ...PROVIDERS, windowSeconds: WINDOW_SECONDS })
  if (hits >= PROVIDERS_LIMIT) throw rateLimitedError(millisecondsLeft)
}

/** Counts an attempt that all providers have refused. */
export async function recordProviderFailure(needs: Dependencies): Promise<void> {
  await countHit(needs, { ...PROVIDERS, windowSeconds: WINDOW_SECONDS })
}

/**
 * Resets the failed attempts at an account after a login. The count of the address is reduced only by the attempts at this account, so that
 * logins to an attacker's own account do not reset guesses at others.
 */
export async function resetFailures({ db }: Pick<Dependencies, 'db'>, attempt: LoginAttempt): Promise<void> {
  const { login_address: address, login_network: network, login_account: account } = attempt
  const own = await deleteHitsReturning(
    { db },
    { surface: 'login_address_at_account', key: attempt.login_address_at_account ?? '' },
  )
  await reduceHits({ db }, { surface: 'login_address', key: address ?? '', hits: own })
  if (network !== undefined) await reduceHits({ db }, { surface: 'login_network', key: network, hits: own })
  await clearHits({ db }, { surface: 'login_account', key: account ?? '' })
}

/** Resets the failed attempts at an account from all addresses. */
export async function resetFailuresOfAccount(connection: Connection, accountId: string): Promise<void> {
  await clearHits({ db: connection }, { surface: 'login_account', key: accountId })
}
