import type { ErrorFactory } from '../platform/errors/index.ts'
import { passkeyErrors } from './errors.ts'

/** The purpose of a challenge; its response is valid for no other purpose. */
export type Ceremony = 'register' | 'login'

/** The two errors that both ceremonies have, with the status of each: 400 at registration, 401 at login. */
export const ceremonyErrors = {
  register: { expired: passkeyErrors.registration_expired, mismatch: passkeyErrors.registration_mismatch },
  login: { expired: passkeyErrors.login_expired, mismatch: passkeyErrors.login_mismatch },
} as const satisfies Record<Ceremony, Record<'expired' | 'mismatch', ErrorFactory>>

/**
 * Verifies the response of an authenticator. The library rejects in two ways: most errors are thrown, with texts that change between
 * versions and repeat client input; a wrong signature is a result. Both are converted to one fixed error.
 * @param check uses only the response (no database), and returns undefined for an invalid one
 * @throws AppError `Challenge mismatch` of the ceremony
 */
export async function verifyResponse<Result>(
  ceremony: Ceremony,
  check: () => Promise<Result | undefined>,
): Promise<Result> {
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
