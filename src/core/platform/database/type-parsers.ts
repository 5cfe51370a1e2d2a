import type { DriverTypeParser } from 'slonik'

/** How PostgreSQL's text values are converted. Explicit, because the driver's defaults return BigInt and strings for some types. */
export const TYPE_PARSERS: readonly DriverTypeParser[] = [
  { name: 'int8', parse: parseSafeInteger },
  { name: 'numeric', parse: (text) => Number(text) },
  { name: 'timestamptz', parse: parseTime },
  { name: 'date', parse: (text) => text },
]

/** bigint columns hold counts, sizes and times. A value outside of the safe integers must fail instead of being rounded silently. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`)
  return value
}

/** A time outside of the range of Date (infinity, before Christ) must fail here instead of producing an Invalid Date. */
export function parseTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new RangeError(`${text} is not a time that JavaScript can hold`)
  return time
}
