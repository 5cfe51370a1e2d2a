import type { Database } from '../../platform/database/index.ts'
import { deleteUnusedSearchWords } from '../queries/search-words.ts'

/** Number of words per statement. No item can be written while a statement runs. */
const WORDS_PER_STATEMENT = 2000

/**
 * Deletes unused words from the word index. Single unused words are harmless and stay if items are being written at the same time. The
 * unused words of a whole deleted library would slow down every search.
 */
export async function removeUnusedSearchWords({ db }: { db: Database }): Promise<void> {
  let afterId: number | null = 0
  while (afterId !== null) afterId = await deleteUnusedSearchWords(db, { afterId, limit: WORDS_PER_STATEMENT })
}
