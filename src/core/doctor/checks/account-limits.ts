import { hasPolicyInUse } from '../../access/index.ts'
import { readApproval } from '../../accounts/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'

/** Whether somebody with limits can make an account without them. */
export const accountLimitsCheck: DoctorCheck = {
  id: 'limits',
  async runOnTables({ config, phlix }, { db }) {
    if (!(await hasPolicyInUse(db))) return okResult('no account has limits')
    const { isNeededForOthers } = await readApproval({ config, db })
    if (isNeededForOthers) return okResult('accounts have limits, and new accounts wait for an administrator')
    const options = config.options
    const isOpen = ['open', 'local'].includes(await readSetting({ config, db }, 'accounts.registration'))
    if (!isOpen && !options['auth.oidc.create_accounts'] && !options['auth.ldap.create_accounts']) {
      return okResult('accounts have limits, and nobody makes an account alone')
    }
    const text = 'accounts have limits, but who has them can make another account, which has none'
    return [warningResult(text, phlix('config:set accounts.approval_beside_limits true'))]
  },
}
