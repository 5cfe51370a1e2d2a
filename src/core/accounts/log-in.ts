import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { canNameAccount, isPasswordSized, writableName, type Account, type AccountStatus } from './account.ts'
import { accountErrors } from './errors.ts'
import { takeTurn } from './hashing-turns.ts'
import { forgetFailures, loginAttempt, recordFailure, refuseWhenLocked } from './login-limiter.ts'
import { verifyPassword } from './password.ts'
import { findCredentials, markLogin } from './queries.ts'

type Needs = { db: Database; clock: Clock; log: Logger }
type LoginInput = { usernameOrEmail: string; password: string; clientAddress: string }

/**
 * Checks a password against the account with this username or e-mail address, both without regard to case, and notes the login.
 * An unknown account costs the same time as a wrong password. Too many failures lock the client address or the account for a while
 * (decisions 3.4), also for the right password: who guesses must not learn that he has found it.
 * @throws AppError `invalid_credentials`, `account_disabled`, `account_pending`, `rate_limited`
 */
export async function logIn(needs: Needs, input: LoginInput): Promise<Account> {
  // One turn for all of it: of many attempts at the same time no more than the turns can pass the limit together.
  return takeTurn(() => attemptLogin(needs, input))
}

async function attemptLogin(needs: Needs, { usernameOrEmail, password, clientAddress }: LoginInput): Promise<Account> {
  const { db, clock, log } = needs
  const name = usernameOrEmail.normalize('NFC')
  const credentials = canNameAccount(name) ? await findCredentials(db, name) : undefined
  const attempt = loginAttempt({ clientAddress, accountId: credentials?.id, name })
  await refuseWhenLocked(needs, attempt)
  const isRight =
    isPasswordSized(password) && (await verifyPassword(password.normalize('NFC'), credentials?.passwordHash))
  if (!isRight || credentials?.status !== 'active') {
    await recordFailure(needs, attempt)
    // Read by fail2ban (docs/operations.md): the order of the fields is part of it.
    log.warning({ event: 'auth_failed', ip: clientAddress, user: writableName(name) }, 'a login failed')
    throw isRight && credentials !== undefined ? refusalOf(credentials.status) : accountErrors.invalid_credentials()
  }
  await forgetFailures(needs, attempt)
  return markLogin(db, { id: credentials.id, now: clock.now() })
}

/** Why an account that is not active may not sign in. */
export function refusalOf(status: AccountStatus): Error {
  return status === 'pending' ? accountErrors.account_pending() : accountErrors.account_disabled()
}
