import { isDeepStrictEqual } from 'node:util'
import { playbackLimitErrors } from './errors.ts'
import { createAllowedTimes, type TimeWindow, type AllowedTimes } from './time-windows.ts'

/** Null: no limit. */
export type StreamLimits = {
  /** Items that are played at a time. */
  maxStreams: number | null
  /** The bandwidth of all streams together, in kbit/s. */
  maxKbps: number | null
}

export const NO_STREAM_LIMITS: StreamLimits = { maxStreams: null, maxKbps: null }

/** When, and how much at a time, a profile may play. */
export type PlaybackLimits = {
  accountId: string
  profileId: string
  /** The active schedules of the main profile, which are those of the account, and of the profile itself. An empty list: always. */
  schedules: { ofAccount: readonly TimeWindow[]; ofProfile: readonly TimeWindow[] }
  /** The times that the schedules allow together. */
  allowedTimes: AllowedTimes
  ofAccount: StreamLimits
  ofProfile: StreamLimits
}

/** Makes the playback limits of a profile. The computed times of earlier limits are reused if the schedules are equal. */
export function makePlaybackLimits(
  data: Omit<PlaybackLimits, 'allowedTimes'>,
  earlier?: PlaybackLimits,
): PlaybackLimits {
  const { ofAccount, ofProfile } = data.schedules
  const isSame = earlier !== undefined && isDeepStrictEqual(earlier.schedules, data.schedules)
  return { ...data, allowedTimes: isSame ? earlier.allowedTimes : createAllowedTimes([ofAccount, ofProfile]) }
}

/**
 * Refuses playback at a time that no schedule includes.
 * @throws AppError `AccessSchedule` with the next time that one includes
 */
export function requireTimeWindow({ allowedTimes }: PlaybackLimits, now: Date): void {
  if (allowedTimes.includes(now)) return
  throw playbackLimitErrors.outside_hours({ details: { allowed_at: allowedTimes.next(now)?.toISOString() ?? null } })
}

/** Whether the schedules include a moment. */
export function isPlayableAt({ allowedTimes }: PlaybackLimits, now: Date): boolean {
  return allowedTimes.includes(now)
}
