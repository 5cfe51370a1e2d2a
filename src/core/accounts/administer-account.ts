import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { getNamedAccount } from './find-account.ts'
import {
  findAccountById,
  hasOtherActiveAdministrator,
  lockAdministrators,
  revokeFamiliesOf,
  updateStanding,
} from './queries.ts'

type Needs = { db: Database; clock: Clock }
type Named = { usernameOrEmail: string }
type Standing = Pick<Account, 'isAdmin' | 'status'>

/** The account as it is now, and whether it was otherwise before. */
type Change = { account: Account; isChanged: boolean }

/**
 * Makes an account an administrator, or a user again.
 * @throws AppError `account_not_found`, `last_administrator`
 */
export function setAdministrator(needs: Needs, { isAdmin, ...named }: Named & { isAdmin: boolean }): Promise<Change> {
  return changeStanding(needs, named, { isAdmin })
}

/**
 * Shuts an account out: its refresh sessions end, and its access tokens are refused from the next request on, because the daemon reads
 * the status each time (decisions 3.4).
 * @throws AppError `account_not_found`, `last_administrator`
 */
export function disableAccount(needs: Needs, named: Named): Promise<Change> {
  return changeStanding(needs, named, { status: 'disabled' })
}

/**
 * Lets a disabled account in again; its old sessions stay ended.
 * @throws AppError `account_not_found`
 */
export function enableAccount(needs: Needs, named: Named): Promise<Change> {
  return changeStanding(needs, named, { status: 'active' })
}

async function changeStanding({ db, clock }: Needs, named: Named, wish: Partial<Standing>): Promise<Change> {
  const { id } = await getNamedAccount({ db }, named.usernameOrEmail)
  const now = clock.now()
  return db.transaction(async (connection) => {
    // Two administrators who demote each other at the same moment must not both find the other one.
    await lockAdministrators(connection)
    const before = await findAccountById(connection, id)
    if (before === undefined) throw accountErrors.account_not_found()
    const after = { ...before, ...wish }
    await keepOneAdministrator(connection, before, after)
    const isChanged = after.isAdmin !== before.isAdmin || after.status !== before.status
    const account = isChanged ? await updateStanding(connection, { ...after, now }) : before
    if (account === undefined) throw accountErrors.account_not_found()
    // After the update, which waits for logins under way: their sessions are found too.
    if (account.status === 'disabled') {
      await revokeFamiliesOf(connection, { accountId: id, reason: 'account_disabled', now })
    }
    return { account, isChanged }
  })
}

async function keepOneAdministrator(connection: Connection, before: Account, after: Account): Promise<void> {
  const isLoss = isActiveAdministrator(before) && !isActiveAdministrator(after)
  if (!isLoss || (await hasOtherActiveAdministrator(connection, before.id))) return
  throw accountErrors.last_administrator({
    message: `${before.username} is the only active administrator`,
    hint: 'make another one first: phlix user:set-admin USER',
  })
}

function isActiveAdministrator({ isAdmin, status }: Standing): boolean {
  return isAdmin && status === 'active'
}
