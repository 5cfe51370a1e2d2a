import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { isIndexed } from '../search-words.ts'
import { literalPattern } from './conditions.ts'

/** More words than this in a list cost more to look for, item by item, than reading the trigrams of all names. */
const MAX_WORDS = 64

/** The entry in the index of words for what is too long for it; see the function `name_words` of the database. */
const TOO_LONG = '\u0001'

const Lists = z.strictObject({ lists: z.array(z.array(z.string()).nullable()) })

/**
 * For each of some words that are searched for, the whole words of names that hold it: a name that fits has one of each list, or a word
 * that is too long for the index. What too many words hold narrows nothing down and has no list.
 */
export async function selectWholeWords(connection: Connection, words: readonly string[]): Promise<string[][]> {
  const narrow = words.filter(isIndexed)
  if (narrow.length === 0) return []
  const lists = await connection.oneFirst(sql.type(Lists)`
    select json_build_array(${sql.join(narrow.map(holdersOf), sql.fragment`, `)}) as lists`)
  return lists
    .filter((list) => list !== null)
    .filter((list) => list.length <= MAX_WORDS)
    .map((list) => list.concat(TOO_LONG))
}

/** Folding can put a gap into a word: ½ becomes 1/2 with one before it. No word of a name holds a gap, though the name may. */
function holdersOf(word: string): FragmentSqlToken {
  return sql.fragment`
    case when search_fold(${word}) not like '% %' then array(
      select w.word from item_words w where w.word like '%' || ${literalPattern(word)} || '%' escape '!' limit ${MAX_WORDS + 1}) end`
}

const Place = z.strictObject({ lastId: z.number().nullable() })

/**
 * Removes the words that no item has, among so many after one of them. Answers the last one that was looked at; null when there are no more
 * of them, and while items are being written.
 */
export async function deleteUnusedWords(
  connection: Connection,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number | null> {
  return connection.oneFirst(sql.type(Place)`select forget_unused_words(${afterId}, ${limit}) as last_id`)
}
