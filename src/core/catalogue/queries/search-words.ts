import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { isTrigramSearchable } from '../filter/search-words.ts'
import { escapeLikePattern } from './conditions.ts'

/**
 * Maximum number of indexed words for one search word. Looking up more of them costs more than a search in the trigram index of all
 * names.
 */
const MAX_WHOLE_WORDS = 64

/** What the word index stores instead of a word that is too long for it; see the database function `name_words`. */
const TOO_LONG = '\u0001'

const WholeWordsRow = z.strictObject({ lists: z.array(z.array(z.string()).nullable()) })

/**
 * For each search word, the indexed words that contain it. A matching name has a word of each list, or a word that is too long for the
 * index. A search word that occurs in too many indexed words has no list, because it does not narrow the search.
 */
export async function selectWholeWords(connection: Connection, words: readonly string[]): Promise<string[][]> {
  const indexableWords = words.filter(isTrigramSearchable)
  if (indexableWords.length === 0) return []
  const lists = await connection.oneFirst(sql.type(WholeWordsRow)`
    select json_build_array(${sql.join(indexableWords.map(wordsContaining), sql.fragment`, `)}) as lists`)
  return lists
    .filter((list) => list !== null)
    .filter((list) => list.length <= MAX_WHOLE_WORDS)
    .map((list) => list.concat(TOO_LONG))
}

/**
 * Null for a word that folding splits (`a½` becomes `a 1/2`): no indexed word contains a space, so the list would exclude names that
 * match.
 */
function wordsContaining(word: string): FragmentSqlToken {
  return sql.fragment`
    case when search_fold(${word}) not like '% %' then array(
      select w.word from item_words w where w.word like '%' || ${escapeLikePattern(word)} || '%' escape '!' limit ${MAX_WHOLE_WORDS + 1}) end`
}

const LastIdRow = z.strictObject({ lastId: z.number().nullable() })

/**
 * Deletes the unused words among the next `limit` words after `afterId`.
 * @returns the id of the last word that was checked; null after the last word, and while items are being written
 */
export async function deleteUnusedSearchWords(
  connection: Connection,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number | null> {
  return connection.oneFirst(sql.type(LastIdRow)`select forget_unused_words(${afterId}, ${limit}) as last_id`)
}
