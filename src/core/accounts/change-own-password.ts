import type { Database } from '../platform/database/index.ts'
import {
  hashPassword,
  isPasswordSized,
  passwordProblem,
  verifyPassword,
  type PasswordHashing,
} from '../platform/credentials/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { rateLimitKey } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { accountErrors } from './errors.ts'
import { getAccount } from './find-account.ts'
import { requireLocalSignIn, type LocalSignIn } from './local-sign-in.ts'
import { loginAttempt, recordFailure, refuseWhenLocked, resetFailures, type LoginAttempt } from './login-limiter.ts'
import { findCredentials, lockAccountRow, updatePasswordHash } from './queries/accounts.ts'
import { markSessionDevicesForgotten, revokeSessionRows } from './queries/devices.ts'
import { hasSessionFrom } from './queries/sessions.ts'
import { requireFullSession } from './require-full-session.ts'
import type { Session } from './session.ts'
import { validationFailure } from './validation-failure.ts'

type Dependencies = {
  db: Database
  clock: Clock
  events: Pick<EventBus, 'publish'>
  passwordHashing: PasswordHashing
  log: Logger
}

type PasswordChange = {
  session: Session
  currentPassword: string
  newPassword: string
  clientAddress: string
  /** Who may sign in with a password of this server. */
  local: LocalSignIn
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal
}

/**
 * Changes the password of the account of a session, which has to know the present one: wrong ones count as failed logins. All other sessions end,
 * because a stranger may know the old password. API keys and passkeys stay.
 * @throws AppError `validation_failed`, `current_password_wrong`, `rate_limited`, `local_sign_in_off`, `session_ended`, `full_session_required`
 */
export async function changeOwnPassword(
  needs: Dependencies,
  { session, currentPassword, newPassword, clientAddress, local, signal }: PasswordChange,
): Promise<void> {
  const { db, clock, events, passwordHashing, log } = needs
  const { accountId, sessionId } = session
  const next = newPassword.normalize('NFC')
  const problem = passwordProblem(next)
  if (problem !== undefined) throw validationFailure({ new_password: problem })
  await requireLocalSignIn(needs, { local, accountId })
  const client = rateLimitKey(clientAddress)
  const attempt = await passwordHashing.queue(
    () => requirePassword(needs, { accountId, password: currentPassword.normalize('NFC'), clientAddress }),
    { client, signal },
  )
  const passwordHash = await hashPassword(passwordHashing, next)
  const now = clock.now()
  await db.transaction(async (connection) => {
    // First, because every transaction locks the account before its sessions.
    if (!(await lockAccountRow(connection, accountId))) throw accountErrors.account_not_found()
    await requireFullSession(connection, session)
    await updatePasswordHash(connection, { id: accountId, passwordHash, now })
    const ended = await revokeSessionRows(connection, { accountId, exceptSessionId: sessionId, now })
    await markSessionDevicesForgotten(connection, { accountId, sessionIds: ended.map(({ id }) => id) })
  })
  await resetFailures(needs, attempt)
  events.publish('account.changed', { accountId })
  log.notice({ accountId }, 'an account has another password')
}

/** Called within the queue of password checks: the number of concurrent attempts that can pass the limit together is that of its permits. */
async function requirePassword(
  needs: Dependencies,
  { accountId, password, clientAddress }: { accountId: string; password: string; clientAddress: string },
): Promise<LoginAttempt> {
  const { db, passwordHashing } = needs
  const { username: name } = await getAccount(needs, { accountId })
  const attempt = loginAttempt({ clientAddress, accountId, name })
  const isKnownDevice = await hasSessionFrom(db, { accountId, clientKey: rateLimitKey(clientAddress) })
  await refuseWhenLocked(needs, attempt, { isKnownDevice })
  const stored = await findCredentials(db, name)
  const isRight = isPasswordSized(password) && (await verifyPassword(passwordHashing, password, stored?.passwordHash))
  if (isRight && stored?.id === accountId) return attempt
  await recordFailure(needs, attempt)
  throw accountErrors.current_password_wrong()
}
