import { normalizedTitleWords } from '../text/fold-title.ts'

/** Numbers of the release, which distinguish versions. */
const RELEASE_NUMBERS = new Set([
  '264',
  '265',
  '266',
  '360',
  '480',
  '540',
  '576',
  '720',
  '1080',
  '1440',
  '2160',
  '4320',
])

/** Words of a name; digits next to letters are no word: `x264`, `720p`, `v2`. */
function tokensOf(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/**
 * The number that distinguishes each of several names in a numbered run (`Vol 1 - 01`, `Vol 2 - 01`), which would otherwise be versions:
 * the word in which they differ is a number in at least two of them. Undefined for names without one, and for all if there is no run.
 * Numbers of the release are ignored.
 */
export function distinguishingNumbers(names: readonly string[]): (number | undefined)[] {
  const tokens = names.map(tokensOf)
  const shortest = Math.min(...tokens.map(({ length }) => length))
  let start = 0
  while (start < shortest && tokens.every((own) => own[start] === tokens[0]?.[start])) start += 1
  const numbers = tokens.map((own) => numberOf(own[start]))
  return new Set(numbers.filter((number) => number !== undefined)).size > 1 ? numbers : numbers.map(() => undefined)
}

function numberOf(word = ''): number | undefined {
  return /^\d{1,3}$/.test(word) && !RELEASE_NUMBERS.has(word) ? Number(word) : undefined
}

/** Labels of an episode version in the position of a title, in addition to the editions of films. */
const LABELS =
  /^(?:version ?\w{0,3}|aired|broadcast|original|uncensored|censored|uncut|cut|extended|unrated|remastered|restored|hd|sd|dvd|bd|tv|web|clean|dubbed|subbed|director.*|theatrical.*|alternate.*|.* (?:cut|version|edition))$/

/**
 * Words of a title for the comparison of two files with the same number, without labels at its end (`Pilot - Aired`); '' if there is no
 * title.
 */
export function comparableTitleWords(title: string | null): string {
  const parts = (title ?? '').split(' - ').map(normalizedTitleWords)
  while (LABELS.test(parts.at(-1) ?? '')) parts.pop()
  return parts.join(' ')
}
