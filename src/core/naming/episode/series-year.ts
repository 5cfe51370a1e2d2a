import { hasLetterOrDigit } from '../text/name-text.ts'

const AT_END = /(?:[([](\d{4})(?:-(?:\d{4})?)?[)\]]|(?<=[ .])(\d{4}))$/

/**
 * Splits the year from the end of a series name: `Archer (2009)`, `Undateable 2014`, `Lucky Luke (1983-1992)`. A name that is only a number
 * keeps it (`1923`), and so does a name whose number is not a year (`Blake 7000`).
 */
export function splitSeriesYear(name: string): { name: string; year: number | null } {
  const match = AT_END.exec(name)
  const year = Number(match?.[1] ?? match?.[2])
  const rest = match === null ? '' : name.slice(0, match.index)
  if (!(year >= 1900 && year < 2040) || !hasLetterOrDigit(rest)) return { name, year: null }
  return { name: rest.replace(/(?<![ .-])[ .-]+$/, ''), year }
}
