/** A date in a name, with its position. */
export type DateMatch = { start: number; end: number; date: string }

const EDGE = String.raw`(?<![\p{L}\p{N}])`
const END = String.raw`(?!\d|[\p{L}])`
const SEPARATOR = String.raw`[ ./_-]`

/** `2018-11-14`, `2018_03_24`, `2011 04 18`, and day before month: `2012.16.02`. */
const YEAR_FIRST = new RegExp(String.raw`${EDGE}((?:19|20)\d\d)(${SEPARATOR})(\d{1,2})\2(\d{1,2})${END}`, 'giu')
/** `03-29-2012`, `30-04-2024`. */
const YEAR_LAST = new RegExp(String.raw`${EDGE}(\d{1,2})(${SEPARATOR})(\d{1,2})\2((?:19|20)\d\d)${END}`, 'giu')
/** `20201013` */
const SOLID = new RegExp(String.raw`${EDGE}((?:19|20)\d\d)(\d\d)(\d\d)(?=$|[^\p{L}\p{N}])`, 'giu')

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** `23rd Feb 2024`, `(16 November 2016)` */
const WORDS = new RegExp(
  String.raw`${EDGE}(\d{1,2})(?:st|nd|rd|th)?[ ._-]((?:${MONTHS.join('|')})[a-z]{0,6})[ ._-]((?:19|20)?\d\d)${END}`,
  'giu',
)

/** `May 22 2016`, `November 3rd, 2018` */
const MONTH_FIRST = new RegExp(
  String.raw`${EDGE}((?:${MONTHS.join('|')})[a-z]{0,6})[ ._-](\d{1,2})(?:st|nd|rd|th)?,?[ ._-]{1,2}((?:19|20)\d\d)${END}`,
  'giu',
)

/**
 * The air date of an episode, as ISO 8601, or undefined. An ambiguous date is read day first. An invalid calendar date (`2005.11.70`) is
 * ignored.
 */
export function findAirDate(text: string): DateMatch | undefined {
  return (
    firstDate(text, YEAR_FIRST, (match) => isoDate(match[1], match[3], match[4])) ??
    firstDate(text, YEAR_LAST, (match) => isoDate(match[4], match[3], match[1])) ??
    firstDate(text, SOLID, (match) => plainDate(match[1], match[2], match[3])) ??
    firstDate(text, WORDS, (match) => plainDate(fullYear(match[3]), monthOf(match[2]), match[1])) ??
    firstDate(text, MONTH_FIRST, (match) => plainDate(match[3], monthOf(match[1]), match[2]))
  )
}

/** `10-19-12`, `18.09.00`: month or day first, the year last. Spaces are not allowed as separators because they are ambiguous. */
const SHORT = /(?<![\p{L}\p{N}]|\d[-.])(\d\d)([-.])(\d\d)\2(\d\d)(?![\p{L}\p{N}]|[-.]\d)/gu
/** `140722`: year, month, day. */
const SHORT_SOLID = /(?<![\p{L}\p{N}]|\d[-.])(\d\d)(\d\d)(\d\d)(?![\p{L}\p{N}]|[-.]\d)/gu

/**
 * The date in six digits in a name, or undefined. It is accepted only if no other number can be the episode, and three numbers in a row
 * (`01-02-03`) are three episodes.
 * @param name with its dots
 */
export function findShortDate(name: string): DateMatch | undefined {
  const text = name.replaceAll('_', ' ')
  return (
    firstDate(text, SHORT, ([, first = '', , second = '', year = '']) => {
      const isRow = Number(second) === Number(first) + 1 && Number(year) === Number(second) + 1
      return isRow ? undefined : isoDate(fullYear(year), second, first)
    }) ?? firstDate(text, SHORT_SOLID, ([, year, month, day]) => plainDate(fullYear(year), month, day))
  )
}

type Reading = (match: RegExpExecArray) => string | undefined

function firstDate(text: string, pattern: RegExp, read: Reading): DateMatch | undefined {
  for (const match of text.matchAll(pattern)) {
    const date = read(match)
    if (date !== undefined) return { start: match.index, end: match.index + match[0].length, date }
  }
  return undefined
}

/** Month and day as given, or swapped if only that is a valid date. */
function isoDate(year?: string, month?: string, day?: string): string | undefined {
  return plainDate(year, month, day) ?? plainDate(year, day, month)
}

function plainDate(year?: string, month?: string, day?: string): string | undefined {
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const time = Date.parse(`${date}T00:00:00Z`)
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
  return isDay && Number(year) < 2040 ? date : undefined
}

function monthOf(word = ''): string {
  return String(MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1)
}

/** Expands a year of two digits to 1940…2039: television began before 1950. */
function fullYear(year = ''): string {
  if (year.length !== 2) return year
  return Number(year) < 40 ? `20${year}` : `19${year}`
}
