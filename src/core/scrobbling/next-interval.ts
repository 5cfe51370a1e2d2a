import type { AppError } from '../platform/errors/index.ts'

/** As RFC 8628, 3.5; Trakt names no number. */
const ADDED_SECONDS = 5

/** How long to wait before the next question whether the user has approved: longer from now on if the service was asked too often. Pure. */
export function nextIntervalSeconds(intervalSeconds: number, notApproved: Pick<AppError, 'details'>): number {
  return notApproved.details['slow_down'] === true ? intervalSeconds + ADDED_SECONDS : intervalSeconds
}
