import { combinePolicies } from '../access/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { lockAccountPolicy, selectProfiles, updateEffectivePolicy } from './queries.ts'

/**
 * Combines the limits of an account, which have changed, with those of each of its profiles. The main profile has those of the account.
 * Requires a transaction.
 */
export async function refreshPolicies(connection: Connection, accountId: string): Promise<void> {
  const account = await lockAccountPolicy(connection, accountId)
  if (account === undefined) return
  for (const { id, policyId, effectivePolicyId: before } of await selectProfiles(connection, accountId)) {
    const effectivePolicyId = await combinePolicies(connection, [account.policyId, policyId])
    if (effectivePolicyId !== before) await updateEffectivePolicy(connection, { id, effectivePolicyId })
  }
}
