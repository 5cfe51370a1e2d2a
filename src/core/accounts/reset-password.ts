import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { passwordProblem, type Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { forgetFailuresOfAccount } from './login-limiter.ts'
import { generatePassword, hashPassword } from './password.ts'
import { validationFailure } from './register-account.ts'
import { revokeFamiliesOf, updatePasswordHash } from './queries.ts'

/**
 * Gives an account a new password, made up (120 bits) when none is given, and ends all its refresh sessions: whoever has to reset a
 * password may have lost the old one to somebody. Access tokens that are already out end by themselves within their hour. Failed
 * logins are forgotten, so that the owner is not locked out by whoever guessed.
 * @returns the account, and the made-up password; it is stored nowhere
 * @throws AppError `account_not_found`, `validation_failed`
 */
export async function resetPassword(
  { db, clock }: { db: Database; clock: Clock },
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
