import { accountErrors, findLocalSignInRisk, requireOtherSignIn } from './accounts/index.ts'
import type { CoreServices } from './core-services.ts'
import { inspectLdapDirectory } from './ldap/index.ts'
import { inspectOidcProvider } from './oidc/index.ts'

/** How the risk is accepted in a request and on the command line. */
const ACCEPTANCE = 'send accept_sign_in_risk: true (--accept-sign-in-risk of config:set)'

type Dependencies = Pick<CoreServices, 'config' | 'db' | 'clock' | 'log' | 'outbound'>

/**
 * Refuses to switch local sign-in off if nobody could sign in afterwards, and, unless the administrator accepts the risk, while a provider does
 * not answer or no administrator could sign in during its outage.
 * @param changes typed values of settings by name
 * @throws AppError `nobody_could_sign_in`, `rescue_account_missing`, `sign_in_provider_unreachable`
 */
export async function requireSafeSignInChange(
  services: Dependencies,
  { changes, isRiskAccepted }: { changes: Readonly<Record<string, unknown>>; isRiskAccepted: boolean },
): Promise<void> {
  await requireOtherSignIn(services, changes)
  if (changes['accounts.local_sign_in'] !== false || isRiskAccepted) return
  if ((await findLocalSignInRisk(services)) !== undefined) {
    throw accountErrors.rescue_account_missing({ hint: `phlix user:rescue NAME, or ${ACCEPTANCE}` })
  }
  const problem = await findProviderProblem(services)
  if (problem !== undefined)
    throw accountErrors.sign_in_provider_unreachable({ message: problem, hint: `correct it, or ${ACCEPTANCE}` })
}

/** Why a configured provider cannot be used now; undefined if all can. */
async function findProviderProblem(services: Dependencies): Promise<string | undefined> {
  const provider = await inspectOidcProvider(services)
  if (provider !== undefined && 'problem' in provider) return `the OpenID provider does not answer: ${provider.problem}`
  const directory = await inspectLdapDirectory(services)
  return directory?.problem == null ? undefined : `the directory does not answer: ${directory.problem}`
}
