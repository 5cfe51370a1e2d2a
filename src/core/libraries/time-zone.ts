import type { LibraryOptions } from './library.ts'

/** The time zone for photos without a recorded location. It does not depend on the time zone of the process. */
const DEFAULT_ZONE = 'UTC'

/** The time zone (IANA, `Europe/Berlin`) of local times in the files of a library: option `time_zone`, else UTC. */
export function effectiveTimeZone(options: LibraryOptions): string {
  const zone = options['time_zone']
  return isTimeZone(zone) ? zone : DEFAULT_ZONE
}

/** Whether Node supports a time zone of this name. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
