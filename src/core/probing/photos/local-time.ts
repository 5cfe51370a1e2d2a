/** A local time without a zone: milliseconds since 1970 as if it were UTC. */
export type LocalTime = number

/** Plausible years; others come from clocks that were never set. */
const FIRST_YEAR = 1826
const LAST_YEAR = 2100

const MINUTE = 60_000

/**
 * Parses the local time of `2024:05:06 07:08:09` (EXIF), `2024-05-06T07:08:09.5` (XMP) or `2024-05-06`. Undefined for invalid dates
 * (`0000:00:00`, 31 February), for years before 1826 and after 2100, and for other texts. Seconds may be missing.
 */
export function parseLocalTime(value: unknown): LocalTime | undefined {
  const text = typeof value === 'string' ? value.slice(0, 40).trim() : ''
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?(?![\d:])/.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, ...rest] = match.slice(1).map((part) => Number(part ?? 0))
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  // Invalid dates and times roll over to other dates and times.
  const isReal = isoOf(time) === [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  const isOnClock = hour <= 23 && minute <= 59 && second <= 59
  return isReal && isOnClock && year >= FIRST_YEAR && year <= LAST_YEAR ? time : undefined
}

function isoOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/**
 * Parses the UTC offset in minutes (east positive) of `+02:00`, `-0330` or `Z` at the end of a text; undefined otherwise or beyond 15
 * hours.
 */
export function parseUtcOffset(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.slice(0, 60).trim() : ''
  if (/(?:^|\d)Z$/.test(text)) return 0
  const match = /(?:^|T[\d:.]{1,20})([+-])(\d\d):?(\d\d)$/.exec(text)
  if (match === null) return undefined
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return minutes <= 15 * 60 && Number(match[3]) <= 59 ? (match[1] === '-' ? -minutes : minutes) : undefined
}

/** Formats `2024-05-06T07:08:09`. */
export function formatLocalTime(clock: LocalTime): string {
  return new Date(clock).toISOString().slice(0, 19)
}

/** The UTC offsets in minutes of time zones (`Europe/Berlin`), independent of the zone of the process. */
export type ZoneOffsets = {
  /** The offset at an instant; `instant` is in milliseconds since 1970. */
  at(zone: string, instant: number): number
  /**
   * The offset at a local time. An ambiguous local time resolves to the earlier instant; a skipped one uses the offset before the change.
   */
  atLocal(zone: string, clock: LocalTime): number
}

/** Creates the offsets with a cache of the zones' formatters: creating one takes as long as reading the headers of a small picture. */
export function createZoneOffsets(): ZoneOffsets {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const at = (zone: string, instant: number): number => {
    const format = formats.get(zone) ?? formatOf(zone)
    formats.set(zone, format)
    return offsetAt(format, instant)
  }
  return { at, atLocal: (zone, clock) => at(zone, clock - at(zone, clock) * MINUTE) }
}

function offsetAt(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return Math.round((shown - Math.floor(instant / 1000) * 1000) / MINUTE)
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}
