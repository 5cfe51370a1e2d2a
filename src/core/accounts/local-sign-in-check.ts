import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import { findUsableRescueAccount } from './local-sign-in.ts'
import { hasAccounts } from './queries/registration.ts'
import { hasLinkedAccount } from './queries/sign-in-links.ts'

type Dependencies = { config: Config; db: Connection }

/** `nobody`: no account could sign in at all. `no_rescue`: no administrator could while the provider does not answer. */
export type LocalSignInRisk = 'nobody' | 'no_rescue'

/** Who could not sign in while local sign-in is off. A server without accounts lets the first one register. */
export async function findLocalSignInRisk({
  config: { options },
  db,
}: Dependencies): Promise<LocalSignInRisk | undefined> {
  if ((await findUsableRescueAccount({ db })) !== undefined) return undefined
  const issuer = options['auth.oidc.issuer']
  const hasDirectory = options['auth.ldap.url'] !== undefined
  const createsAccounts =
    (issuer !== undefined && options['auth.oidc.create_accounts']) ||
    (hasDirectory && options['auth.ldap.create_accounts'])
  const isSomebodyLeft =
    createsAccounts || (await hasLinkedAccount(db, { issuer, hasDirectory })) || !(await hasAccounts(db))
  return isSomebodyLeft ? 'no_rescue' : 'nobody'
}

/**
 * Refuses to switch local sign-in off if nobody could sign in afterwards.
 * @param changes typed values of settings by name
 * @throws AppError `nobody_could_sign_in`
 */
export async function requireOtherSignIn(
  needs: Dependencies,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (changes['accounts.local_sign_in'] !== false || (await findLocalSignInRisk(needs)) !== 'nobody') return
  throw accountErrors.nobody_could_sign_in({ hint: 'phlix user:rescue NAME' })
}
