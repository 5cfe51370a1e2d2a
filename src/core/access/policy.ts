import { createHash } from 'node:crypto'

/** What the account may see. Two equal rules are one policy. */
export type AccessRule = {
  /** UUIDs of the libraries; null: all, also those of later. An empty list: none. */
  libraryIds: readonly string[] | null
  /** Highest age of the content ratings in years, 0 to 21; null: no limit. */
  maxAge: number | null
  /** Whether films and series without a known rating pass the age limit. Music, photos and books without one always pass. */
  allowsUnrated: boolean
}

/** A stored rule. It never changes: a changed limit is another policy. */
export type AccessPolicy = { id: number; rule: AccessRule }

/** The rule of accounts without limits. */
export const EVERYTHING: AccessRule = { libraryIds: null, maxAge: null, allowsUnrated: false }

/** The highest age that a limit can have. */
export const MAX_AGE = 21

/** The one spelling of a rule: libraries in order and once, and nothing that has no effect. */
export function normalRule({ libraryIds, maxAge, allowsUnrated }: AccessRule): AccessRule {
  return {
    libraryIds: libraryIds === null ? null : [...new Set(libraryIds.map((id) => id.toLowerCase()))].toSorted(),
    maxAge,
    allowsUnrated: maxAge !== null && allowsUnrated,
  }
}

/** Whether a rule limits nothing. */
export function isUnlimited({ libraryIds, maxAge }: AccessRule): boolean {
  return libraryIds === null && maxAge === null
}

/** What both rules allow: common libraries, the lower age, and unrated items only if no rule hides them. */
export function intersectRules(one: AccessRule, other: AccessRule): AccessRule {
  return normalRule({
    libraryIds: intersectLibraries(one.libraryIds, other.libraryIds),
    maxAge: lowerAge(one.maxAge, other.maxAge),
    allowsUnrated: [one, other].every(({ maxAge, allowsUnrated }) => maxAge === null || allowsUnrated),
  })
}

function intersectLibraries(one: AccessRule['libraryIds'], other: AccessRule['libraryIds']): AccessRule['libraryIds'] {
  if (one === null || other === null) return one ?? other
  const wanted = new Set(other.map((id) => id.toLowerCase()))
  return one.filter((id) => wanted.has(id.toLowerCase()))
}

function lowerAge(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** SHA-256 of the text of a normal rule. */
export function fingerprintOf(rule: AccessRule): Buffer {
  const { libraryIds, maxAge, allowsUnrated } = normalRule(rule)
  return createHash('sha256')
    .update(JSON.stringify([libraryIds, maxAge, allowsUnrated]))
    .digest()
}
