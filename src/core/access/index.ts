export { explainRule, type AccessFacts, type HidingReason } from './explain-rule.ts'
export { accessErrors } from './errors.ts'
export { createLimitedConnections } from './limited-connections.ts'
export { deleteUnusedAccess, ensureItemsCarryTags, requireVisibleLibrariesAndTags } from './rule-tags.ts'
export { openLimitedPool } from './open-limited-pool.ts'
export { EVERYTHING, intersectRules, isUnlimited, type AccessPolicy, type AccessRule } from './policy.ts'
export {
  selectAccessFacts as findAccessFacts,
  hasPolicyInUse,
  selectLibraryIdsNamed as findLibraryIds,
  selectPoliciesInUse as findPoliciesInUse,
  selectPolicyIdsOf as findPolicyIdsOf,
  selectSeenItemIds as seenItemIds,
  selectSeenLibraryIds as seenLibraryIds,
} from './queries/policies.ts'
export { readAgeLimit } from './rating.ts'
export { combinePolicies, checkAndStoreRule, readAccessRule, withoutDeletedLibraries } from './set-access.ts'
