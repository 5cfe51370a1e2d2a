import { readAccessRule, type AccessRule } from '../access/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { profileErrors } from './errors.ts'
import type { Profile } from './profile.ts'

/** The ranks that clients use for an age limit, 0 to 12, with their ages. The order is that of `RATING_NAMES` of the catalogue. */
const RANKS: readonly { word: string; age: number | null }[] = [
  { word: 'G', age: 0 },
  { word: 'TV-Y', age: 0 },
  { word: 'TV-G', age: 0 },
  { word: 'TV-Y7', age: 7 },
  { word: 'PG', age: 10 },
  { word: 'TV-PG', age: 10 },
  { word: 'PG-13', age: 13 },
  { word: 'TV-14', age: 14 },
  { word: 'R', age: 17 },
  { word: 'TV-MA', age: 17 },
  { word: 'NC-17', age: 18 },
  { word: 'X', age: 18 },
  // No limit: titles without a rating are visible too.
  { word: 'UNRATED', age: null },
]

const NO_LIMIT = RANKS.length - 1

/**
 * Converts a rank to an age; null: no limit.
 * @throws AppError `profile.invalid` for a number that is no rank
 */
export function convertRankToAge(rank: number): number | null {
  const found = RANKS[rank]
  if (found === undefined) {
    throw profileErrors.profile_invalid({
      message: `a rating is a whole number from 0 to ${NO_LIMIT}`,
      details: { field: 'rating' },
    })
  }
  return found.age
}

/** Converts an age limit to the first rank of the highest age in the table that the limit allows, with the word of the rank. */
export function convertAgeToRank(maxAge: number | null): { rank: number; word: string } {
  const allowed = Math.max(...RANKS.flatMap(({ age }) => (age !== null && age <= (maxAge ?? -1) ? [age] : [])))
  const rank = maxAge === null ? NO_LIMIT : RANKS.findIndex(({ age }) => age === allowed)
  return { rank, word: RANKS[rank]?.word ?? 'G' }
}

/** The limits of a profile itself, with the rank and the word of its age. */
export type RankedLimits = AccessRule & { rank: number; word: string }

/** Reads the limits of a profile itself, without those of its account. */
export async function readProfileLimits(
  { db }: { db: Connection },
  { policyId }: Pick<Profile, 'policyId'>,
): Promise<RankedLimits> {
  const rule = await readAccessRule(db, policyId)
  return { ...rule, ...convertAgeToRank(rule.maxAge) }
}
