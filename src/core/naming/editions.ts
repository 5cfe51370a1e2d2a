import { isShouting, isSpelledLoudly } from './release-tags.ts'

/** Words that name an edition by themselves. */
const ALONE = new Set(
  `extended unrated uncensored remastered imax director directors fanedit theatrical despecialized colorized`.split(
    /\s+/,
  ),
)

/** Words that name an edition by themselves only in capitals, or after the year: `LiMiTED`, but The Darjeeling Limited. */
const ALONE_LOUD = new Set('limited festival uncut restored'.split(' '))

/** Words that need one of the endings below: `Special Edition`, but A Common Title Special. */
const NEEDS_ENDING = new Set(
  `special ultimate collector collectors final anniversary criterion fan alternate alternative open integral deluxe diamond
  platinum superbit international signature original assembly redux limited festival uncut restored`.split(/\s+/),
)

const ENDINGS = new Set('cut edition version release edit collection matte'.split(' '))

const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/

export type Span = { start: number; end: number }

/** Words of a text with their places; anything but letters, digits and apostrophes separates. */
export function* wordsOf(text: string): Generator<Span & { word: string }> {
  for (const match of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
    yield { word: match[0], start: match.index, end: match.index + match[0].length }
  }
}

/** `folded`: in small letters, without apostrophes. */
type Word = Span & { word: string; folded: string }

function foldedWordsOf(text: string): Word[] {
  return Array.from(wordsOf(text), (place) => ({ ...place, folded: fold(place.word) }))
}

/**
 * The first run of edition words in a text, for example `Extended Directors Cut Fan Edit`. After the year (`isTail`) any one or
 * two words before `Edition` count too, and capitals do not matter.
 */
export function findEdition(text: string, isTail: boolean): Span | undefined {
  const words = foldedWordsOf(text)
  const trustsCapitals = !isShouting(text)
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

/** No word of an edition is nearly as long. */
const ENDING_CHARACTERS = 100

/** Whether an edition may stand at the end of a text: most names end otherwise, and need not be looked through. */
export function mayEndInEdition(text: string): boolean {
  const [last, before] = foldedWordsOf(text.slice(-ENDING_CHARACTERS)).toReversed()
  // All the rest may be separators.
  if (last === undefined || before === undefined) return true
  if (before.folded === 'edition' && NEEDS_ENDING.has(last.folded)) return true
  return last.folded === 'dc' || [ALONE, ALONE_LOUD, ENDINGS].some((words) => words.has(last.folded))
}

const MAX_WORDS = 10

type Reading = { isTail: boolean; trustsCapitals: boolean }

/** `Edition Collector`, as in French. */
function editionFirstEnd(words: Word[], first: number): number | undefined {
  if (words[first]?.folded !== 'edition') return undefined
  return NEEDS_ENDING.has(words[first + 1]?.folded ?? '') ? first + 1 : undefined
}

/** Where a run that begins at `first` ends, or undefined when its words do not make an edition. */
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

/** What a word can be in a run: an edition by itself, the ending of one, or a part that still needs an ending. */
function roleOf({ word, folded }: Word, { isTail, trustsCapitals }: Reading): 'alone' | 'ending' | 'part' | 'none' {
  if (ALONE.has(folded)) return 'alone'
  if (folded === 'dc') return (isTail || trustsCapitals) && isSpelledLoudly(word) ? 'alone' : 'none'
  if (ALONE_LOUD.has(folded) && (isTail || (trustsCapitals && isSpelledLoudly(word)))) return 'alone'
  if (ENDINGS.has(folded)) return 'ending'
  return NEEDS_ENDING.has(folded) || ORDINAL.test(folded) ? 'part' : 'none'
}

/** `Ultimate Hunter Edition`, `Imperial Edition`: whatever its maker called it. */
function namedEditionEnd(words: Word[], first: number): number | undefined {
  const name = words[first]?.folded ?? ''
  if (name === 'the' || /^\d+$/.test(name)) return undefined
  for (const last of [first + 1, first + 2]) {
    if (words[last]?.folded === 'edition') return last
  }
  return undefined
}

/** What an edition is called: as written, without shouting, and a director's cut by its full name. */
export function editionName(text: string): string {
  return [...wordsOf(text)]
    .map(({ word }) => {
      if (word === 'DC') return "Director's Cut"
      if (word.toLowerCase() === 'imax') return 'IMAX'
      return isSpelledLoudly(word) && word !== 'FanEdit'
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
