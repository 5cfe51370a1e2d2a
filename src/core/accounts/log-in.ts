import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { rateKeyOf } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  isPossibleAccountName,
  isPasswordSized,
  sanitizeNameForLog,
  type Account,
  type AccountStatus,
} from './account.ts'
import { accountErrors } from './errors.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { resetFailures, loginAttempt, recordFailure, refuseWhenLocked } from './login-limiter.ts'
import { verifyPassword } from './password.ts'
import { findCredentials, markLogin } from './queries/accounts.ts'
import { hasSessionFrom } from './queries/sessions.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; passwordHashing: PasswordHashing }
type LoginInput = {
  usernameOrEmail: string
  password: string
  clientAddress: string
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal
}

/** An id that no account has: an unknown name causes the same queries as a known one. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Verifies a password for a username or e-mail address, both case-insensitive, and records the login. An unknown account takes the same
 * time as a wrong password. Too many failures lock the client address or the account for a while, also for the correct password, so that an
 * attacker does not learn whether a guess was right. The lock of an account does not apply to addresses from which a session of it was
 * used, so that a stranger cannot lock the owner out.
 * @throws AppError `invalid_credentials`, `account_disabled`, `account_pending`, `rate_limited`, `sign_in_busy`, `login_abandoned`
 */
export async function logIn(needs: Dependencies, { signal, ...input }: LoginInput): Promise<Account> {
  const turn = { client: rateKeyOf(input.clientAddress), signal }
  // One permit for the whole attempt: the number of concurrent attempts that can pass the limit together is at most the number of permits.
  return needs.passwordHashing.queue(() => attemptLogin(needs, input), turn)
}

async function attemptLogin(
  needs: Dependencies,
  { usernameOrEmail, password, clientAddress }: Omit<LoginInput, 'signal'>,
): Promise<Account> {
  const { db, clock, log, passwordHashing } = needs
  const name = usernameOrEmail.normalize('NFC')
  const credentials = isPossibleAccountName(name) ? await findCredentials(db, name) : undefined
  const attempt = loginAttempt({ clientAddress, accountId: credentials?.id, name })
  const accountId = credentials?.id ?? NO_ACCOUNT
  const isKnownDevice = await hasSessionFrom(db, { accountId, clientKey: rateKeyOf(clientAddress) })
  await refuseWhenLocked(needs, attempt, { isKnownDevice })
  const isRight =
    isPasswordSized(password) &&
    (await verifyPassword(passwordHashing, password.normalize('NFC'), credentials?.passwordHash))
  if (!isRight || credentials?.status !== 'active') {
    await recordFailure(needs, attempt)
    // fail2ban parses this line (docs/operations.md), including the order of the fields.
    log.warning({ event: 'auth_failed', ip: clientAddress, user: sanitizeNameForLog(name) }, 'a login failed')
    throw isRight && credentials !== undefined ? refusalOf(credentials.status) : accountErrors.invalid_credentials()
  }
  await resetFailures(needs, attempt)
  return markLogin(db, { id: credentials.id, now: clock.now() })
}

/** The error for an account that is not active. */
export function refusalOf(status: AccountStatus): Error {
  return status === 'pending' ? accountErrors.account_pending() : accountErrors.account_disabled()
}
