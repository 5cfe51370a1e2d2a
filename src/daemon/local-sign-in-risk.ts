import { findLocalSignInRisk, isLocalSignInOff } from '../core/accounts/index.ts'
import { configErrors } from '../core/platform/config/index.ts'
import { isSetOutsideDatabase } from '../core/platform/settings/index.ts'
import type { SigningServices } from '../core/services.ts'

type Dependencies = Pick<SigningServices, 'config' | 'db' | 'log' | 'oidc'>

const NOBODY =
  'nobody could sign in: local sign-in is off, no account is linked to the provider, the provider makes no accounts, and there is no rescue account'

/**
 * Looks for people who could not sign in while local sign-in is off. A switch-off by the file, the environment or a flag is a wrong
 * configuration; a setting of the database may become wrong while the server runs, and then does not stop it.
 * @throws AppError `invalid_config` if nobody could sign in at all
 */
export async function warnAboutLocalSignInRisk({ config, db, log, oidc }: Dependencies): Promise<void> {
  if (!(await isLocalSignInOff({ config, db }))) return
  const gap = await findLocalSignInRisk({ config, db })
  if (gap === 'nobody' && isSetOutsideDatabase(config, 'accounts.local_sign_in')) {
    throw configErrors.invalid_config({ message: NOBODY, hint: 'phlix user:rescue NAME' })
  }
  if (gap === 'nobody') log.error(`${NOBODY}: run phlix user:rescue NAME`)
  if (gap === 'no_rescue') {
    log.warning(
      'local sign-in is off, and no administrator could sign in while the provider does not answer: run phlix user:rescue NAME',
    )
  }
  // Not awaited: the server also works while the provider does not answer.
  void oidc?.metadata().catch(() => log.warning('local sign-in is off, and the OpenID provider does not answer now'))
}
