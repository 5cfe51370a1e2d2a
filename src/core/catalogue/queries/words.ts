import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { isIndexed } from '../filter/search-words.ts'
import { literalPattern } from './conditions.ts'

/** Searching more words than this item by item costs more than the trigram index of all names. */
const MAX_WORDS = 64

/** The entry of the word index for names with words that are too long for the index; see the database function `name_words`. */
const TOO_LONG = '\u0001'

const Lists = z.strictObject({ lists: z.array(z.array(z.string()).nullable()) })

/**
 * For each search word, the whole words of names that contain it. A matching name has one word of each list, or a word that is too long
 * for the index. A search word that is contained in too many words does not narrow the search and has no list.
 */
export async function selectWholeWords(connection: Connection, words: readonly string[]): Promise<string[][]> {
  const narrow = words.filter(isIndexed)
  if (narrow.length === 0) return []
  const lists = await connection.oneFirst(sql.type(Lists)`
    select json_build_array(${sql.join(narrow.map(wordsContaining), sql.fragment`, `)}) as lists`)
  return lists
    .filter((list) => list !== null)
    .filter((list) => list.length <= MAX_WORDS)
    .map((list) => list.concat(TOO_LONG))
}

/** Folding can put a space into a word: ½ becomes 1/2 with a space before it. No indexed word contains a space, though the name may. */
function wordsContaining(word: string): FragmentSqlToken {
  return sql.fragment`
    case when search_fold(${word}) not like '% %' then array(
      select w.word from item_words w where w.word like '%' || ${literalPattern(word)} || '%' escape '!' limit ${MAX_WORDS + 1}) end`
}

const Place = z.strictObject({ lastId: z.number().nullable() })

/**
 * Deletes unused words from a block of words that starts after a given word. Returns the last word of the block. Null if there are no
 * more words, and while items are being written.
 */
export async function deleteUnusedWords(
  connection: Connection,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number | null> {
  return connection.oneFirst(sql.type(Place)`select forget_unused_words(${afterId}, ${limit}) as last_id`)
}
