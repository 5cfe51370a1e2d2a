import { rateLimitKey } from '../platform/rate-limits/index.ts'
import {
  isPossibleAccountName,
  isPasswordSized,
  sanitizeNameForLog,
  verifyPassword,
} from '../platform/credentials/index.ts'
import { type Account, type AccountStatus } from './account.ts'
import { accountErrors } from './errors.ts'
import { isLocalSignInAllowed, type LocalSignIn } from './local-sign-in.ts'
import {
  resetFailures,
  loginAttempt,
  recordFailure,
  refuseWhenLocked,
  uncountFailure,
  type LoginAttempt,
} from './login-limiter.ts'
import { findCredentials, markLogin } from './queries/accounts.ts'
import { hasSessionFrom } from './queries/sessions.ts'
import type { SignInLink } from './queries/sign-in-links.ts'
import {
  signInWithProvider,
  type ProviderSignIn,
  type ProviderSignInServices,
} from './sign-in-providers/sign-in-with-provider.ts'

type Dependencies = ProviderSignInServices
type LoginInput = {
  usernameOrEmail: string
  password: string
  clientAddress: string
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal
  /** Who may sign in with a local password. Default: everybody. */
  local?: LocalSignIn
}

/** An account after a login. */
export type LoggedIn = Account & {
  /**
   * The link by which a provider has signed the person in; absent after a login with the password. The session starts only while the
   * account has this link.
   */
  signInLink?: SignInLink
}

/** An id that no account has: an unknown name causes the same queries as a known one. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Verifies a password for a username or e-mail address, both case-insensitive, and records the login. An unknown account takes the same
 * time as a wrong password. Too many failures lock the client address or the account for a while, also for the correct password, so that an
 * attacker does not learn whether a guess was right. The lock of an account does not apply to addresses from which a session of it was
 * used, so that a stranger cannot lock the owner out. If the password is wrong, the enabled providers are queried
 * (sign-in-providers/query-providers.ts), outside of the queue of hashing.
 * @throws AppError `invalid_credentials`, `account_disabled`, `account_pending`, `rate_limited`, `sign_in_busy`, `login_abandoned`,
 * `sign_in_provider_unavailable`, `local_sign_in_off`
 */
export async function logIn(needs: Dependencies, { signal, ...input }: LoginInput): Promise<LoggedIn> {
  const client = rateLimitKey(input.clientAddress)
  // One permit for the whole attempt: the number of concurrent attempts that can pass the limit together is at most the number of permits.
  const checked = await needs.passwordHashing.queue(() => checkPassword(needs, input), { client, signal })
  const { attempt, name } = checked
  const linked =
    checked.account === undefined ? await askElsewhere(needs, { ...input, ...checked, client, signal }) : undefined
  const account = checked.account ?? linked?.account
  if (account?.status === 'active') {
    await resetFailures(needs, attempt)
    const active = await markLogin(needs.db, { id: account.id, now: needs.clock.now() })
    return linked === undefined ? active : { ...active, signInLink: linked.link }
  }
  logFailure(needs, { name, clientAddress: input.clientAddress })
  if (account !== undefined) throw inactiveAccountError(account.status)
  const isOff = input.local !== undefined && input.local !== 'all' && needs.signInProviders.list().length === 0
  throw isOff ? accountErrors.local_sign_in_off() : accountErrors.invalid_credentials()
}

type CheckedPassword = {
  attempt: LoginAttempt
  /** Normalised to NFC. */
  name: string
  accountId: string
  isKnown: boolean
  isKnownDevice: boolean
  /** The account whose password is right. */
  account: Pick<Account, 'id' | 'status'> | undefined
}

/** Every attempt except a right password of an active account is counted as a failure at once, even if a provider is queried afterwards. */
async function checkPassword(
  needs: Dependencies,
  { usernameOrEmail, password, clientAddress, local = 'all' }: Omit<LoginInput, 'signal'>,
): Promise<CheckedPassword> {
  const { db, passwordHashing } = needs
  const name = usernameOrEmail.normalize('NFC')
  const credentials = isPossibleAccountName(name) ? await findCredentials(db, name) : undefined
  const attempt = loginAttempt({ clientAddress, accountId: credentials?.id, name })
  const accountId = credentials?.id ?? NO_ACCOUNT
  const isKnownDevice = await hasSessionFrom(db, { accountId, clientKey: rateLimitKey(clientAddress) })
  await refuseWhenLocked(needs, attempt, { isKnownDevice })
  // Without a hash if local passwords are off, for every name alike.
  const isAllowed = await isLocalSignInAllowed(needs, { local, accountId: credentials?.id })
  const isRight =
    isAllowed &&
    isPasswordSized(password) &&
    (await verifyPassword(passwordHashing, password.normalize('NFC'), credentials?.passwordHash))
  const account = isRight ? credentials : undefined
  if (account?.status !== 'active') await recordFailure(needs, attempt)
  return { attempt, name, accountId, isKnown: credentials !== undefined, isKnownDevice, account }
}

/**
 * An empty password is not passed on, because a directory accepts it as an unauthenticated bind (RFC 4513, 5.1.2). If the provider does not
 * answer, the attempt is not counted as a failure of the address and is not logged for fail2ban.
 */
async function askElsewhere(
  needs: Dependencies,
  input: ProviderSignIn & { attempt: LoginAttempt },
): ReturnType<typeof signInWithProvider> {
  const { name, password } = input
  const isPossible = isPossibleAccountName(name) && password !== '' && isPasswordSized(password)
  if (!isPossible || needs.signInProviders.list().length === 0) return undefined
  try {
    return await signInWithProvider(needs, input)
  } catch (error) {
    await uncountFailure(needs, input.attempt)
    throw error
  }
}

function logFailure({ log }: Dependencies, { name, clientAddress }: { name: string; clientAddress: string }): void {
  // fail2ban parses this line (docs/operations.md), including the order of the fields.
  log.warning({ event: 'auth_failed', ip: clientAddress, user: sanitizeNameForLog(name) }, 'a login failed')
}

/** The error for an account that is not active. */
export function inactiveAccountError(status: AccountStatus): Error {
  return status === 'pending' ? accountErrors.account_pending() : accountErrors.account_disabled()
}
