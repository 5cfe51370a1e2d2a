export const PLAY_STATES = ['idle', 'waiting', 'playing', 'paused'] as const

/** `idle`: nothing was selected; `waiting`: the group starts when its members are ready. */
export type PlayState = (typeof PLAY_STATES)[number]

/**
 * The authority for the position of all members: `positionMilliseconds` was or will be true at the server time `atMilliseconds`. The last
 * one replaces all earlier ones, so a late member needs only this.
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

/** The position in milliseconds at a server time in milliseconds. Before `atMilliseconds` the position stands. */
export function positionAt(timeline: Timeline, nowMilliseconds: number): number {
  const { state, positionMilliseconds, atMilliseconds, rate } = timeline
  if (state !== 'playing') return positionMilliseconds
  return positionMilliseconds + rate * Math.max(0, nowMilliseconds - atMilliseconds)
}
