import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { passwordProblem, type Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { forgetFailuresOfAccount } from './login-limiter.ts'
import { generatePassword, hashPassword } from './password.ts'
import { validationFailure } from './register-account.ts'
import { updatePasswordHash } from './queries/accounts.ts'
import { revokeFamiliesOf } from './queries/sessions.ts'

/**
 * Gives an account a new password, made up (120 bits) when none is given, and ends all its sessions: somebody else may know the old
 * one. Access tokens end with their session, at the next request; WebSockets of this process close, those of others within 10 s. Failed
 * logins are forgotten, so that guesses at the old password do not lock the owner out.
 * @returns the account, and the made-up password; it is stored nowhere
 * @throws AppError `account_not_found`, `validation_failed`
 */
export async function resetPassword(
  { db, clock, events }: { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> },
  { password, ...reference }: AccountReference & { password?: string },
): Promise<{ account: Account; generatedPassword?: string }> {
  const found = await getAccount({ db }, reference)
  const next = password?.normalize('NFC') ?? generatePassword()
  const problem = passwordProblem(next)
  if (problem !== undefined) throw validationFailure({ password: problem })
  const passwordHash = await hashPassword(next)
  const now = clock.now()
  const account = await db.transaction(async (connection) => {
    const changed = await updatePasswordHash(connection, { id: found.id, passwordHash, now })
    // It may be deleted while the password is hashed.
    if (changed === undefined) throw accountErrors.account_not_found()
    await endSessionsAfterReset(connection, { accountId: found.id, now })
    return changed
  })
  events.publish('account.changed', { accountId: found.id })
  return password === undefined ? { account, generatedPassword: next } : { account }
}

/** What a new password entails. To be called after the update, which waits for logins under way: their sessions are found too. */
export async function endSessionsAfterReset(
  connection: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  await revokeFamiliesOf(connection, { accountId, reason: 'password_reset', now })
  await forgetFailuresOfAccount(connection, accountId)
}
