const MAX_WORDS = 8

/** Three letters or digits in a row, in any script: the minimum that a trigram index needs to find a part of a name. */
const INDEXED = /[\p{L}\p{N}]{3}/u

/** Short words, which are searched at the beginnings of words. */
const SHORT_WORD = /^[\p{L}\p{N}]{1,2}$/u

/** Scripts without spaces between words, where a word can begin at any character. */
const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * What a name must contain. `parts`: each word anywhere, in any order. `beginnings`: each short word at the beginning of a word.
 * `phrase`: the text as it is, for a search with neither.
 */
export type SearchWords = { match: 'parts' | 'beginnings' | 'phrase'; words: string[] }

/** Whether a trigram index can find names that contain this word. */
export function isTrigramSearchable(word: string): boolean {
  return INDEXED.test(word)
}

/** Chooses how the words of a search are matched. */
export function chooseSearchWords(search: string): SearchWords {
  const phrase = searchPhrase(search)
  const words = [...new Set(phrase.split(' '))].slice(0, MAX_WORDS)
  if (words.some(isTrigramSearchable)) return { match: 'parts', words }
  if (words.every((word) => SHORT_WORD.test(word) && !UNSPACED_SCRIPTS.test(word)))
    return { match: 'beginnings', words }
  return { match: 'phrase', words: [phrase] }
}

/** The search text with one space between words and none around them. */
export function searchPhrase(search: string): string {
  return search.split(/\s+/u).filter(Boolean).join(' ')
}
