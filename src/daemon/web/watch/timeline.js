/**
 * @typedef {{seq: number, epoch: number, state: 'idle' | 'waiting' | 'playing' | 'paused', media_id: string | null, position: number, at:
 * number, rate: number}} Timeline
 * `position` is the position at the server time `at`, which may be past or future; both are in milliseconds
 */

/**
 * The position in milliseconds at a server time in milliseconds.
 * @param {Timeline} timeline
 */
export function positionAt({ state, position, at, rate }, serverTime) {
  return state === 'playing' ? position + rate * Math.max(0, serverTime - at) : position
}
