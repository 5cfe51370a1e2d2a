import { timeOfDay } from '../times-of-day.ts'

const DAYS = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** The names of the days by their short names, which the server uses. */
export const DAY_NAMES = Object.entries(DAYS)

const KBPS_PER_MBPS = 1000

/**
 * The limits of a profile in plain words, without its times.
 * @param {object} profile
 * @param {{streams: {max_concurrent_streams: number | null, max_total_bandwidth_kbps: number | null}, libraries: {id: string, name: string}[]}} more
 * @returns {string[]} sentences; empty without a limit
 */
export function limitSentences(profile, { streams, libraries }) {
  const { max_age: maxAge, allow_unrated: allowUnrated, can_download: canDownload, library_ids: libraryIds } = profile
  const { max_concurrent_streams: maxStreams, max_total_bandwidth_kbps: maxKbps } = streams
  return [
    maxAge !== null && ageText(maxAge),
    maxAge !== null && !allowUnrated && 'Nothing without an age rating.',
    libraryIds !== null && librariesText(libraryIds, libraries),
    !canDownload && 'No downloads.',
    maxStreams !== null && `At most ${maxStreams === 1 ? 'one title' : `${maxStreams} titles`} at a time.`,
    maxKbps !== null && `At most ${maxKbps / KBPS_PER_MBPS} Mbit/s.`,
  ].filter(Boolean)
}

const ageText = (age) => (age === 0 ? 'Films and series for all ages.' : `Films and series up to ${age} years.`)

function librariesText(ids, libraries) {
  const names = libraries.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return names.length === 0 ? 'No library.' : `Only ${names.join(', ')}.`
}

/** A schedule in words: `Monday, Tuesday, 5:00 PM to 7:00 PM`, with the clock of the browser. Those of another time zone name it. */
export function scheduleText({
  start_time: start,
  end_time: end,
  days_of_week: days,
  time_zone: zone,
  is_active: isActive,
}) {
  const ofDays = days.length === DAY_NAMES.length ? 'Every day' : days.map((day) => DAYS[day]).join(', ')
  const more = [zone !== null && zone !== ownZone() && zone, !isActive && 'switched off'].filter(Boolean)
  return `${ofDays}, ${timeOfDay(start)} to ${timeOfDay(end)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`
}

/** The time zone of the person, who may be elsewhere than the server. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
