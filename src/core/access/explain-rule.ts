import type { AccessRule } from './policy.ts'

/** The types whose items are hidden by an age limit if no rating is known, unless the rule allows them. */
export const RATED_TYPES: readonly string[] = ['movie', 'series', 'season', 'episode', 'video']

/** What a rule requires of an item. */
export type AccessFacts = {
  libraryId: string
  type: string
  /** The highest known age of the item and of all that it belongs to; null: none is known. */
  accessAge: number | null
  /** Whether the item at the top states no known age. */
  isUnrated: boolean
  /** Tags of rules that the item has, or something that it belongs to, and those of the item at the top. */
  tags: readonly string[]
  topTags: readonly string[]
}

/** Why a rule hides an item. */
export type HidingReason = { code: 'library' | 'age' | 'unrated' | 'tag'; message: string }

/** Why a rule hides an item; empty if it does not. Pure. The views of limited accounts have the same conditions. */
export function explainRule(rule: AccessRule, facts: AccessFacts): HidingReason[] {
  const { libraryIds } = rule
  const reasons: HidingReason[] = []
  if (libraryIds !== null && !libraryIds.includes(facts.libraryId)) {
    reasons.push({ code: 'library', message: 'its library is not among those of the limit' })
  }
  return [...reasons, ...explainAge(rule, facts), ...explainTags(rule, facts)]
}

function explainAge(
  { maxAge, allowsUnrated }: AccessRule,
  { type, accessAge, isUnrated }: AccessFacts,
): HidingReason[] {
  const reasons: HidingReason[] = []
  if (maxAge === null) return reasons
  if (accessAge !== null && accessAge > maxAge) {
    reasons.push({ code: 'age', message: `it is for age ${accessAge}, the limit is ${maxAge}` })
  }
  if (isUnrated && !allowsUnrated && RATED_TYPES.includes(type)) {
    reasons.push({ code: 'unrated', message: 'no known rating, and the limit hides such films and series' })
  }
  return reasons
}

function explainTags({ blockedTags, allowedTags }: AccessRule, { tags, topTags }: AccessFacts): HidingReason[] {
  const blocked = blockedTags.filter((tag) => tags.includes(tag))
  const missing = allowedTags.filter((list) => list.length > 0 && !list.some((tag) => topTags.includes(tag)))
  return [
    ...blocked.map((tag) => ({ code: 'tag' as const, message: `the tag “${tag}” is blocked` })),
    ...missing.map((list) => ({ code: 'tag' as const, message: `it has none of the tags ${list.join(', ')}` })),
  ]
}
