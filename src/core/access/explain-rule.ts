import type { AccessRule } from './policy.ts'

/** The types whose items are hidden by an age limit if no rating is known, unless the rule allows them. */
export const RATED_TYPES: readonly string[] = ['movie', 'series', 'season', 'episode', 'video']

/** What a rule asks of an item. */
export type AccessFacts = {
  libraryId: string
  type: string
  /** The highest known age of the item and of all that it belongs to; null: none is known. */
  accessAge: number | null
  /** Whether the item at the top states no known age. */
  isUnrated: boolean
  /** Tags of rules that the item has, or something that it belongs to; null: none. */
  accessTags: readonly string[] | null
  /** Those of the item at the top; null: none. */
  accessTopTags: readonly string[] | null
}

/** Why a rule hides an item. */
export type HidingReason = { code: 'library' | 'age' | 'unrated' | 'blocked_tag' | 'allowed_tags'; message: string }

/** Why a rule hides an item; empty if it does not. Pure. The views of limited accounts have the same conditions. */
export function explainRule(rule: AccessRule, facts: AccessFacts): HidingReason[] {
  const { libraryId, type, accessAge, isUnrated } = facts
  const { libraryIds, maxAge, allowsUnrated } = rule
  const reasons: HidingReason[] = []
  if (libraryIds !== null && !libraryIds.includes(libraryId)) {
    reasons.push({ code: 'library', message: 'its library is not among those of the limit' })
  }
  reasons.push(...explainTags(rule, facts))
  if (maxAge === null) return reasons
  if (accessAge !== null && accessAge > maxAge) {
    reasons.push({ code: 'age', message: `it is for age ${accessAge}, the limit is ${maxAge}` })
  }
  if (isUnrated && !allowsUnrated && RATED_TYPES.includes(type)) {
    reasons.push({ code: 'unrated', message: 'no known rating, and the limit hides such films and series' })
  }
  return reasons
}

function explainTags(
  { blockedTags, allowedTags }: AccessRule,
  { accessTags, accessTopTags }: AccessFacts,
): HidingReason[] {
  const blocked = blockedTags.filter((tag) => accessTags?.includes(tag))
  const missing = allowedTags.filter((list) => list.length > 0 && !list.some((tag) => accessTopTags?.includes(tag)))
  return [
    ...blocked.map((tag) => ({ code: 'blocked_tag' as const, message: `the tag ${JSON.stringify(tag)} is blocked` })),
    ...missing.map((list) => ({
      code: 'allowed_tags' as const,
      message: `it has none of the tags ${list.join(', ')}`,
    })),
  ]
}
