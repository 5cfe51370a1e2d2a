import { plainWords } from './fold-title.ts'

/** Numbers of the release: they tell versions apart. */
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

/** Words of a name; digits that touch letters are no word: `x264`, `720p`, `v2`. */
function tokensOf(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/**
 * By which number each of several names is told from the others, where they would be versions of one thing but for a numbered run
 * (`Vol 1 - 01`, `Vol 2 - 01`): the word in which they differ is a number in at least two of them. Undefined for names without one, and
 * for all when there is no run. Numbers of the release do not count.
 */
export function runNumbers(names: readonly string[]): (number | undefined)[] {
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

/** What a version of an episode is called where a title could stand, beside the editions of films. */
const LABELS =
  /^(?:version ?\w{0,3}|aired|broadcast|original|uncensored|censored|uncut|cut|extended|unrated|remastered|restored|hd|sd|dvd|bd|tv|web|clean|dubbed|subbed|director.*|theatrical.*|alternate.*|.* (?:cut|version|edition))$/

/**
 * Words of a title by which two files of one number are told to hold the same episode, without labels at its end (`Pilot - Aired`); ''
 * when it says nothing of that.
 */
export function titleWords(title: string | null): string {
  const parts = (title ?? '').split(' - ').map(plainWords)
  while (LABELS.test(parts.at(-1) ?? '')) parts.pop()
  return parts.join(' ')
}
