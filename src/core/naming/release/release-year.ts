import type { TextSpan } from './editions.ts'

export type YearMatch = TextSpan & {
  year: number
  /** `(2001)` and `[2001]`; or the end of a bracket, `(Alain Cavalier, 1967)`, whose span is then the whole bracket. */
  isEnclosed: boolean
}

/** The first films are from 1888; a number beyond the near future is a part of a title (Blade Runner 2049). */
const YEAR = /(?<![\p{L}\p{N}]|\d-)(?:18[89]\d|19\d\d|20[0-3]\d)(?![\p{L}\p{N}]|-\d)/gu

/** Colour spaces contain years: `BT.2020`, `Rec 2020`. */
const COLOURS = /(?<![\p{L}\p{N}])(?:bt|rec|itu-r)[ -]?$/iu

/** All numbers of a text that may be the year of a film, in their order. Dots and underscores must be spaces already. */
function yearsOf(text: string): YearMatch[] {
  const found = [...text.matchAll(YEAR)].filter(({ index }) => !COLOURS.test(text.slice(Math.max(index - 8, 0), index)))
  return found.map((match) => {
    const bracket = bracketAround(text, match.index)
    return {
      year: Number(match[0]),
      start: bracket?.start ?? match.index,
      end: bracket?.end ?? match.index + match[0].length,
      isEnclosed: bracket !== undefined,
    }
  })
}

/** The bracket that ends with a year: only spaces are between the year and the closing bracket. */
function bracketAround(text: string, at: number): TextSpan | undefined {
  let close = at + 4
  while (text[close] === ' ') close += 1
  if (text[close] !== ')' && text[close] !== ']') return undefined
  const start = Math.max(text.lastIndexOf('(', at), text.lastIndexOf('[', at))
  const isOpen = start !== -1 && !/[)\]]/.test(text.slice(start + 1, at))
  return isOpen ? { start, end: close + 1 } : undefined
}

/**
 * The year of the film among the years of a name, or undefined if they all belong to the title.
 * @param from where the title begins; @param tag where the first release tag begins
 */
export function chooseYear(text: string, from: number, tag: number): YearMatch | undefined {
  const years = yearsOf(text)
  const before = years.filter(({ start }) => start > from && start <= tag)
  const alone = ({ start, end }: YearMatch): boolean => end - start === 6
  return (
    years.find((match) => match.isEnclosed && alone(match) && match.start > from) ??
    before.findLast(({ isEnclosed }) => isEnclosed) ??
    before.at(-1) ??
    years.findLast(({ start }) => start > tag)
  )
}

/**
 * A year before the title: `(2000) Le follie dell'imperatore`, `1978 - Superman`, and `2009.some.title.dvdrip` of release groups. A
 * number at the start of an ordinary name is part of it (2001 A Space Odyssey), unless an article follows (2008 The Dark Knight, but 2010
 * The Year We Make Contact).
 */
export function leadingYear(text: string, isRelease: boolean): YearMatch | undefined {
  const [first, ...others] = yearsOf(text)
  if (first === undefined || first.start !== 0 || text.slice(first.end).trim() === '') return undefined
  if (first.isEnclosed || text.startsWith(' - ', first.end)) return first
  const isBeginning = /^ the (?!year )\S+ \S/i.test(text.slice(first.end))
  return (isRelease || isBeginning) && others.length === 0 ? first : undefined
}
