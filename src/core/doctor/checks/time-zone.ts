import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'

export const timeZoneCheck: DoctorCheck = {
  id: 'time-zone',
  async run({ environment }) {
    const name = environment['TZ']
    if (name === undefined || name === '') return okResult(Intl.DateTimeFormat().resolvedOptions().timeZone)
    // A leading colon refers to a file of the zone database (tzset(3)).
    return isKnown(name.replace(/^:/, ''))
      ? okResult(name)
      : [warningResult(`TZ names no time zone, so that UTC is used`, 'unset TZ')]
  },
}

function isKnown(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
