import { isAllCapitals, hasUnusualCapitals } from './release-tags.ts'

/** Words that are an edition by themselves. */
const STANDALONE = new Set(
  `extended unrated uncensored remastered imax director directors fanedit theatrical despecialized colorized`.split(
    /\s+/,
  ),
)

/** Words that are an edition by themselves only in capitals, or after the year: `LiMiTED`, but The Darjeeling Limited. */
const STANDALONE_IN_CAPITALS = new Set('limited festival uncut restored'.split(' '))

/** Words that need one of the endings below: `Special Edition`, but A Common Title Special. */
const NEEDS_ENDING = new Set(
  `special ultimate collector collectors final anniversary criterion fan alternate alternative open integral deluxe diamond
  platinum superbit international signature original assembly redux limited festival uncut restored`.split(/\s+/),
)

const ENDINGS = new Set('cut edition version release edit collection matte'.split(' '))

const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/

export type TextSpan = { start: number; end: number }

/** The words of a text with their positions; every character except letters, digits and apostrophes is a separator. */
export function* wordsWithPositions(text: string): Generator<TextSpan & { word: string }> {
  for (const match of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
    yield { word: match[0], start: match.index, end: match.index + match[0].length }
  }
}

/** `folded`: in lower case, without apostrophes. */
type Word = TextSpan & { word: string; folded: string }

function foldedWordsOf(text: string): Word[] {
  return Array.from(wordsWithPositions(text), (place) => ({ ...place, folded: fold(place.word) }))
}

/**
 * The first sequence of edition words in a text, for example `Extended Directors Cut Fan Edit`. After the year (`isTail`) any one or two
 * words before `Edition` count too, and case is ignored.
 */
export function findEdition(text: string, isTail: boolean): TextSpan | undefined {
  const words = foldedWordsOf(text)
  const trustsCapitals = !isAllCapitals(text)
  for (let first = 0; first < words.length; first += 1) {
    const last =
      editionFirstEnd(words, first) ??
      runEnd(words, first, { isTail, trustsCapitals }) ??
      (isTail ? namedEditionEnd(words, first) : undefined)
    const start = words[first]?.start
    const end = words[last ?? -1]?.end
    if (start !== undefined && end !== undefined) return { start, end }
  }
  return undefined
}

/** Longer than any word of an edition. */
const ENDING_CHARACTERS = 100

/** Whether a text can end with an edition. A cheap check that excludes most names. */
export function mayEndInEdition(text: string): boolean {
  const [last, before] = foldedWordsOf(text.slice(-ENDING_CHARACTERS)).toReversed()
  // All remaining characters may be separators.
  if (last === undefined || before === undefined) return true
  if (before.folded === 'edition' && NEEDS_ENDING.has(last.folded)) return true
  return last.folded === 'dc' || [STANDALONE, STANDALONE_IN_CAPITALS, ENDINGS].some((words) => words.has(last.folded))
}

const MAX_WORDS = 10

type Reading = { isTail: boolean; trustsCapitals: boolean }

/** `Edition Collector`, the French word order. */
function editionFirstEnd(words: Word[], first: number): number | undefined {
  if (words[first]?.folded !== 'edition') return undefined
  return NEEDS_ENDING.has(words[first + 1]?.folded ?? '') ? first + 1 : undefined
}

/** The end of the sequence that begins at `first`, or undefined if its words are not an edition. */
function runEnd(words: Word[], first: number, reading: Reading): number | undefined {
  let last: number | undefined
  for (let at = first; at < Math.min(words.length, first + MAX_WORDS); at += 1) {
    const word = words[at]
    const role = word === undefined ? 'none' : roleOf(word, reading)
    if (role === 'none' || (role === 'ending' && at === first)) break
    if (role !== 'part') last = at
  }
  return last
}

/** The role of a word in a sequence: an edition by itself, the ending of one, or a part that needs an ending. */
function roleOf({ word, folded }: Word, { isTail, trustsCapitals }: Reading): 'alone' | 'ending' | 'part' | 'none' {
  if (STANDALONE.has(folded)) return 'alone'
  if (folded === 'dc') return (isTail || trustsCapitals) && hasUnusualCapitals(word) ? 'alone' : 'none'
  if (STANDALONE_IN_CAPITALS.has(folded) && (isTail || (trustsCapitals && hasUnusualCapitals(word)))) return 'alone'
  if (ENDINGS.has(folded)) return 'ending'
  return NEEDS_ENDING.has(folded) || ORDINAL.test(folded) ? 'part' : 'none'
}

/** `Ultimate Hunter Edition`, `Imperial Edition`: a free name. */
function namedEditionEnd(words: Word[], first: number): number | undefined {
  const name = words[first]?.folded ?? ''
  if (name === 'the' || /^\d+$/.test(name)) return undefined
  for (const last of [first + 1, first + 2]) {
    if (words[last]?.folded === 'edition') return last
  }
  return undefined
}

/** The display name of an edition: as written, but not in capitals; a director's cut gets its full name. */
export function editionName(text: string): string {
  return [...wordsWithPositions(text)]
    .map(({ word }) => {
      if (word === 'DC') return "Director's Cut"
      if (word.toLowerCase() === 'imax') return 'IMAX'
      return hasUnusualCapitals(word) && word !== 'FanEdit'
        ? word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
        : word
    })
    .join(' ')
    .replace(/\bDirector Cut\b/i, "Director's Cut")
}

function fold(word: string): string {
  const lower = word.toLowerCase()
  return /['’]/.test(lower) ? lower.replaceAll(/['’]/g, '') : lower
}
