import { findRescueAccount, isLocalSignInOff } from '../../accounts/index.ts'
import type { Check } from '../doctor-context.ts'
import { ok, warning } from '../finding.ts'

/** Whether somebody can get in while local sign-in is off and the provider does not answer. */
export const rescueCheck: Check = {
  id: 'rescue',
  async runOnTables({ config, phlix }, { db }) {
    if (!(await isLocalSignInOff({ config, db }))) return ok('local sign-in is on')
    const account = await findRescueAccount({ db })
    if (account?.isAdmin === true && account.status === 'active') return ok(`${account.username} can sign in here`)
    const text = 'local sign-in is off, and no administrator could sign in while the provider does not answer'
    return [warning(text, phlix('user:rescue NAME'))]
  },
}
