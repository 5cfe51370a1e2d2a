import type { AppError } from '../platform/errors/index.ts'

/** As RFC 8628, 3.5; Trakt specifies no number. */
const ADDED_SECONDS = 5

/** The interval until the next poll whether the user has approved. It becomes longer if the service reports that it was polled too often. Pure. */
export function nextIntervalSeconds(intervalSeconds: number, notApproved: Pick<AppError, 'details'>): number {
  return notApproved.details['slow_down'] === true ? intervalSeconds + ADDED_SECONDS : intervalSeconds
}
