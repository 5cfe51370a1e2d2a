import { createHash } from 'node:crypto'
import type { Connection } from '../platform/database/index.ts'
import { clearHits, countHit, rateKeyOf, readHits, refusalFor } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** Decisions 3.4, Login limiter: failed attempts per client address and per account. */
const LIMITS = { login_address: 10, login_account: 20 } as const
const WINDOW_SECONDS = 900

type Needs = { db: Connection; clock: Clock }
type Surface = keyof typeof LIMITS

/** Whom one attempt to log in is counted for. */
export type LoginAttempt = Readonly<Record<Surface, string>>

/**
 * Counts an attempt for its address and for the account that the name leads to. A name that leads nowhere is counted too, so that it
 * looks the same from outside; its key is a digest, since anything may be typed into that field.
 */
export function loginAttempt(input: {
  clientAddress: string
  accountId: string | undefined
  name: string
}): LoginAttempt {
  const { clientAddress, accountId, name } = input
  const folded = createHash('sha256').update(name.toLowerCase()).digest('hex')
  return { login_address: rateKeyOf(clientAddress), login_account: accountId ?? `name ${folded}` }
}

/** @throws AppError `rate_limited` while the address or the account has failed too often, whatever the password */
export async function refuseWhenLocked(needs: Needs, attempt: LoginAttempt): Promise<void> {
  let longest = 0
  for (const [surface, key] of Object.entries(attempt) as [Surface, string][]) {
    const { hits, millisecondsLeft } = await readHits(needs, { surface, key, windowSeconds: WINDOW_SECONDS })
    if (hits >= LIMITS[surface]) longest = Math.max(longest, millisecondsLeft)
  }
  if (longest > 0) throw refusalFor(longest)
}

/** Counts a failed attempt. */
export async function recordFailure(needs: Needs, attempt: LoginAttempt): Promise<void> {
  for (const [surface, key] of Object.entries(attempt)) {
    await countHit(needs, { surface, key, windowSeconds: WINDOW_SECONDS })
  }
}

/** Forgets the failed attempts of an address and an account, after a login. */
export async function forgetFailures(needs: Pick<Needs, 'db'>, attempt: LoginAttempt): Promise<void> {
  for (const [surface, key] of Object.entries(attempt)) await clearHits(needs, { surface, key })
}

/** Forgets the failed attempts at one account, whoever made them. */
export async function forgetFailuresOfAccount(connection: Connection, accountId: string): Promise<void> {
  await clearHits({ db: connection }, { surface: 'login_account', key: accountId })
}
