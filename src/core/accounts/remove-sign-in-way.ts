import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import { findRescueAccount, isLocalSignInOff } from './local-sign-in.ts'
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
  await remove()
  if (couldSignIn && !(await canSignIn(needs))) throw accountErrors.last_sign_in_way()
}

async function canSignIn({ config, connection, accountId }: Needs): Promise<boolean> {
  const ways = await selectSignInWays(connection, accountId)
  if (ways === undefined) return false
  if (!(await isLocalSignInOff({ config, db: connection }))) return ways.hasLink || hasLocalWay(ways)
  // The rescue account is for the time in which the provider does not answer, so a link is of no use to it.
  const isRescue = (await findRescueAccount({ db: connection }))?.id === accountId
  return isRescue ? hasLocalWay(ways) : ways.hasLink
}
