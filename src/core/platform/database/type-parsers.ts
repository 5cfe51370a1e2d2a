import type { DriverTypeParser } from 'slonik'

/** How PostgreSQL's texts become values. Set openly: the driver's defaults give BigInt and strings where nobody expects them. */
export const TYPE_PARSERS: readonly DriverTypeParser[] = [
  { name: 'int8', parse: parseSafeInteger },
  { name: 'numeric', parse: (text) => Number(text) },
  { name: 'timestamptz', parse: parseTime },
  { name: 'date', parse: (text) => text },
]

/** bigint columns hold counts, sizes and times; one that JavaScript cannot hold exactly must not be rounded in silence. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`)
  return value
}

/** Times that no Date holds (infinity, before Christ) must not become an Invalid Date that fails far away. */
export function parseTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new RangeError(`${text} is not a time that JavaScript can hold`)
  return time
}
