const MOST_WORDS = 8

/** Three letters or digits in a row, in any script: what an index of names needs. */
const INDEXED = /[\p{L}\p{N}]{3}/u

/**
 * What the name must hold, in any order, and whether an index can find it. Without any word that it can find, the search is looked for
 * as it stands.
 */
export function wordsOf(search: string): { words: string[]; isIndexed: boolean } {
  const phrase = phraseOf(search)
  const words = [...new Set(phrase.split(' '))].slice(0, MOST_WORDS)
  const hasIndexedWord = words.some((word) => INDEXED.test(word))
  return hasIndexedWord ? { words, isIndexed: true } : { words: [phrase], isIndexed: false }
}

/** One space between words, none around them. */
export function phraseOf(search: string): string {
  return search.split(/\s+/u).filter(Boolean).join(' ')
}
