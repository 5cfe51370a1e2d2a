import { accessErrors } from '../access/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { findUsableRescueAccount, isLocalSignInOff } from './local-sign-in.ts'
import {
  findAccountById,
  hasOtherActiveAdministrator,
  lockAdministrators,
  updateRoleAndStatus,
} from './queries/accounts.ts'
import { revokeAccountTokenFamilies } from './queries/sessions.ts'

type Dependencies = { config: Config; db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }
type RoleAndStatus = Pick<Account, 'isAdmin' | 'status'>

/** An account, and the administrator who changes it. Administrators must not remove their own rights. The command line has no actor. */
export type AccountChange = AccountReference & { actorId?: string }

/** The account after the call, and whether the call changed it. */
type Change = { account: Account; isChanged: boolean }

/**
 * Grants or revokes administrator rights.
 * @throws AppError `account_not_found`, `last_administrator`, `own_account`, `rescue_account_needed`; `administrator_not_limited` for a limited account
 */
export function setAdministrator(needs: Dependencies, input: AccountChange & { isAdmin: boolean }): Promise<Change> {
  return changeRoleAndStatus(needs, input, { isAdmin: input.isAdmin })
}

/**
 * Disables an account: its refresh sessions end, and its access tokens are refused from the next request on, because the daemon reads the
 * status for each one. WebSockets of this process are closed.
 * @throws AppError `account_not_found`, `last_administrator`, `own_account`, `rescue_account_needed`
 */
export function disableAccount(needs: Dependencies, input: AccountChange): Promise<Change> {
  return changeRoleAndStatus(needs, input, { status: 'disabled' })
}

/**
 * Activates a disabled or pending account; ended sessions are not restored.
 * @throws AppError `account_not_found`
 */
export function enableAccount(needs: Dependencies, input: AccountChange): Promise<Change> {
  return changeRoleAndStatus(needs, input, { status: 'active' })
}

async function changeRoleAndStatus(
  needs: Dependencies,
  input: AccountChange,
  changes: Partial<RoleAndStatus>,
): Promise<Change> {
  const { config, db, clock, events } = needs
  const { id } = await getAccount({ db }, input)
  const now = clock.now()
  const change = await db.transaction(async (connection) => {
    const before = await lockForRoleChange(connection, id)
    const after = { ...before, ...changes }
    if (after.isAdmin && before.policyId !== null) {
      throw accessErrors.administrator_not_limited({
        message: `the access of ${before.username} is limited`,
        hint: `remove the limits first: phlix user:update ${before.username} --all-libraries --no-max-rating`,
      })
    }
    await refuseAdministratorLoss({ config, db: connection }, { before, after, actorId: input.actorId })
    const isChanged = after.isAdmin !== before.isAdmin || after.status !== before.status
    const account = isChanged ? await updateRoleAndStatus(connection, { ...after, now }) : before
    if (account === undefined) throw accountErrors.account_not_found()
    // Sessions are revoked after the update, because the update waits for concurrent logins: their sessions are then revoked too.
    if (account.status === 'disabled') {
      await revokeAccountTokenFamilies(connection, { accountId: id, reason: 'account_disabled', now })
    }
    return { account, isChanged }
  })
  if (change.isChanged) events.publish('account.changed', { accountId: id })
  return change
}

/**
 * Reads an account for a change of its role or status and blocks all other such changes until the transaction ends. Otherwise two
 * administrators who demote each other concurrently would both find another administrator.
 * @throws AppError `account_not_found`
 */
export async function lockForRoleChange(connection: Connection, id: string): Promise<Account> {
  await lockAdministrators(connection)
  const account = await findAccountById(connection, id)
  if (account === undefined) throw accountErrors.account_not_found()
  return account
}

/**
 * Refuses a change that removes the last active administrator, the administrator rights of the actor, or the account that alone can sign in while
 * the sign-in provider does not answer.
 * @param needs.db the connection of the transaction
 * @param change.after null for an account that is deleted
 * @throws AppError `last_administrator`, `own_account`, `rescue_account_needed`
 */
export async function refuseAdministratorLoss(
  needs: { config: Config; db: Connection },
  { before, after, actorId }: { before: Account; after: RoleAndStatus | null; actorId?: string | undefined },
): Promise<void> {
  const losesAdministrator = isActiveAdministrator(before) && (after === null || !isActiveAdministrator(after))
  if (!losesAdministrator) return
  if (!(await hasOtherActiveAdministrator(needs.db, before.id))) {
    throw accountErrors.last_administrator({
      message: `${before.username} is the only active administrator`,
      hint: 'make another one first: phlix user:set-admin USER',
    })
  }
  if (before.id === actorId) {
    throw accountErrors.own_account({ message: 'only another administrator may change your account in this way' })
  }
  if ((await findUsableRescueAccount(needs))?.id === before.id && (await isLocalSignInOff(needs))) {
    throw accountErrors.rescue_account_needed({
      message: `${before.username} is the rescue account`,
      hint: 'name another one first: phlix user:rescue NAME',
    })
  }
}

function isActiveAdministrator({ isAdmin, status }: RoleAndStatus): boolean {
  return isAdmin && status === 'active'
}
