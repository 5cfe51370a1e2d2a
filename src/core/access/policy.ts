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

/** SHA-256 of the text of a normal rule. */
export function fingerprintOf(rule: AccessRule): Buffer {
  const { libraryIds, maxAge, allowsUnrated } = normalRule(rule)
  return createHash('sha256')
    .update(JSON.stringify([libraryIds, maxAge, allowsUnrated]))
    .digest()
}
