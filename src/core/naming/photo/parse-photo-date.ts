import { normalizeName } from '../text/name-text.ts'

const DAY = String.raw`(?<year>(?:19|20)\d\d)(?<gap>[-._ ]?)(?<month>0[1-9]|1[0-2])\k<gap>(?<day>0[1-9]|[12]\d|3[01])`
const TIME = String.raw`(?<hour>[01]\d|2[0-3])(?<mark>[-.:_ ]?)(?<minute>[0-5]\d)\k<mark>(?<second>[0-5]\d)`

/** `20230405_101112`, `2023-04-05 10.11.12`, `2023-04-05 at 10.11.12`, `20230405101112`. */
const DAY_AND_TIME = new RegExp(String.raw`(?<!\d)${DAY}(?:(?:[ T_-]| at |, ){0,2})${TIME}`, 'iu')
const DAY_ALONE = new RegExp(String.raw`(?<!\d)${DAY}(?!\d)`, 'u')

/**
 * The local time at which a photo was taken, from its name: `IMG_20230405_101112`, `PXL_20230405_081112345`,
 * `Screenshot_2023-04-05-10-11-12`, `IMG-20230405-WA0001`, `2023-04-05 10.11.12`. Cameras and phones write local time, which is returned
 * without a zone: `2023-04-05T10:11:12`, or the date alone if no time follows. Pixel phones write UTC into `PXL_` names, which cannot be
 * converted to local time from the name alone. Undefined if there is no valid calendar date.
 */
export function parsePhotoDate(fileName: string): string | undefined {
  const name = normalizeName(fileName)
  const full = DAY_AND_TIME.exec(name)?.groups
  const timed = full === undefined ? undefined : isoDay(full)
  if (full !== undefined && timed !== undefined) {
    return `${timed}T${full['hour']}:${full['minute']}:${full['second']}`
  }
  const day = DAY_ALONE.exec(name)?.groups
  return day === undefined ? undefined : isoDay(day)
}

/** Rejects invalid dates such as 30 February. */
function isoDay(groups: Record<string, string>): string | undefined {
  const day = `${groups['year']}-${groups['month']}-${groups['day']}`
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined
}
