import type { Database } from '../platform/database/index.ts'
import {
  checkAccountChanges,
  type AccountInput,
  type PasswordHashing,
  hashPassword,
} from '../platform/credentials/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { type Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { translateNameConflict } from './register-account.ts'
import { refuseReservedAddress } from './reserved-address.ts'
import { validationFailure } from './validation-failure.ts'
import { endSessionsAfterReset } from './reset-password.ts'
import { updateAccountRow } from './queries/accounts.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'>; passwordHashing: PasswordHashing }

/**
 * Changes the name, e-mail address or password of an account; absent fields are unchanged. A new password ends its sessions.
 * @throws AppError `account_not_found`, `validation_failed` with `details.fields`, also for names in use
 */
export async function updateAccount(
  { db, clock, events, passwordHashing }: Dependencies,
  { fields, ...reference }: AccountReference & { fields: AccountInput },
): Promise<Account> {
  const { id, email: emailBefore } = await getAccount({ db }, reference)
  const checked = checkAccountChanges(fields)
  if ('problems' in checked) throw validationFailure(checked.problems)
  const { username, email, password } = checked.changes
  if (email !== emailBefore) refuseReservedAddress(email)
  const passwordHash = password === undefined ? undefined : await hashPassword(passwordHashing, password)
  const now = clock.now()
  const account = await translateNameConflict(
    db.transaction(async (connection) => {
      const changed = await updateAccountRow(connection, { id, username, email, passwordHash, now })
      if (passwordHash !== undefined) await endSessionsAfterReset(connection, { accountId: id, now })
      return changed
    }),
  )
  if (account === undefined) throw accountErrors.account_not_found()
  if (passwordHash !== undefined) events.publish('account.changed', { accountId: id })
  return account
}
