import type { ErrorFactory } from '../platform/errors/index.ts'
import { passkeyErrors } from './errors.ts'

/** What a challenge is for. Its answer is good for nothing else. */
export type Ceremony = 'register' | 'login'

/** The two refusals that both ceremonies know, each in its own kind (document 1: 400 at registration, 401 at login). */
export const ceremonyErrors = {
  register: { expired: passkeyErrors.registration_expired, mismatch: passkeyErrors.registration_mismatch },
  login: { expired: passkeyErrors.login_expired, mismatch: passkeyErrors.login_mismatch },
} as const satisfies Record<Ceremony, Record<'expired' | 'mismatch', ErrorFactory>>

/**
 * Judges an authenticator's answer. The library refuses in two ways (M20): most faults are thrown, in texts that change with its
 * versions and repeat what the client sent; a wrong signature is a result. Both become one fixed text here.
 * @param check touches nothing but the answer (no database), and gives undefined for one that does not verify
 * @throws AppError `Challenge mismatch` of the ceremony
 */
export async function judge<Result>(ceremony: Ceremony, check: () => Promise<Result | undefined>): Promise<Result> {
  let result: Result | undefined
  let cause: unknown
  try {
    result = await check()
  } catch (error) {
    cause = error
  }
  if (result === undefined) throw ceremonyErrors[ceremony].mismatch({ cause })
  return result
}
