export const PLAY_STATES = ['idle', 'waiting', 'playing', 'paused'] as const

/** `idle`: nothing was selected; `waiting`: the group starts when its members are ready. */
export type PlayState = (typeof PLAY_STATES)[number]

/**
 * Determines the position of all members: it is `positionMilliseconds` at the server time `atMilliseconds`, which may be in the future. Each
 * timeline replaces all earlier ones, so a late member needs only the last one.
 */
export type Timeline = {
  /** Increases by one with each change. */
  seq: number
  /** Increases when the position or the media changes by a jump. */
  epoch: number
  state: PlayState
  mediaId: string | null
  positionMilliseconds: number
  atMilliseconds: number
  /** 1 is normal speed. */
  rate: number
}

/** The position in milliseconds at a server time in milliseconds. Before `atMilliseconds` the position does not change. */
export function positionAt(timeline: Timeline, nowMilliseconds: number): number {
  const { state, positionMilliseconds, atMilliseconds, rate } = timeline
  if (state !== 'playing') return positionMilliseconds
  return positionMilliseconds + rate * Math.max(0, nowMilliseconds - atMilliseconds)
}
