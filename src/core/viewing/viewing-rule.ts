import { isWithinHours, nextWithinHours, type Hours } from './hours.ts'
import { viewingErrors } from './errors.ts'

/** Null: no limit. */
export type StreamLimits = {
  /** Items that are played at a time. */
  maxStreams: number | null
  /** The bandwidth of all streams together, in kbit/s. */
  maxKbps: number | null
}

export const NO_STREAM_LIMITS: StreamLimits = { maxStreams: null, maxKbps: null }

/** When, and how much at a time, a profile may play. */
export type ViewingRule = {
  accountId: string
  profileId: string
  /** The active schedules; an empty list: always. */
  hours: readonly Hours[]
  ofAccount: StreamLimits
  ofProfile: StreamLimits
}

/**
 * Refuses playback at a time that no schedule includes. Pure.
 * @throws AppError `AccessSchedule` with the next time that one includes
 */
export function requireHours({ hours }: ViewingRule, now: Date): void {
  if (isWithinHours(hours, now)) return
  const next = nextWithinHours(hours, now)
  throw viewingErrors.outside_hours({ details: { allowed_at: next?.toISOString() ?? null } })
}

/** Whether a schedule includes a moment. Pure. */
export function isPlayableAt({ hours }: ViewingRule, now: Date): boolean {
  return isWithinHours(hours, now)
}
