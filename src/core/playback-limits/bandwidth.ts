import { playbackLimitErrors } from './errors.ts'
import type { PlaybackLimits } from './playback-limits.ts'

/** The bandwidth that a stream needs. */
export type StreamNeeds = {
  /** Its bit rate in kbit/s; 0: unknown. */
  kbps: number
  /** Whether it is the lowest quality of a film, which plays even if no bandwidth is left. */
  isLowest: boolean
}

type Kbps = { ofAccount: number; ofProfile: number }

/** The bandwidth that the other open streams leave to one stream, in kbit/s; null: no limit. Pure. */
export function computeAvailableKbps({ ofAccount, ofProfile }: PlaybackLimits, used: Kbps): number | null {
  const left = [
    ofAccount.maxKbps === null ? null : ofAccount.maxKbps - used.ofAccount,
    ofProfile.maxKbps === null ? null : ofProfile.maxKbps - used.ofProfile,
  ].filter((kbps) => kbps !== null)
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}

/** The bandwidth of account and profile in kbit/s, whichever is less; null: no limit. Pure. */
export function computeMaxKbps(limits: PlaybackLimits): number | null {
  return computeAvailableKbps(limits, { ofAccount: 0, ofProfile: 0 })
}

type File = { bitrate: number | null; sizeBytes: number | null; durationSeconds: number | null }

/** The bandwidth that a file needs when it is sent unchanged. Pure. */
export function computeFileStreamNeeds({ bitrate, sizeBytes, durationSeconds }: File): StreamNeeds {
  const average =
    sizeBytes !== null && durationSeconds !== null && durationSeconds > 0 ? (sizeBytes * 8) / durationSeconds : 0
  return { kbps: Math.round(Math.max(bitrate ?? 0, average) / 1000), isLowest: false }
}

/**
 * Refuses a stream that needs more bandwidth than is free. Pure.
 * @param maxKbps null: no limit
 * @throws AppError `StreamLimitExceeded`
 */
export function requireBandwidth({ kbps, isLowest }: StreamNeeds, maxKbps: number | null): void {
  if (maxKbps === null || isLowest || kbps <= maxKbps) return
  throw playbackLimitErrors.too_many_streams({
    message: `it needs ${kbps} kbit/s, and ${maxKbps} are free: play it adaptively`,
    details: { max_kbps: maxKbps, needed_kbps: kbps },
  })
}
