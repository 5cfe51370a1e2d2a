import type { Database } from '../platform/database/index.ts'
import { deleteUnusedWords } from './queries/words.ts'

/** What one statement looks at, while no item can be written. */
const WORDS_PER_STATEMENT = 2000

/**
 * Removes words from the index of words that no item has any more. They do no harm and are left when items are being written at the same
 * time; but those of a whole library would be looked through with every search.
 */
export async function removeUnusedWords({ db }: { db: Database }): Promise<void> {
  let afterId: number | null = 0
  while (afterId !== null) afterId = await deleteUnusedWords(db, { afterId, limit: WORDS_PER_STATEMENT })
}
