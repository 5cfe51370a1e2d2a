import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { rateKeyOf } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { canNameAccount, isPasswordSized, writableName, type Account, type AccountStatus } from './account.ts'
import { accountErrors } from './errors.ts'
import { queueHashing } from './hashing-queue.ts'
import { forgetFailures, loginAttempt, recordFailure, refuseWhenLocked } from './login-limiter.ts'
import { verifyPassword } from './password.ts'
import { findCredentials, markLogin } from './queries/accounts.ts'
import { hasSessionFrom } from './queries/sessions.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger }
type LoginInput = {
  usernameOrEmail: string
  password: string
  clientAddress: string
  /** Fires when the client has gone. */
  signal?: AbortSignal
}

/** The id of no account: an unknown name costs the same queries as a known one. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Checks a password against the account with this username or e-mail address, both without regard to case, and notes the login.
 * An unknown account costs the same time as a wrong password. Too many failures lock the client address or the account for a while,
 * also for the right password: an attacker must not learn that a guess was right. The lock of an account does not hold for addresses
 * at which a session of it was used: a stranger cannot lock the owner out.
 * @throws AppError `invalid_credentials`, `account_disabled`, `account_pending`, `rate_limited`, `sign_in_busy`, `login_abandoned`
 */
export async function logIn(needs: Dependencies, { signal, ...input }: LoginInput): Promise<Account> {
  const turn = { client: rateKeyOf(input.clientAddress), signal }
  // One turn for all of it: of many attempts at the same time no more than the turns can pass the limit together.
  return queueHashing(() => attemptLogin(needs, input), turn)
}

async function attemptLogin(
  needs: Dependencies,
  { usernameOrEmail, password, clientAddress }: Omit<LoginInput, 'signal'>,
): Promise<Account> {
  const { db, clock, log } = needs
  const name = usernameOrEmail.normalize('NFC')
  const credentials = canNameAccount(name) ? await findCredentials(db, name) : undefined
  const attempt = loginAttempt({ clientAddress, accountId: credentials?.id, name })
  const accountId = credentials?.id ?? NO_ACCOUNT
  const isKnownDevice = await hasSessionFrom(db, { accountId, clientKey: rateKeyOf(clientAddress) })
  await refuseWhenLocked(needs, attempt, { isKnownDevice })
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
