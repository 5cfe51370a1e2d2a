import { playbackLimitErrors } from './errors.ts'
import { DAYS, type Day } from './time-windows.ts'

/** A row of the table of a profile in which it may play. */
export type Schedule = {
  /** UUID. */
  id: string
  name: string
  /** Minutes after midnight of the clock in the zone, 0 to 1439. An end at or before the start is one of the next day. */
  startMinute: number
  endMinute: number
  /** The days on which it begins. */
  days: readonly Day[]
  /** A zone of the IANA database; null: that of the server. */
  zone: string | null
  isActive: boolean
}

/** What a client says about a schedule; absent fields stay. */
export type ScheduleFields = {
  name?: string | undefined
  /** `17:00` or `17:00:00`. */
  startTime?: string | undefined
  endTime?: string | undefined
  days?: readonly string[] | undefined
  zone?: string | null | undefined
  isActive?: boolean | undefined
}

const TIME = /^(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::00)?$/
const MAX_NAME_LENGTH = 50

export const NEW_SCHEDULE: Omit<Schedule, 'id'> = {
  name: 'Schedule',
  startMinute: 0,
  endMinute: 0,
  days: DAYS,
  zone: null,
  isActive: true,
}

/**
 * Merges a change into what there is. Pure.
 * @throws AppError `invalid_schedule`
 */
export function mergeSchedule(before: Omit<Schedule, 'id'>, fields: ScheduleFields): Omit<Schedule, 'id'> {
  const { name, startTime, endTime, days, zone, isActive } = fields
  return {
    name: name === undefined ? before.name : checkName(name),
    startMinute: startTime === undefined ? before.startMinute : readTime(startTime),
    endMinute: endTime === undefined ? before.endMinute : readTime(endTime),
    days: days === undefined ? before.days : readDays(days),
    zone: zone === undefined ? before.zone : checkZone(zone),
    isActive: isActive ?? before.isActive,
  }
}

function readTime(text: string): number {
  const { hour, minute } = TIME.exec(text)?.groups ?? {}
  if (hour === undefined) throw invalid(`${JSON.stringify(text.slice(0, 20))} is no time such as 17:30`)
  return Number(hour) * 60 + Number(minute)
}

function readDays(texts: readonly string[]): Day[] {
  const wanted = new Set(texts.map((text) => text.slice(0, 20).toLowerCase()))
  const days = DAYS.filter((day) => wanted.has(day))
  if (days.length !== wanted.size) throw invalid(`days are ${DAYS.join(', ')}`)
  return days
}

function checkName(text: string): string {
  const name = text.replaceAll(/\p{C}+/gu, ' ').trim()
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH)
    throw invalid(`a name has 1 to ${MAX_NAME_LENGTH} characters`)
  return name
}

function checkZone(zone: string | null): string | null {
  if (zone === null || zone === '') return null
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw invalid(`${JSON.stringify(zone.slice(0, 50))} is no time zone such as Europe/Berlin`)
  }
}

function invalid(message: string) {
  return playbackLimitErrors.invalid_schedule({ message })
}
