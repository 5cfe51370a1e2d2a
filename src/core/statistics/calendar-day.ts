import { statisticsErrors } from './errors.ts'

const MILLISECONDS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}

const MONTHS: Readonly<Record<string, number>> = { month: 1, year: 12 }

const WORDS: Readonly<Record<string, number>> = { now: 0, today: 0, yesterday: -1, tomorrow: 1 }

/** `2026-01-31`, with or without a time; a time without an offset is in UTC. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/i

/** `-30 days`, `30 days ago`, `+1 week`. */
const SPAN = /^([+-]?)\s*(\d{1,6})\s*(second|minute|hour|day|week|month|year)s?(\s+ago)?$/i

/**
 * The day in UTC, such as `2026-01-31`, of a date or of a time relative to now.
 * @throws AppError `invalid_request` with `field`
 */
export function parseUtcDay(text: string, { field, now }: { field: string; now: Date }): string {
  const words = text.trim()
  const time = ofWord(words, now) ?? ofSpan(words, now) ?? ofDate(words)
  if (time !== undefined && isDay(time)) return utcDay(time)
  throw statisticsErrors.invalid_request({
    message: `${field} must be a date or a span such as -30 days`,
    details: { field },
  })
}

/** The day of a time in UTC. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** The day a number of days later. */
export function addDays(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) + days * 86_400_000))
}

function ofWord(text: string, now: Date): Date | undefined {
  const days = Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined
  return days === undefined ? undefined : new Date(now.getTime() + days * 86_400_000)
}

function ofSpan(text: string, now: Date): Date | undefined {
  const [, sign = '', digits = '', name = '', ago] = SPAN.exec(text) ?? []
  if (digits === '') return undefined
  const count = Number(digits) * (sign === '-' ? -1 : 1) * (ago === undefined ? 1 : -1)
  const unit = name.toLowerCase()
  const milliseconds = MILLISECONDS[unit]
  if (milliseconds !== undefined) return new Date(now.getTime() + count * milliseconds)
  return addMonths(now, count * (MONTHS[unit] ?? 0))
}

/** A month before 31 March is the last day of February. */
function addMonths(time: Date, months: number): Date {
  const first = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(time.getUTCDate(), lastDay))
  return first
}

function ofDate(text: string): Date | undefined {
  const [, day = '', clock = '00:00', offset = 'Z'] = DATE.exec(text) ?? []
  if (day === '') return undefined
  const time = new Date(`${day}T${clock}${offset.toUpperCase()}`)
  // `Date` would accept 30 February as 2 March.
  const isReal = utcDay(new Date(Date.parse(`${day}T00:00Z`) || 0)) === day
  return isReal ? time : undefined
}

/** Dates in the API have years of four digits. */
function isDay(time: Date): boolean {
  const year = time.getUTCFullYear()
  return !Number.isNaN(time.getTime()) && year >= 1 && year <= 9999
}
