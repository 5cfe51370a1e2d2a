import { findLocalSignInRisk, findUsableRescueAccount, isLocalSignInOff } from '../../accounts/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'

/** Whether somebody can get in while local sign-in is off and the provider does not answer. */
export const rescueAccountCheck: DoctorCheck = {
  id: 'rescue',
  async runOnTables({ config, phlix }, { db }) {
    if (!(await isLocalSignInOff({ config, db })))
      return okResult('local sign-in is on, so that no rescue account is needed')
    const account = await findUsableRescueAccount({ db })
    if (account !== undefined) {
      return okResult(`local sign-in is off; ${account.username} can still sign in with a password on this machine`)
    }
    const fix = phlix('user:rescue NAME')
    if ((await findLocalSignInRisk({ config, db })) === 'nobody') {
      return [
        errorResult(
          'local sign-in is off, and nobody can sign in: no account is linked to the provider. Name an administrator who can sign in with a password on this machine',
          fix,
        ),
      ]
    }
    return [
      warningResult(
        'local sign-in is off, and nobody can sign in while the provider does not answer. Name an administrator who can then sign in with a password on this machine',
        fix,
      ),
    ]
  },
}
