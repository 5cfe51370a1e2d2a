export { accessErrors } from './errors.ts'
export { createLimitedConnections } from './limited-connections.ts'
export { openLimitedPool } from './open-limited-pool.ts'
export { EVERYTHING, intersectRules, isUnlimited, type AccessPolicy, type AccessRule } from './policy.ts'
export {
  hasPolicyInUse,
  selectLibraryIdsNamed as findLibraryIds,
  selectPoliciesInUse as findPoliciesInUse,
  selectPolicyIdsOf as findPolicyIdsOf,
  selectSeenItemIds as seenItemIds,
  selectSeenLibraryIds as seenLibraryIds,
} from './queries/policies.ts'
export { readAgeLimit } from './rating.ts'
export { policyFor, ruleOf, withoutDeletedLibraries } from './set-access.ts'
