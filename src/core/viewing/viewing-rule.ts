import { isDeepStrictEqual } from 'node:util'
import { viewingErrors } from './errors.ts'
import { openHours, type Hours, type OpenHours } from './hours.ts'

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
  /** The active schedules of the main profile, which are those of the account, and of the profile itself. An empty list: always. */
  schedules: { ofAccount: readonly Hours[]; ofProfile: readonly Hours[] }
  /** What the schedules include together. */
  hours: OpenHours
  ofAccount: StreamLimits
  ofProfile: StreamLimits
}

/** Makes a rule. Equal schedules of an earlier rule have been worked out already. */
export function makeViewingRule(data: Omit<ViewingRule, 'hours'>, earlier?: ViewingRule): ViewingRule {
  const { ofAccount, ofProfile } = data.schedules
  const isSame = earlier !== undefined && isDeepStrictEqual(earlier.schedules, data.schedules)
  return { ...data, hours: isSame ? earlier.hours : openHours([ofAccount, ofProfile]) }
}

/**
 * Refuses playback at a time that no schedule includes.
 * @throws AppError `AccessSchedule` with the next time that one includes
 */
export function requireHours({ hours }: ViewingRule, now: Date): void {
  if (hours.includes(now)) return
  throw viewingErrors.outside_hours({ details: { allowed_at: hours.next(now)?.toISOString() ?? null } })
}

/** Whether the schedules include a moment. */
export function isPlayableAt({ hours }: ViewingRule, now: Date): boolean {
  return hours.includes(now)
}
