import { createHash } from 'node:crypto'

/** What the account may see. Two equal rules are one policy. */
export type AccessRule = {
  /** UUIDs of the libraries; null: all, even libraries that are created later. An empty list: none. */
  libraryIds: readonly string[] | null
  /** Highest age of the content ratings in years, 0 to 21; null: no limit. */
  maxAge: number | null
  /** Whether films and series without a known rating pass the age limit. Music, photos and books without one always pass. */
  allowsUnrated: boolean
  /** Items with one of these tags are hidden, with their children and their extras, versions and parts. */
  blockedTags: readonly string[]
  /** From each of these lists, the item at the top needs a tag. Accounts have at most one list; an intersection of rules has those of both. */
  allowedTags: readonly (readonly string[])[]
}

/** A stored rule. It never changes: a changed limit is another policy. */
export type AccessPolicy = { id: number; rule: AccessRule }

/** The rule of accounts without limits. */
export const EVERYTHING: AccessRule = {
  libraryIds: null,
  maxAge: null,
  allowsUnrated: false,
  blockedTags: [],
  allowedTags: [],
}

/** The highest age that a limit can have. */
export const MAX_AGE = 21

/** The canonical form of a rule: libraries, tags and lists are sorted and unique, and parts without effect are left out. Tags must be folded. */
export function normalizeRule({ libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags }: AccessRule): AccessRule {
  const lists = allowedTags.filter((list) => list.length > 0).map(ordered)
  return {
    libraryIds: libraryIds === null ? null : ordered(libraryIds.map((id) => id.toLowerCase())),
    maxAge,
    allowsUnrated: maxAge !== null && allowsUnrated,
    blockedTags: ordered(blockedTags),
    allowedTags: ordered(lists.map((list) => JSON.stringify(list))).map((text) => JSON.parse(text) as string[]),
  }
}

/** The intersection of two rules: it shows only what both show. */
export function intersectRules(a: AccessRule, b: AccessRule): AccessRule {
  const [one, other] = [a, b].map(normalizeRule) as [AccessRule, AccessRule]
  const ages = [one.maxAge, other.maxAge].filter((age) => age !== null)
  return normalizeRule({
    libraryIds:
      one.libraryIds === null || other.libraryIds === null
        ? (one.libraryIds ?? other.libraryIds)
        : one.libraryIds.filter((id) => other.libraryIds?.includes(id)),
    maxAge: ages.length === 0 ? null : Math.min(...ages),
    // Without an age limit, a rule does not ask for a rating.
    allowsUnrated: [one, other].every(({ maxAge, allowsUnrated }) => maxAge === null || allowsUnrated),
    blockedTags: [...one.blockedTags, ...other.blockedTags],
    allowedTags: [...one.allowedTags, ...other.allowedTags],
  })
}

/** Whether a rule limits nothing. */
export function isUnlimited({ libraryIds, ...rule }: AccessRule): boolean {
  return libraryIds === null && !limitsItems(rule)
}

/** Whether a rule hides some items of a library that it shows. */
export function limitsItems({ maxAge, blockedTags, allowedTags }: Omit<AccessRule, 'libraryIds'>): boolean {
  return maxAge !== null || blockedTags.length > 0 || allowedTags.some((list) => list.length > 0)
}

/** SHA-256 of the JSON text of the normalized rule. */
export function computeRuleFingerprint(rule: AccessRule): Buffer {
  const { libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags } = normalizeRule(rule)
  const hasTags = blockedTags.length + allowedTags.length > 0
  return createHash('sha256')
    .update(JSON.stringify([libraryIds, maxAge, allowsUnrated, ...(hasTags ? [blockedTags, allowedTags] : [])]))
    .digest()
}

function ordered(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted()
}
