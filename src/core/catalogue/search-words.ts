const MAX_WORDS = 8

/** Three letters or digits in a row, in any script: what an index of names needs to find a part of a name. */
const INDEXED = /[\p{L}\p{N}]{3}/u

/** What is also looked for where a word begins. */
const BEGINNING = /^[\p{L}\p{N}]{1,2}$/u

/** Scripts that are written without gaps, where a word begins anywhere. */
const WITHOUT_GAPS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * What a name must hold: each word as a part of it, in any order; where only short words are searched for, those as they stand, or each as
 * the beginning of a word; and what consists of neither as it stands.
 */
export type SearchWords = { match: 'parts' | 'beginnings' | 'phrase'; words: string[] }

/** Whether an index can find what holds this word. */
export function isIndexed(word: string): boolean {
  return INDEXED.test(word)
}

/** How the words of a search are looked for. */
export function wordsOf(search: string): SearchWords {
  const phrase = phraseOf(search)
  const words = [...new Set(phrase.split(' '))].slice(0, MAX_WORDS)
  if (words.some(isIndexed)) return { match: 'parts', words }
  if (words.every((word) => BEGINNING.test(word) && !WITHOUT_GAPS.test(word))) return { match: 'beginnings', words }
  return { match: 'phrase', words: [phrase] }
}

/** One space between words, none around them. */
export function phraseOf(search: string): string {
  return search.split(/\s+/u).filter(Boolean).join(' ')
}
