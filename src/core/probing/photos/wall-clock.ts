/** A time on some wall: milliseconds since 1970 as if that wall stood in Greenwich. */
export type WallClock = number

/** Before the first photograph, and after any of today's: clocks that were never set. */
const FIRST_YEAR = 1826
const LAST_YEAR = 2100

const MINUTE = 60_000

/**
 * The wall clock of `2024:05:06 07:08:09` (EXIF) or `2024-05-06T07:08:09.5` (XMP) or `2024-05-06`; undefined for what no calendar has
 * (`0000:00:00`, 31 February), for years before 1826 and after 2100, and for other texts. Seconds may be missing.
 */
export function wallClockOf(value: unknown): WallClock | undefined {
  const text = typeof value === 'string' ? value.slice(0, 40).trim() : ''
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?(?![\d:])/.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, ...rest] = match.slice(1).map((part) => Number(part ?? 0))
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  // What the calendar or the clock lacks rolls over into something else.
  const isReal = isoOf(time) === [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  const isOnClock = hour <= 23 && minute <= 59 && second <= 59
  return isReal && isOnClock && year >= FIRST_YEAR && year <= LAST_YEAR ? time : undefined
}

function isoOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Minutes east of Greenwich of `+02:00`, `-0330` or `Z`, anywhere at the end of a text; undefined otherwise or beyond 15 hours. */
export function offsetMinutesOf(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.slice(0, 60).trim() : ''
  if (/(?:^|\d)Z$/.test(text)) return 0
  const match = /(?:^|T[\d:.]{1,20})([+-])(\d\d):?(\d\d)$/.exec(text)
  if (match === null) return undefined
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return minutes <= 15 * 60 && Number(match[3]) <= 59 ? (match[1] === '-' ? -minutes : minutes) : undefined
}

/** `2024-05-06T07:08:09`. */
export function writeWallClock(clock: WallClock): string {
  return new Date(clock).toISOString().slice(0, 19)
}

/**
 * Minutes by which a zone (`Europe/Berlin`) stood east of Greenwich when its walls showed this time. Where the clock was put back both
 * readings exist, the earlier counts; where it was put forward none does, the offset before counts. Independent of the process's zone.
 */
export function zoneOffsetMinutes(zone: string, clock: WallClock): number {
  const first = offsetAt(zone, clock)
  return offsetAt(zone, clock - first * MINUTE)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Minutes by which a zone stands east of Greenwich at an instant, in milliseconds since 1970. */
export function offsetAt(zone: string, instant: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return Math.round((shown - Math.floor(instant / 1000) * 1000) / MINUTE)
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
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
  formats.set(zone, format)
  return format
}
