import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import { findUsableRescueAccount, isLocalSignInOff } from './local-sign-in.ts'
import { lockAccountRow } from './queries/accounts.ts'
import { hasLocalWay, selectSignInWays } from './queries/sign-in-ways.ts'

type Needs = { config: Config; connection: Connection; accountId: string }

/**
 * Removes a way to sign in, unless it is the last one of the account. In a transaction, which locks the account: two removals at once do not
 * both leave the other way.
 * @throws AppError `last_sign_in_way`, `account_not_found`
 */
export async function removeSignInWay(needs: Needs, remove: () => Promise<void>): Promise<void> {
  if (!(await lockAccountRow(needs.connection, needs.accountId))) throw accountErrors.account_not_found()
  const couldSignIn = await canSignIn(needs)
  // Decided before the removal: an account without its last local way is no usable rescue account.
  const isRescue = await isNeededRescueAccount(needs)
  await remove()
  if (couldSignIn && !(await canSignIn(needs))) throw accountErrors.last_sign_in_way()
  // The rescue account is for the time in which the provider does not answer, so a link is of no use to it.
  if (isRescue && !(await isNeededRescueAccount(needs))) throw accountErrors.last_sign_in_way()
}

async function canSignIn(needs: Needs): Promise<boolean> {
  const ways = await selectSignInWays(needs.connection, needs.accountId)
  if (ways === undefined) return false
  if (ways.hasLink) return true
  const isLocalOn =
    !(await isLocalSignInOff({ config: needs.config, db: needs.connection })) || (await isNeededRescueAccount(needs))
  return isLocalOn && hasLocalWay(ways)
}

/** Whether local sign-in is off, and this is the account that signs in nevertheless. */
async function isNeededRescueAccount({ config, connection, accountId }: Needs): Promise<boolean> {
  const rescue = await findUsableRescueAccount({ db: connection })
  return rescue?.id === accountId && (await isLocalSignInOff({ config, db: connection }))
}
