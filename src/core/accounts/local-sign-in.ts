import { hasExternalSignIn, type Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import type { CallerLocality } from './registration-policy.ts'
import { selectRescueAccount } from './queries/rescue.ts'
import { hasLocalWay, selectSignInWays } from './queries/sign-in-ways.ts'

/** Who may sign in with a password or passkey of this server: everybody, the rescue account only, or nobody. */
export type LocalSignIn = 'all' | 'rescue' | 'none'

/**
 * Reads who may sign in with a password or passkey of this server, from the location of the caller. The rescue account may do so only on the
 * server itself. If no other way is configured, everybody may, because a setting of an earlier configuration must not lock everybody out.
 */
export async function readLocalSignIn(
  needs: { config: Config; db: Connection },
  locality: CallerLocality,
): Promise<LocalSignIn> {
  if (!(await isLocalSignInOff(needs))) return 'all'
  return locality === 'loopback' ? 'rescue' : 'none'
}

/** Whether passwords and passkeys of this server are switched off. */
export async function isLocalSignInOff(needs: { config: Config; db: Connection }): Promise<boolean> {
  return hasExternalSignIn(needs.config.options) && !(await readSetting(needs, 'accounts.local_sign_in'))
}

/** Whether anybody may sign in with a password or passkey of this server, from where the caller is. */
export async function isLocalSignInPossible(
  needs: { config: Config; db: Connection },
  locality: CallerLocality,
): Promise<boolean> {
  const local = await readLocalSignIn(needs, locality)
  return local === 'rescue' ? (await findUsableRescueAccount(needs)) !== undefined : local === 'all'
}

/** Whether an account may sign in with a password or passkey of this server. */
export async function isLocalSignInAllowed(
  { db }: { db: Connection },
  { local, accountId }: { local: LocalSignIn; accountId: string | undefined },
): Promise<boolean> {
  if (local !== 'rescue') return local === 'all'
  const rescue = await findUsableRescueAccount({ db })
  return rescue !== undefined && rescue.id === accountId
}

/** @throws AppError `local_sign_in_off` */
export async function requireLocalSignIn(
  needs: { db: Connection },
  input: { local: LocalSignIn; accountId: string },
): Promise<void> {
  if (!(await isLocalSignInAllowed(needs, input))) throw accountErrors.local_sign_in_off()
}

/** The account that was named, if it is still an active administrator with a password or a passkey. */
export async function findUsableRescueAccount({ db }: { db: Connection }): Promise<Account | undefined> {
  const rescue = await selectRescueAccount(db)
  if (rescue?.isAdmin !== true || rescue.status !== 'active') return undefined
  const ways = await selectSignInWays(db, rescue.id)
  return ways !== undefined && hasLocalWay(ways) ? rescue : undefined
}

/** The account that was named; undefined: nobody. */
export async function findRescueAccount({ db }: { db: Connection }): Promise<Account | undefined> {
  return selectRescueAccount(db)
}
