import { hashPassword, verifyPassword, type PasswordHashing } from '../platform/credentials/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { clearHits, countHit, rateLimitKey, rateLimitedError, reduceHits } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { profileErrors } from './errors.ts'
import type { Profile } from './profile.ts'
import { selectPinHash } from './queries.ts'

const FORM = /^(?:[0-9]{4}|[0-9]{6})$/
/** A longer text is not a PIN and is not hashed in full. */
const MAX_TYPED_CHARACTERS = 64

/** Limits of wrong PINs: of a profile in a short time and in a day, and from an address. */
const LIMITS = [
  { surface: 'profile_pin', windowSeconds: 300, most: 5 },
  { surface: 'profile_pin_day', windowSeconds: 86_400, most: 20 },
  { surface: 'profile_pin_address', windowSeconds: 900, most: 20 },
] as const

/**
 * Hashes a new PIN.
 * @throws AppError `profile.invalid` unless it is 4 or 6 digits
 */
export async function hashPin(passwordHashing: PasswordHashing, pin: string): Promise<string> {
  if (!FORM.test(pin)) {
    throw profileErrors.profile_invalid({ message: 'a PIN is 4 or 6 digits', details: { field: 'pin' } })
  }
  return hashPassword(passwordHashing, pin)
}

/** Resets the count of wrong PINs of a profile, but not the counts of addresses. */
export async function forgetWrongPins(db: Connection, profileId: string): Promise<void> {
  for (const { surface } of LIMITS) await clearHits({ db }, { surface, key: profileId })
}

/** A typed PIN. */
export type PinAttempt = {
  pin: string
  clientAddress: string
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal | undefined
}

type Dependencies = { db: Connection; clock: Clock; passwordHashing: PasswordHashing }

/**
 * Verifies the PIN of a profile. Each attempt is counted as wrong before it is compared, so that concurrent attempts cannot exceed a limit. A
 * correct one is subtracted again. While a limit is reached, even the correct PIN is refused. An invalid text takes as long as a wrong PIN.
 * @throws AppError `profile.pin_mismatch`, `profile.no_pin`, `rate_limited`
 */
export async function verifyPin(
  { db, clock, passwordHashing }: Dependencies,
  { profile, pin, clientAddress, signal }: PinAttempt & { profile: Pick<Profile, 'id'> },
): Promise<void> {
  const stored = await selectPinHash(db, profile.id)
  if (stored === null || stored === undefined) throw profileErrors.no_pin()
  const client = rateLimitKey(clientAddress)
  const keyOf = (surface: string): string => (surface === 'profile_pin_address' ? client : profile.id)
  const counted: string[] = []
  const takeBack = async (): Promise<void> => {
    for (const surface of counted) await reduceHits({ db }, { surface, key: keyOf(surface), hits: 1 })
  }
  let locked = 0
  for (const { surface, windowSeconds, most } of LIMITS) {
    const { hits, millisecondsLeft } = await countHit({ db, clock }, { surface, key: keyOf(surface), windowSeconds })
    if (hits > most) locked = Math.max(locked, millisecondsLeft)
    else counted.push(surface)
  }
  if (locked > 0) {
    // A refusal without a comparison does not count as a failure for the other limits.
    await takeBack()
    throw rateLimitedError(locked)
  }
  const typed = pin.slice(0, MAX_TYPED_CHARACTERS)
  const comparing = passwordHashing.queue(() => verifyPassword(passwordHashing, typed, stored), { client, signal })
  const isRight = await comparing.catch(async (error: unknown) => {
    await takeBack()
    throw error
  })
  if (!isRight) throw profileErrors.pin_mismatch()
  await takeBack()
}
