import { isRowId, type Connection } from '../platform/database/index.ts'
import { accessErrors } from './errors.ts'
import { foldTags, unknownLibrary } from './rule-tags.ts'
import {
  intersectRules,
  isUnlimited,
  MAX_AGE,
  normalizeRule,
  EVERYTHING,
  type AccessPolicy,
  type AccessRule,
} from './policy.ts'
import { selectPolicies, selectSeenLibraryIds, upsertPolicy } from './queries/policies.ts'

/**
 * Checks a rule and stores it as a policy. Undefined for a rule without limits, which needs none. The caller calls `ensureItemsCarryTags` first.
 * @throws AppError `invalid_access` for an unknown library, an age outside of 0 to 21, or a text that is no tag
 */
export async function checkAndStoreRule(connection: Connection, rule: AccessRule): Promise<AccessPolicy | undefined> {
  const { libraryIds, maxAge } = rule
  if (maxAge !== null && !(Number.isInteger(maxAge) && maxAge >= 0 && maxAge <= MAX_AGE)) {
    throw accessErrors.invalid_access({ message: `an age limit is a whole number from 0 to ${MAX_AGE}` })
  }
  const malformed = libraryIds?.find((id) => !isRowId(id))
  if (malformed !== undefined) throw unknownLibrary(malformed)
  const known = await selectSeenLibraryIds(connection, libraryIds ?? [])
  const unknown = libraryIds?.find((id) => !known.has(id.toLowerCase()))
  if (unknown !== undefined) throw unknownLibrary(unknown)
  if (isUnlimited(rule)) return undefined
  const folded = {
    ...rule,
    blockedTags: await foldTags(connection, rule.blockedTags),
    allowedTags: await Promise.all(rule.allowedTags.map((list) => foldTags(connection, list))),
  }
  return upsertPolicy(connection, normalizeRule(folded))
}

/** Stores the intersection of two stored policies. Null: nothing is hidden. Libraries that were deleted since stay in the rule. */
export async function combinePolicies(
  connection: Connection,
  [one, other]: readonly [number | null, number | null],
): Promise<number | null> {
  if (one === null || other === null || one === other) return one ?? other
  const rule = intersectRules(await readAccessRule(connection, one), await readAccessRule(connection, other))
  return (await upsertPolicy(connection, rule)).id
}

/** A rule without the libraries that have been deleted since. A list that becomes empty stays a list: nothing is visible. */
export async function withoutDeletedLibraries(connection: Connection, rule: AccessRule): Promise<AccessRule> {
  if (rule.libraryIds === null) return rule
  const known = await selectSeenLibraryIds(connection, rule.libraryIds)
  return { ...rule, libraryIds: rule.libraryIds.filter((id) => known.has(id)) }
}

/** Reads the rule of a stored policy; `EVERYTHING` without one. */
export async function readAccessRule(connection: Connection, policyId: number | null): Promise<AccessRule> {
  if (policyId === null) return EVERYTHING
  const rule = (await selectPolicies(connection, [policyId])).get(policyId)?.rule
  if (rule === undefined) throw new Error(`the policy ${policyId} of an account is missing`)
  return rule
}
