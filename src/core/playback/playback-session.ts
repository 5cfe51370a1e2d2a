/** One tick is 100 ns. */
export const TICKS_PER_SECOND = 10_000_000

export const PLAYBACK_STATUSES = ['playing', 'paused', 'stopped'] as const

/** The playback state of an item in one session. */
export type PlaybackState = {
  sessionId: string
  mediaItemId: string
  /** `stopped`: the end was reached; the position is then 0. */
  status: (typeof PLAYBACK_STATUSES)[number]
  positionTicks: number
  /** Null if neither the player nor the catalogue knows it. */
  durationTicks: number | null
  startedAt: Date
  /** Later than every existing state of the profile, even if the clock was set back: the newest state has the largest time. */
  updatedAt: Date
}

/** The use of one player by one profile, from its start to its end. */
export type PlaybackSession = {
  /** UUID. */
  id: string
  deviceId: string | null
  deviceName: string | null
  deviceType: string | null
  createdAt: Date
  updatedAt: Date
  /** State of the item that was played last; null if there is none. */
  state: PlaybackState | null
}

/** A play counts as completed from this percentage on. */
const COMPLETED_PERCENT = 90

/** Whether a play at this position counts as completed; false if the duration is unknown. */
export function isNearEnd(positionTicks: number, durationTicks: number | null): boolean {
  return durationTicks !== null && positionTicks * 100 >= durationTicks * COMPLETED_PERCENT
}
