import { cleanLine } from '../untrusted-values.ts'

/**
 * Returns the valid date at the beginning of a text, `2004-05-06` or `2004-05`; null otherwise (`0000-00-00`, `2004-02-31`, a year
 * alone).
 */
export function parseCalendarDate(value: unknown): string | null {
  const match = /^(\d{4})-(\d\d)(?:-(\d\d))?(?!\d)/.exec(cleanLine(value, 40) ?? '')
  if (match === null) return null
  const [whole, year, month, day] = match
  if (Number(year) === 0) return null
  const date = new Date(`${year}-${month}-${day ?? '01'}T00:00:00Z`)
  // An invalid day rolls over to the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(5, 7) === month ? whole : null
}
