/** The days as clients name them, in the order of ISO 8601. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type Day = (typeof DAYS)[number]

/** Hours in which a profile may play. A schedule that ends at or before its start ends on the next day; its days are those of the start. */
export type Hours = {
  /** Minutes after midnight of the clock in the zone, 0 to 1439. */
  startMinute: number
  endMinute: number
  days: readonly Day[]
  /** A zone of the IANA database. */
  zone: string
}

const DAY_MINUTES = 24 * 60
const MINUTE_MILLISECONDS = 60_000
/** Clocks change at most at each quarter of an hour. */
const STEP_MINUTES = 15
const DAYS_AHEAD = 8

/** Whether one of the schedules includes a moment. Without schedules every moment is included. Pure. */
export function isWithinHours(schedules: readonly Hours[], now: Date): boolean {
  return schedules.length === 0 || schedules.some((hours) => includes(hours, clockOf(hours.zone)(now)))
}

/**
 * The next moment that a schedule includes, to the minute: now, if it does. Undefined if there is none within eight days, for example because no
 * schedule has a day. Hours that a change to daylight saving time skips are none. Pure.
 */
export function nextWithinHours(schedules: readonly Hours[], now: Date): Date | undefined {
  if (isWithinHours(schedules, now)) return now
  const start = Math.floor(now.getTime() / MINUTE_MILLISECONDS) + 1
  const found = schedules.flatMap((hours) => firstMinute(hours, start) ?? [])
  return found.length === 0 ? undefined : new Date(Math.min(...found) * MINUTE_MILLISECONDS)
}

/** The first minute since 1970, from `start` on, that a schedule includes. The zone is asked once for each quarter of an hour. */
function firstMinute(hours: Hours, start: number): number | undefined {
  const end = start + DAYS_AHEAD * DAY_MINUTES
  const readClock = clockOf(hours.zone)
  for (let minute = start; minute < end;) {
    const quarterEnd = (Math.floor(minute / STEP_MINUTES) + 1) * STEP_MINUTES
    const clock = readClock(new Date(minute * MINUTE_MILLISECONDS))
    for (let ahead = 0; minute + ahead < quarterEnd; ahead += 1) {
      if (includes(hours, later(clock, ahead))) return minute + ahead
    }
    minute = quarterEnd
  }
  return undefined
}

/** What a clock on the wall shows. */
type Clock = { day: number; minute: number }

function includes({ startMinute, endMinute, days }: Hours, { day, minute }: Clock): boolean {
  const hasDay = (index: number): boolean => days.includes(DAYS[(index + DAYS.length) % DAYS.length] as Day)
  if (startMinute < endMinute) return hasDay(day) && minute >= startMinute && minute < endMinute
  return (hasDay(day) && minute >= startMinute) || (hasDay(day - 1) && minute < endMinute)
}

function later({ day, minute }: Clock, ahead: number): Clock {
  const sum = minute + ahead
  return { day: (day + Math.floor(sum / DAY_MINUTES)) % DAYS.length, minute: sum % DAY_MINUTES }
}

/** A reader of the clock of a zone: to make one takes longer than to read it. */
function clockOf(zone: string): (now: Date) => Clock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (now) => {
    const parts = format.formatToParts(now)
    const text = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? ''
    return {
      day: DAYS.indexOf(text('weekday').toLowerCase() as Day),
      minute: Number(text('hour')) * 60 + Number(text('minute')),
    }
  }
}
