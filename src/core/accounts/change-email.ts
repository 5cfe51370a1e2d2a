import { checkAccountChanges } from '../platform/credentials/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { lockAccountRow, updateAccountRow } from './queries/accounts.ts'
import { translateNameConflict } from './register-account.ts'
import { requireRecentSignIn } from './require-recent-sign-in.ts'
import { refuseReservedAddress } from './reserved-address.ts'
import type { Session } from './session.ts'
import { validationFailure } from './validation-failure.ts'

/**
 * Changes the e-mail address of the account of a session: people sign in with it, so it needs a recent sign-in.
 * @throws AppError `validation_failed`, also for an address in use; `recent_sign_in_required`, `session_ended`, `full_session_required`
 */
export async function changeOwnEmail(
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
  { session, email }: { session: Session; email: unknown },
): Promise<Account> {
  const checked = checkAccountChanges({ email: email ?? '' })
  if ('problems' in checked) throw validationFailure(checked.problems)
  const { email: address } = checked.changes
  refuseReservedAddress(address)
  const { accountId: id } = session
  const now = clock.now()
  const changed = await translateNameConflict(
    db.transaction(async (connection) => {
      if (!(await lockAccountRow(connection, id))) throw accountErrors.account_not_found()
      await requireRecentSignIn(connection, { session, now })
      const names = { username: undefined, email: address, passwordHash: undefined }
      return updateAccountRow(connection, { id, ...names, isOwnChoice: true, now })
    }),
  )
  if (changed === undefined) throw accountErrors.account_not_found()
  log.notice({ accountId: id }, 'an account has another e-mail address')
  return changed
}
