import { playbackLimitErrors } from './errors.ts'
import type { PlaybackLimits } from './playback-limits.ts'

/** What a stream sends. */
export type StreamNeeds = {
  /** Its bit rate in kbit/s; 0: unknown. */
  kbps: number
  /** The lowest quality of a film, which plays also if nothing is left. */
  isLowest: boolean
}

type Kbps = { ofAccount: number; ofProfile: number }

/** What the other open streams leave to one, in kbit/s; null: no limit. Pure. */
export function kbpsLeft({ ofAccount, ofProfile }: PlaybackLimits, used: Kbps): number | null {
  const left = [
    ofAccount.maxKbps === null ? null : ofAccount.maxKbps - used.ofAccount,
    ofProfile.maxKbps === null ? null : ofProfile.maxKbps - used.ofProfile,
  ].filter((kbps) => kbps !== null)
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}

/** The bandwidth of account and profile in kbit/s, whichever is less; null: no limit. Pure. */
export function maxKbpsOf(limits: PlaybackLimits): number | null {
  return kbpsLeft(limits, { ofAccount: 0, ofProfile: 0 })
}

type File = { bitrate: number | null; sizeBytes: number | null; durationSeconds: number | null }

/** What a file needs that is sent as it is. Pure. */
export function needsOfFile({ bitrate, sizeBytes, durationSeconds }: File): StreamNeeds {
  const average =
    sizeBytes !== null && durationSeconds !== null && durationSeconds > 0 ? (sizeBytes * 8) / durationSeconds : 0
  return { kbps: Math.round(Math.max(bitrate ?? 0, average) / 1000), isLowest: false }
}

/**
 * Refuses what needs more bandwidth than there is. Pure.
 * @param maxKbps null: no limit
 * @throws AppError `StreamLimitExceeded`
 */
export function requireKbps({ kbps, isLowest }: StreamNeeds, maxKbps: number | null): void {
  if (maxKbps === null || isLowest || kbps <= maxKbps) return
  throw playbackLimitErrors.too_many_streams({
    message: `it needs ${kbps} kbit/s, and ${maxKbps} are free: play it adaptively`,
    details: { max_kbps: maxKbps, needed_kbps: kbps },
  })
}
