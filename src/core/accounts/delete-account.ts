import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { lockForRoleChange, refuseAdministratorLoss, type AccountChange } from './administer-account.ts'
import { accountErrors } from './errors.ts'
import { getAccount } from './find-account.ts'
import { deleteAccountRow } from './queries/accounts.ts'
import { requireRecentSignIn } from './require-recent-sign-in.ts'
import type { Session } from './session.ts'

type Dependencies = { config: Config; db: Database; events: Pick<EventBus, 'publish'> }

/**
 * Deletes an account with its picture, sessions, passkeys, playback positions, marks and plays. Shared objects (collections) remain without
 * an owner.
 * @returns the account before the deletion
 * @throws AppError `account_not_found`, `last_administrator`, `own_account`, `rescue_account_needed`
 */
export function deleteAccount(needs: Dependencies, input: AccountChange): Promise<Account> {
  return remove(needs, input, async () => {})
}

/**
 * Deletes a pending account: the registration is declined.
 * @throws AppError `account_not_found`, `account_not_pending`
 */
export function rejectAccount(needs: Dependencies, input: AccountChange): Promise<Account> {
  return remove(needs, input, async ({ username, status }) => {
    if (status !== 'pending') throw accountErrors.account_not_pending({ message: `${username} is ${status}` })
  })
}

/**
 * Deletes the account of a session with everything that belongs to it. An administrator is deleted by another one.
 * @throws AppError `recent_sign_in_required`, `session_ended`, `full_session_required`, `last_administrator`, `own_account`
 */
export function deleteOwnAccount(
  { clock, ...needs }: Dependencies & { clock: Clock },
  { session }: { session: Session },
): Promise<Account> {
  const { accountId } = session
  return remove(needs, { accountId, actorId: accountId }, async (_account, connection) => {
    await requireRecentSignIn(connection, { session, now: clock.now() })
  })
}

async function remove(
  { config, db, events }: Dependencies,
  input: AccountChange,
  check: (account: Account, connection: Connection) => Promise<void>,
): Promise<Account> {
  const { id } = await getAccount({ db }, input)
  const account = await db.transaction(async (connection) => {
    const before = await lockForRoleChange(connection, id)
    await check(before, connection)
    await refuseAdministratorLoss({ config, db: connection }, { before, after: null, actorId: input.actorId })
    await deleteAccountRow(connection, id)
    return before
  })
  events.publish('account.changed', { accountId: id })
  return account
}
