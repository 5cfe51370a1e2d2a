import type { Connection, Database } from '../platform/database/index.ts'
import { passwordProblem, type PasswordHashing, generatePassword, hashPassword } from '../platform/credentials/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { type Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { resetFailuresOfAccount } from './login-limiter.ts'
import { validationFailure } from './validation-failure.ts'
import { updatePasswordHash } from './queries/accounts.ts'
import { markSessionDevicesForgotten } from './queries/devices.ts'
import { revokeAccountTokenFamilies } from './queries/sessions.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'>; passwordHashing: PasswordHashing }

/**
 * Sets the password of an account, by default a generated one of 120 bits, and ends all its sessions, because the old password may be known
 * to others. Access tokens are refused from the next request on; WebSockets of this process are closed at once, those of other processes
 * within 1 s. Failed logins are reset, so that guesses at the old password do not lock the owner out.
 * @returns the account and the generated password, which is not stored
 * @throws AppError `account_not_found`, `validation_failed`
 */
export async function resetPassword(
  { db, clock, events, passwordHashing }: Dependencies,
  { password, ...reference }: AccountReference & { password?: string },
): Promise<{ account: Account; generatedPassword?: string }> {
  const found = await getAccount({ db }, reference)
  const next = password?.normalize('NFC') ?? generatePassword()
  const problem = passwordProblem(next)
  if (problem !== undefined) throw validationFailure({ password: problem })
  const passwordHash = await hashPassword(passwordHashing, next)
  const now = clock.now()
  const account = await db.transaction(async (connection) => {
    const changed = await updatePasswordHash(connection, { id: found.id, passwordHash, now })
    // The account may have been deleted while the password was hashed.
    if (changed === undefined) throw accountErrors.account_not_found()
    await endSessionsAfterReset(connection, { accountId: found.id, now })
    return changed
  })
  events.publish('account.changed', { accountId: found.id })
  return password === undefined ? { account, generatedPassword: next } : { account }
}

/**
 * Ends the sessions after a password change, and forgets their devices. Called after the update, which waits for concurrent logins, so that their sessions are ended
 * too.
 */
export async function endSessionsAfterReset(
  connection: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  const sessionIds = await revokeAccountTokenFamilies(connection, { accountId, reason: 'password_reset', now })
  await markSessionDevicesForgotten(connection, { accountId, sessionIds })
  await resetFailuresOfAccount(connection, accountId)
}
