import type { LibraryOptions } from './library-options.ts'

/** Photos of cameras that do not say where they were; the same on every machine, whatever zone its process has. */
const WITHOUT_ZONE = 'UTC'

/** The zone (IANA, `Europe/Berlin`) that clocks in a library's files are read in when they name none: option `time_zone`, else UTC. */
export function effectiveTimeZone(options: LibraryOptions): string {
  const zone = options['time_zone']
  return isTimeZone(zone) ? zone : WITHOUT_ZONE
}

/** Whether this Node knows a zone of this name. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
