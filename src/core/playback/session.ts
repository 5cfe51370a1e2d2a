/** One tick is 100 ns (document 4, section 3). */
export const TICKS_PER_SECOND = 10_000_000

export const PLAYBACK_STATUSES = ['playing', 'paused', 'stopped'] as const

/** Where an item stands in one session. */
export type PlaybackState = {
  sessionId: string
  mediaItemId: string
  /** `stopped`: the end was reached; the position is then 0. */
  status: (typeof PLAYBACK_STATUSES)[number]
  positionTicks: number
  /** Null where neither the player nor the catalogue knows it. */
  durationTicks: number | null
  startedAt: Date
  /** Later than any state of the user that was there before, also when the clock went back: the newest is the largest. */
  updatedAt: Date
}

/** One player of one user, from its start to its end. */
export type PlaybackSession = {
  /** UUID. */
  id: string
  deviceId: string | null
  deviceName: string | null
  deviceType: string | null
  createdAt: Date
  updatedAt: Date
  /** Of the item that was played last; null when there is none. */
  state: PlaybackState | null
}

/** From here on a play counts as completed (document 4, section 3). */
const COMPLETED_PERCENT = 90

/** Whether a position is so far that the play counts as completed; never where the duration is not known. */
export function isNearEnd(positionTicks: number, durationTicks: number | null): boolean {
  return durationTicks !== null && positionTicks * 100 >= durationTicks * COMPLETED_PERCENT
}
