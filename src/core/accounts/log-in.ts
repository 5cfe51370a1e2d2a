import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { canNameAccount, isPasswordSized, type Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { verifyPassword } from './password.ts'
import { findCredentials, markLogin } from './queries.ts'

/**
 * Checks a password against the account with this username or e-mail address, both without regard to case, and notes the login.
 * An unknown account costs the same time as a wrong password.
 * @throws AppError `invalid_credentials`, `account_disabled`
 */
export async function logIn(
  { db, clock }: { db: Database; clock: Clock },
  { usernameOrEmail, password }: { usernameOrEmail: string; password: string },
): Promise<Account> {
  if (!isPasswordSized(password)) throw accountErrors.invalid_credentials()
  const name = usernameOrEmail.normalize('NFC')
  const credentials = canNameAccount(name) ? await findCredentials(db, name) : undefined
  const isRight = await verifyPassword(password.normalize('NFC'), credentials?.passwordHash)
  if (!isRight || credentials === undefined) throw accountErrors.invalid_credentials()
  if (credentials.status === 'disabled') throw accountErrors.account_disabled()
  return markLogin(db, { id: credentials.id, now: clock.now() })
}
