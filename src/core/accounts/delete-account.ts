import type { Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Account } from './account.ts'
import { lockForRoleChange, refuseAdministratorLoss, type AccountChange } from './administer-account.ts'
import { accountErrors } from './errors.ts'
import { getAccount } from './find-account.ts'
import { deleteAccountRow } from './queries/accounts.ts'

type Dependencies = { db: Database; events: Pick<EventBus, 'publish'> }

/**
 * Deletes an account with its picture, sessions, passkeys, playback positions, marks and plays. Shared objects (collections) remain without
 * an owner.
 * @returns the account before the deletion
 * @throws AppError `account_not_found`, `last_administrator`, `own_account`
 */
export function deleteAccount(needs: Dependencies, input: AccountChange): Promise<Account> {
  return remove(needs, input, () => undefined)
}

/**
 * Deletes a pending account: the registration is declined.
 * @throws AppError `account_not_found`, `account_not_pending`
 */
export function rejectAccount(needs: Dependencies, input: AccountChange): Promise<Account> {
  return remove(needs, input, ({ username, status }) =>
    status === 'pending' ? undefined : accountErrors.account_not_pending({ message: `${username} is ${status}` }),
  )
}

async function remove(
  { db, events }: Dependencies,
  input: AccountChange,
  problemOf: (account: Account) => Error | undefined,
): Promise<Account> {
  const { id } = await getAccount({ db }, input)
  const account = await db.transaction(async (connection) => {
    const before = await lockForRoleChange(connection, id)
    const problem = problemOf(before)
    if (problem !== undefined) throw problem
    await refuseAdministratorLoss(connection, { before, after: null, actorId: input.actorId })
    await deleteAccountRow(connection, id)
    return before
  })
  events.publish('account.changed', { accountId: id })
  return account
}
