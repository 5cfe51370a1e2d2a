import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Account } from './account.ts'
import { lockForRoleChange } from './administer-account.ts'
import { accountErrors } from './errors.ts'
import { getNamedAccount } from './find-account.ts'
import { findLocalSignInRisk } from './local-sign-in-check.ts'
import { findUsableRescueAccount, isLocalSignInOff } from './local-sign-in.ts'
import { lockAdministrators } from './queries/accounts.ts'
import { deleteRescueAccount, upsertRescueAccount } from './queries/rescue.ts'
import { hasLocalWay, selectSignInWays } from './queries/sign-in-ways.ts'

type Dependencies = { config: Config; db: Database }

/**
 * Names the administrator who may still sign in with a password on the server itself while `accounts.local_sign_in` is off.
 * @throws AppError `account_not_found`, `rescue_not_administrator`, `rescue_without_local_way`
 */
export async function setRescueAccount({ db }: Dependencies, usernameOrEmail: string): Promise<Account> {
  const { id } = await getNamedAccount({ db }, usernameOrEmail)
  return db.transaction(async (connection) => {
    const account = await lockForRoleChange(connection, id)
    if (!account.isAdmin || account.status !== 'active') {
      throw accountErrors.rescue_not_administrator({
        message: `${account.username} is not an active administrator`,
        hint: 'phlix user:list shows the administrators',
      })
    }
    const ways = await selectSignInWays(connection, account.id)
    if (ways === undefined || !hasLocalWay(ways)) {
      throw accountErrors.rescue_without_local_way({
        message: `${account.username} has neither a password nor a passkey`,
        hint: `phlix user:reset-password ${account.username} sets a password`,
      })
    }
    await upsertRescueAccount(connection, account.id)
    return account
  })
}

/**
 * Removes the rescue account. While local sign-in is off, this is refused in the same cases as switching it off.
 * @param risk.isAccepted whether no administrator need be able to sign in while the provider does not answer
 * @throws AppError `nobody_could_sign_in`, `rescue_account_needed`
 */
export async function removeRescueAccount(
  { config, db }: Dependencies,
  { isAccepted }: { isAccepted: boolean },
): Promise<void> {
  await db.transaction(async (connection) => {
    await lockAdministrators(connection)
    const needs = { config, db: connection }
    const isNeeded = (await findUsableRescueAccount(needs)) !== undefined && (await isLocalSignInOff(needs))
    await deleteRescueAccount(connection)
    if (isNeeded) await refuseRisk(needs, { isAccepted })
  })
}

async function refuseRisk(
  needs: { config: Config; db: Connection },
  { isAccepted }: { isAccepted: boolean },
): Promise<void> {
  if ((await findLocalSignInRisk(needs)) === 'nobody') {
    throw accountErrors.nobody_could_sign_in({ hint: 'phlix user:rescue NAME names another one' })
  }
  if (isAccepted) return
  throw accountErrors.rescue_account_needed({
    hint: 'phlix user:rescue NAME names another one; --accept-sign-in-risk names nobody',
  })
}
