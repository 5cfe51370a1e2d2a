import { AppError } from '../platform/errors/index.ts'
import { clockTime } from '../platform/time/index.ts'
import { playbackLimitErrors } from './errors.ts'
import { mergeSchedule, NEW_SCHEDULE, type Schedule, type ScheduleFields } from './schedule.ts'
import { DAYS, type Day } from './time-windows.ts'

const EVERY_DAY = 'daily'
/** The end of a day, as users write it. */
const MIDNIGHT = '24:00'
const EXAMPLES = "'mon-fri 07:00-20:00', 'sat,sun 08:00-21:30' or 'daily 07:00-20:00 Europe/Berlin'"
/** More days in a row than this are written as a range. */
const MAX_LISTED_DAYS = 2

/**
 * Reads a schedule as users type it: `mon-fri 07:00-20:00`, `sat,sun 08:00-24:00 Europe/Berlin`. Without days it is for all of them. Pure.
 * @throws AppError `invalid_schedule`, with examples as its hint
 */
export function readScheduleText(text: string): ScheduleFields {
  const words = text.trim().split(/\s+/)
  const days = words[0]?.includes(':') === true ? EVERY_DAY : (words.shift() ?? '')
  const [hours = '', zone, ...more] = words
  const [startTime, endTime, ...others] = hours.split('-')
  if (startTime === undefined || endTime === undefined || more.length + others.length > 0) throw invalid(text)
  const fields = { startTime, endTime: endTime === MIDNIGHT ? '00:00' : endTime, days: daysOf(days), zone }
  try {
    mergeSchedule(NEW_SCHEDULE, fields)
    return fields
  } catch (error) {
    throw error instanceof AppError ? invalid(text, error.text) : error
  }
}

/** A schedule as `readScheduleText` reads it. Pure. */
export function scheduleText({ days, startMinute, endMinute, zone, isActive }: Omit<Schedule, 'id'>): string {
  const end = endMinute === 0 ? MIDNIGHT : clockTime(endMinute)
  const parts = [daysText(days), `${clockTime(startMinute)}-${end}`, zone, isActive ? null : '(off)']
  return parts.filter((part) => part !== null).join(' ')
}

/** `mon-wed,sat` as `['mon', 'tue', 'wed', 'sat']`; a range may go over the end of the week. Unknown words are refused later. */
function daysOf(text: string): string[] {
  if (text.toLowerCase() === EVERY_DAY) return [...DAYS]
  return text.split(',').flatMap((part) => {
    const [first = '', last = first, ...more] = part.toLowerCase().split('-')
    const [from, to] = [first, last].map((day) => DAYS.findIndex((known) => known === day))
    if (from === undefined || to === undefined || from < 0 || to < 0 || more.length > 0) return [part]
    const count = ((to - from + DAYS.length) % DAYS.length) + 1
    return Array.from({ length: count }, (_, index) => DAYS[(from + index) % DAYS.length] ?? part)
  })
}

function daysText(days: readonly Day[]): string {
  if (days.length === DAYS.length) return EVERY_DAY
  if (days.length === 0) return 'on no day'
  const runs: Day[][] = []
  for (const day of DAYS.filter((one) => days.includes(one))) {
    const run = runs.at(-1)
    if (run !== undefined && DAYS.indexOf(day) === DAYS.indexOf(run.at(-1) ?? day) + 1) run.push(day)
    else runs.push([day])
  }
  return runs.map((run) => (run.length > MAX_LISTED_DAYS ? `${run[0]}-${run.at(-1)}` : run.join(','))).join(',')
}

function invalid(text: string, reason?: string): AppError {
  const shown = JSON.stringify(text.slice(0, 60))
  return playbackLimitErrors.invalid_schedule({
    message: reason === undefined ? `${shown} is no schedule` : `${shown} is no schedule: ${reason}`,
    hint: `write it like ${EXAMPLES}`,
  })
}
