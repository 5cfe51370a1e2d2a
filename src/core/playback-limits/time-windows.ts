/** The days as clients name them, in the order of ISO 8601. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type Day = (typeof DAYS)[number]

/**
 * A weekly time window in which a profile may play. If the end is at or before the start, it is on the next day; the days are those of the
 * start.
 */
export type TimeWindow = {
  /** Minutes after midnight of the clock in the zone, 0 to 1439. */
  startMinute: number
  endMinute: number
  days: readonly Day[]
  /** A zone of the IANA database. */
  zone: string
}

/** When something may be played. */
export type AllowedTimes = {
  includes(now: Date): boolean
  /**
   * The next moment that is included, to the minute: now, if it is. Undefined if there is none within eight days, for example because no
   * schedule has a day. Minutes that a change to daylight saving time skips are not included.
   */
  next(now: Date): Date | undefined
}

/** Minutes since 1970, from the first to before the last. */
type Span = { from: number; to: number }

const DAY_MINUTES = 24 * 60
const MINUTE_MILLISECONDS = 60_000
const DAYS_AHEAD = 8
/** 1970-01-01 was a Thursday. */
const DAY_OF_EPOCH = DAYS.indexOf('thu')

/**
 * Creates the times at which every list has a schedule that includes them; an empty list includes every time. Players need the result at each
 * request, and reading the clock of a zone is slow. The result is therefore computed for several days at once, about once a day.
 */
export function createAllowedTimes(lists: readonly (readonly TimeWindow[])[]): AllowedTimes {
  const limiting = lists.filter((list) => list.length > 0)
  let known: { start: number; spans: readonly Span[] } | undefined

  function spansAt(minute: number): readonly Span[] {
    if (known === undefined || minute < known.start || minute >= known.start + DAY_MINUTES) {
      // One more day because the result is used for a day, and one for the current minute.
      const window = { from: minute, to: minute + (DAYS_AHEAD + 2) * DAY_MINUTES }
      known = { start: minute, spans: limiting.map((list) => spansOf(list, window)).reduce(intersect, [window]) }
    }
    return known.spans
  }

  function includes(now: Date): boolean {
    const minute = minuteOf(now)
    return limiting.length === 0 || spansAt(minute).some(({ from, to }) => from <= minute && minute < to)
  }

  return {
    includes,
    next(now) {
      if (includes(now)) return now
      const start = minuteOf(now) + 1
      const span = spansAt(minuteOf(now)).find(({ to }) => to > start)
      const found = span === undefined ? Infinity : Math.max(span.from, start)
      return found < start + DAYS_AHEAD * DAY_MINUTES ? new Date(found * MINUTE_MILLISECONDS) : undefined
    },
  }
}

function minuteOf(now: Date): number {
  return Math.floor(now.getTime() / MINUTE_MILLISECONDS)
}

/** The times that at least one schedule includes, in order; adjacent times are merged. */
function spansOf(schedules: readonly TimeWindow[], window: Span): Span[] {
  const ofZones = Map.groupBy(
    schedules.filter(({ days }) => days.length > 0),
    ({ zone }) => zone,
  )
  const spans = [...ofZones].flatMap(([zone, hours]) =>
    stretchesOf(zone, window).flatMap((stretch) => hours.flatMap((one) => spansWithin(one, stretch))),
  )
  const merged: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

function intersect(some: readonly Span[], others: readonly Span[]): Span[] {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
      return both.from < both.to ? [both] : []
    }),
  )
}

/** Minutes in which a zone has the same distance from UTC. */
type Stretch = Span & { offset: number }

function spansWithin({ startMinute, endMinute, days }: TimeWindow, { from, to, offset }: Stretch): Span[] {
  const spans: Span[] = []
  // Time windows of the previous day may end on the first one.
  const [first, last] = [Math.floor((from + offset) / DAY_MINUTES) - 1, Math.floor((to + offset) / DAY_MINUTES)]
  for (let day = first; day <= last; day += 1) {
    if (!days.includes(DAYS[(day + DAY_OF_EPOCH) % DAYS.length] as Day)) continue
    const midnight = day * DAY_MINUTES - offset
    const end = midnight + endMinute + (endMinute > startMinute ? 0 : DAY_MINUTES)
    const span = { from: Math.max(from, midnight + startMinute), to: Math.min(to, end) }
    if (span.from < span.to) spans.push(span)
  }
  return spans
}

/** Divides a span into stretches. Clocks do not change twice in a day. */
function stretchesOf(zone: string, { from, to }: Span): Stretch[] {
  const offsetAt = offsetReader(zone)
  const stretches: Stretch[] = []
  let current = { from, offset: offsetAt(from) }
  for (let minute = from; minute < to; minute += DAY_MINUTES) {
    const next = Math.min(minute + DAY_MINUTES, to)
    const offset = offsetAt(next)
    if (offset === current.offset) continue
    const change = firstOtherMinute(minute, next, (at) => offsetAt(at) !== current.offset)
    stretches.push({ ...current, to: change })
    current = { from: change, offset }
  }
  return [...stretches, { ...current, to }]
}

/** Finds the first minute after `low` and up to `high` for which `isOther` is true; it stays true afterwards. */
function firstOtherMinute(low: number, high: number, isOther: (minute: number) => boolean): number {
  let [before, found] = [low, high]
  while (found - before > 1) {
    const middle = Math.floor((before + found) / 2)
    if (isOther(middle)) found = middle
    else before = middle
  }
  return found
}

/** Creates a reader of the minutes by which the clock of a zone is ahead of UTC. Creating it takes longer than reading. */
function offsetReader(zone: string): (minute: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  return (minute) => {
    const parts = format.formatToParts(new Date(minute * MINUTE_MILLISECONDS))
    const numberOf = (type: Intl.DateTimeFormatPartTypes): number =>
      Number(parts.find((part) => part.type === type)?.value)
    const shown = Date.UTC(
      numberOf('year'),
      numberOf('month') - 1,
      numberOf('day'),
      numberOf('hour'),
      numberOf('minute'),
    )
    return shown / MINUTE_MILLISECONDS - minute
  }
}
