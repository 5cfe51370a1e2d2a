import { explainRule, findAccessFacts, readAccessRule, type HidingReason } from '../access/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Profile } from './profile.ts'
import { selectProfile } from './queries.ts'

/** Why an item is hidden, and whose limit hides it. */
export type VisibilityReason = HidingReason & { of: 'account' | 'profile' }

/** Whether a profile sees an item; without reasons it does. Undefined if there is no such item. */
export async function explainVisibility(
  { db }: { db: Connection },
  { profile, itemId }: { profile: Profile; itemId: string },
): Promise<{ isVisible: boolean; reasons: VisibilityReason[] } | undefined> {
  const facts = await findAccessFacts(db, itemId)
  if (facts === undefined) return undefined
  const account = await selectProfile(db, { id: profile.accountId })
  const ofAccount = explainRule(await readAccessRule(db, account?.effectivePolicyId ?? null), facts)
  const ofProfile = explainRule(await readAccessRule(db, profile.policyId), facts)
  const reasons = [
    ...ofAccount.map(({ code, message }) => ({ code, message, of: 'account' as const })),
    ...ofProfile.map(({ code, message }) => ({ code, message, of: 'profile' as const })),
  ]
  return { isVisible: reasons.length === 0, reasons }
}
