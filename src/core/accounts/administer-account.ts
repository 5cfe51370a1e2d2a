import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { findAccountById, hasOtherActiveAdministrator, lockAdministrators, updateStanding } from './queries/accounts.ts'
import { revokeFamiliesOf } from './queries/sessions.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }
type Standing = Pick<Account, 'isAdmin' | 'status'>

/** Which account, and the administrator who asks, who may not take their own rights away. The command line has no account. */
export type AdministrationInput = AccountReference & { actorId?: string }

/** The account as it is now, and whether it was otherwise before. */
type Change = { account: Account; isChanged: boolean }

/**
 * Makes an account an administrator, or a user again.
 * @throws AppError `account_not_found`, `last_administrator`, `own_account`
 */
export function setAdministrator(
  needs: Dependencies,
  input: AdministrationInput & { isAdmin: boolean },
): Promise<Change> {
  return changeStanding(needs, input, { isAdmin: input.isAdmin })
}

/**
 * Shuts an account out: its refresh sessions end, and its access tokens are refused from the next request on, because the daemon reads
 * the status each time. WebSockets of this process close.
 * @throws AppError `account_not_found`, `last_administrator`, `own_account`
 */
export function disableAccount(needs: Dependencies, input: AdministrationInput): Promise<Change> {
  return changeStanding(needs, input, { status: 'disabled' })
}

/**
 * Lets a disabled account in again, or one that waits for approval; sessions that have ended stay ended.
 * @throws AppError `account_not_found`
 */
export function enableAccount(needs: Dependencies, input: AdministrationInput): Promise<Change> {
  return changeStanding(needs, input, { status: 'active' })
}

async function changeStanding(
  needs: Dependencies,
  input: AdministrationInput,
  wish: Partial<Standing>,
): Promise<Change> {
  const { db, clock, events } = needs
  const { id } = await getAccount({ db }, input)
  const now = clock.now()
  const change = await db.transaction(async (connection) => {
    const before = await lockStanding(connection, id)
    const after = { ...before, ...wish }
    await refuseLoss(connection, { before, after, actorId: input.actorId })
    const isChanged = after.isAdmin !== before.isAdmin || after.status !== before.status
    const account = isChanged ? await updateStanding(connection, { ...after, now }) : before
    if (account === undefined) throw accountErrors.account_not_found()
    // After the update, which waits for logins under way: their sessions are found too.
    if (account.status === 'disabled') {
      await revokeFamiliesOf(connection, { accountId: id, reason: 'account_disabled', now })
    }
    return { account, isChanged }
  })
  if (change.isChanged) events.publish('account.changed', { accountId: id })
  return change
}

/**
 * The account as it is, for a change of who administrates: until the transaction ends no other such change is made. Two administrators
 * who demote each other at the same moment must not both find the other one.
 * @throws AppError `account_not_found`
 */
export async function lockStanding(connection: Connection, id: string): Promise<Account> {
  await lockAdministrators(connection)
  const account = await findAccountById(connection, id)
  if (account === undefined) throw accountErrors.account_not_found()
  return account
}

/**
 * Refuses a change after which the only active administrator would be none, or the one who asks for it.
 * @param change.after null for an account that is to be deleted
 * @throws AppError `last_administrator`, `own_account`
 */
export async function refuseLoss(
  connection: Connection,
  { before, after, actorId }: { before: Account; after: Standing | null; actorId?: string | undefined },
): Promise<void> {
  const isLoss = isActiveAdministrator(before) && (after === null || !isActiveAdministrator(after))
  if (!isLoss) return
  if (!(await hasOtherActiveAdministrator(connection, before.id))) {
    throw accountErrors.last_administrator({
      message: `${before.username} is the only active administrator`,
      hint: 'make another one first: phlix user:set-admin USER',
    })
  }
  if (before.id === actorId) {
    throw accountErrors.own_account({ message: 'another administrator must do this to your account' })
  }
}

function isActiveAdministrator({ isAdmin, status }: Standing): boolean {
  return isAdmin && status === 'active'
}
