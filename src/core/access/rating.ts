import type { Connection } from '../platform/database/index.ts'
import { accessErrors } from './errors.ts'
import { MAX_AGE } from './policy.ts'
import { selectRatingAge } from './queries/policies.ts'

/**
 * The age in years of a limit that is given as an age (`12`) or as a content rating (`PG-13`, `FSK 16`, `DE:FSK 16`).
 * @param input.country two letters; its system has priority. A word that it does not have means the highest age of any system
 * @throws AppError `invalid_access` for an unknown word, or an age above 21
 */
export async function readAgeLimit(
  db: Connection,
  { text, country }: { text: string; country: string | null },
): Promise<number> {
  // PostgreSQL stores no NUL, and half a character is none.
  const isText = !text.includes('\0') && text.isWellFormed()
  const age = isText ? await selectRatingAge(db, { rating: text, country }) : null
  if (age === null) {
    throw accessErrors.invalid_access({
      message: `${JSON.stringify(text)} is neither an age from 0 to ${MAX_AGE} nor a known content rating`,
      hint: 'for example 12, PG-13, TV-14, "FSK 16", DE:16, "DE:FSK 16"',
    })
  }
  return age
}
