import { hasPolicyInUse } from '../access/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { readSetting } from '../platform/settings/index.ts'

/** Which new accounts wait for an administrator. */
export type Approval = {
  /** Accounts of people with an invite. */
  isNeededForInvited: boolean
  /** Accounts that people register themselves, or get at their first sign-in at a provider. */
  isNeededForOthers: boolean
}

/**
 * Reads which new accounts wait for an administrator. As soon as one profile has limits, accounts without an invite wait too. Otherwise a
 * limited person could make an account that sees everything.
 */
export async function readApproval(needs: { config: Config; db: Connection }): Promise<Approval> {
  if (await readSetting(needs, 'accounts.approval')) return { isNeededForInvited: true, isNeededForOthers: true }
  const isAsked = await readSetting(needs, 'accounts.approval_beside_limits')
  return { isNeededForInvited: false, isNeededForOthers: isAsked && (await hasPolicyInUse(needs.db)) }
}
