import { isId, type Connection } from '../platform/database/index.ts'
import { accessErrors } from './errors.ts'
import {
  intersectRules,
  isUnlimited,
  MAX_AGE,
  normalRule,
  EVERYTHING,
  type AccessPolicy,
  type AccessRule,
} from './policy.ts'
import { selectFoldedTags, selectPolicies, selectSeenLibraryIds, upsertPolicy } from './queries/policies.ts'

/** Tags of a rule in all. */
const MAX_TAGS = 500
const MAX_TAG_LENGTH = 200

/**
 * The policy of a rule, after its check. Undefined for a rule without limits, which needs none.
 * @throws AppError `invalid_access` for an unknown library an age outside of 0 to 21, or a text that is no tag
 */
export async function policyFor(connection: Connection, rule: AccessRule): Promise<AccessPolicy | undefined> {
  const { libraryIds, maxAge } = rule
  if (maxAge !== null && !(Number.isInteger(maxAge) && maxAge >= 0 && maxAge <= MAX_AGE)) {
    throw accessErrors.invalid_access({ message: `an age limit is a whole number from 0 to ${MAX_AGE}` })
  }
  const malformed = libraryIds?.find((id) => !isId(id))
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
  if (folded.blockedTags.length + folded.allowedTags.flat().length > MAX_TAGS) {
    throw accessErrors.invalid_access({ message: `limits have at most ${MAX_TAGS} tags` })
  }
  return upsertPolicy(connection, normalRule(folded))
}

/**
 * Tags as they are compared: without regard to case, accents and spaces.
 * @throws AppError `invalid_access` for a text that is no tag
 */
async function foldTags(connection: Connection, tags: readonly string[]): Promise<string[]> {
  const wrong = tags.find((tag) => tag.length > MAX_TAG_LENGTH || tag.includes('\0') || !tag.isWellFormed())
  if (wrong !== undefined) throw notTag(wrong.slice(0, MAX_TAG_LENGTH))
  if (tags.length > MAX_TAGS) throw accessErrors.invalid_access({ message: `limits have at most ${MAX_TAGS} tags` })
  const folded = await selectFoldedTags(connection, tags)
  return folded.map((tag, index) => {
    if (tag === null) throw notTag(tags[index] ?? '')
    return tag
  })
}

function notTag(text: string) {
  return accessErrors.invalid_access({
    message: `${JSON.stringify(text)} is no tag: it has 1 to ${MAX_TAG_LENGTH} characters`,
  })
}

/** The policy of two stored policies together. Null: nothing is hidden. Libraries that were deleted since stay in the rule. */
export async function combinePolicies(
  connection: Connection,
  [one, other]: readonly [number | null, number | null],
): Promise<number | null> {
  if (one === null || other === null || one === other) return one ?? other
  const rule = intersectRules(await ruleOf(connection, one), await ruleOf(connection, other))
  return (await upsertPolicy(connection, rule)).id
}

/** A rule without the libraries that have been deleted since. A list that becomes empty stays a list: nothing is visible. */
export async function withoutDeletedLibraries(connection: Connection, rule: AccessRule): Promise<AccessRule> {
  if (rule.libraryIds === null) return rule
  const known = await selectSeenLibraryIds(connection, rule.libraryIds)
  return { ...rule, libraryIds: rule.libraryIds.filter((id) => known.has(id)) }
}

function unknownLibrary(id: string) {
  return accessErrors.invalid_access({
    message: `no library has the id ${JSON.stringify(id)}`,
    hint: 'phlix library:list shows the ids',
  })
}

/** The rule of a stored policy; `EVERYTHING` without one. */
export async function ruleOf(connection: Connection, policyId: number | null): Promise<AccessRule> {
  if (policyId === null) return EVERYTHING
  const rule = (await selectPolicies(connection, [policyId])).get(policyId)?.rule
  if (rule === undefined) throw new Error(`the policy ${policyId} of an account is missing`)
  return rule
}
