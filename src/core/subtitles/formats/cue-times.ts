const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Longer than any recording; larger values indicate damaged data. */
const MAX_HOURS = 24 * 366

/** A timing line: two timestamps, an arrow, and optional settings. */
const TIMING = /^[ \t]{0,20}(-?[\d:.,]{4,20})[ \t]{0,20}-->[ \t]{0,20}(-?[\d:.,]{4,20})(?:[ \t](.{0,500}))?$/

export type CueTiming = { startMilliseconds: number; endMilliseconds: number; settings: string }

/** Parses a timing line of SubRip or WebVTT. Returns undefined for any other line and for invalid timestamps. */
export function parseTiming(line: string): CueTiming | undefined {
  const match = TIMING.exec(line)
  if (match === null) return undefined
  const [, start = '', end = '', settings = ''] = match
  const startMilliseconds = parseCueTime(start)
  const endMilliseconds = parseCueTime(end)
  if (startMilliseconds === undefined || endMilliseconds === undefined) return undefined
  return { startMilliseconds, endMilliseconds, settings: settings.trim() }
}

/**
 * Parses `1:02:03,456`, `02:03.4` or `0:01:02.50` to milliseconds. The digits after the last separator are a decimal fraction, in SubRip
 * even after a colon. Hours are accepted up to a year.
 */
export function parseCueTime(text: string): number | undefined {
  const [whole = '', fraction = ''] = splitFraction(text.replace(/^-/, ''))
  if (!CLOCK.test(whole) || !/^\d{0,6}$/.test(fraction)) return undefined
  const [seconds = 0, minutes = 0, hours = 0] = whole.split(':').map(Number).toReversed()
  if (seconds >= 60 || minutes >= 60 || hours > MAX_HOURS) return undefined
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const time = hours * HOUR + minutes * MINUTE + seconds * SECOND + milliseconds
  return text.startsWith('-') ? -time : time
}

/** `[hours:]minutes:seconds` */
const CLOCK = /^(?:\d{1,6}:)?\d{1,2}:\d{1,2}$/

function splitFraction(text: string): string[] {
  const parts = text.split(':')
  return parts.length === 4 ? [parts.slice(0, 3).join(':'), parts[3] ?? ''] : text.split(/[.,]/, 2)
}

/** Formats a WebVTT timestamp with at least two digits of hours (W3C WebVTT, 4.1). */
export function formatCueTime(milliseconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const rest = milliseconds % HOUR
  const fraction = String(milliseconds % SECOND).padStart(3, '0')
  return `${two(milliseconds / HOUR)}:${two(rest / MINUTE)}:${two((rest % MINUTE) / SECOND)}.${fraction}`
}
