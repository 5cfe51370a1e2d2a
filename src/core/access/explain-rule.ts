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
}

/** Why a rule hides an item. */
export type HidingReason = { code: 'library' | 'age' | 'unrated'; message: string }

/** Why a rule hides an item; empty if it does not. Pure. The views of limited accounts have the same conditions. */
export function explainRule(rule: AccessRule, { libraryId, type, accessAge, isUnrated }: AccessFacts): HidingReason[] {
  const { libraryIds, maxAge, allowsUnrated } = rule
  const reasons: HidingReason[] = []
  if (libraryIds !== null && !libraryIds.includes(libraryId)) {
    reasons.push({ code: 'library', message: 'its library is not among those of the limit' })
  }
  if (maxAge === null) return reasons
  if (accessAge !== null && accessAge > maxAge) {
    reasons.push({ code: 'age', message: `it is for age ${accessAge}, the limit is ${maxAge}` })
  }
  if (isUnrated && !allowsUnrated && RATED_TYPES.includes(type)) {
    reasons.push({ code: 'unrated', message: 'no known rating, and the limit hides such films and series' })
  }
  return reasons
}
