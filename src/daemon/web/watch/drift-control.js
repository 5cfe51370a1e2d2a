/** Below this a difference is neither heard nor seen. A correction ends when it is small. All times in milliseconds. */
const BEGIN_MILLISECONDS = 15
const END_MILLISECONDS = 5

/** Larger differences are corrected by one seek. */
const SEEK_MILLISECONDS = 400

/** A difference of 100 ms changes the speed by 5 %. */
const GAIN_MILLISECONDS = 2000
const MAX_CHANGE = 0.05

/** Seeks are rare: a player that seeks all the time shows nothing. */
const SEEK_PAUSE_MILLISECONDS = 5000

/** After this many seeks without success only the speed is changed, and more. */
const MAX_SEEKS = 2
const NO_SEEK_MILLISECONDS = 30_000
const MAX_CHANGE_WITHOUT_SEEKS = 0.1

/** A player that cannot change its speed. */
const STEADY_BAND_MILLISECONDS = 250

/** How long a seek takes, before one was measured. */
const FIRST_SEEK_MILLISECONDS = 100

/** Weight of a new measurement of how long a seek takes. */
const SEEK_WEIGHT = 0.5

const clamp = (value, limit) => Math.max(-limit, Math.min(value, limit))

/**
 * Decides how a running player is brought to its position. It is called about four times a second.
 * @param {{canChangeRate?: boolean}} [player]
 */
export function createDriftControl({ canChangeRate = true } = {}) {
  let [isCorrecting, seekLatency, soughtAt, seeks, noSeekUntil] = [
    false,
    FIRST_SEEK_MILLISECONDS,
    -Infinity,
    0,
    -Infinity,
  ]

  function seek(now) {
    soughtAt = now
    seeks += 1
    if (seeks >= MAX_SEEKS) {
      noSeekUntil = now + NO_SEEK_MILLISECONDS
      seeks = 0
    }
    isCorrecting = false
    return { seekAheadMilliseconds: seekLatency, rate: 1 }
  }

  return {
    /**
     * @param {number} drift position of the player minus the expected one, in milliseconds
     * @param {number} now monotonic milliseconds
     * @returns {{rate: number, seekAheadMilliseconds?: number}} the factor of the speed, and whether to seek so far ahead of the expected position
     */
    decide(drift, now) {
      const size = Math.abs(drift)
      const isSeekAllowed = now - soughtAt >= SEEK_PAUSE_MILLISECONDS && now >= noSeekUntil
      if (size > (canChangeRate ? SEEK_MILLISECONDS : STEADY_BAND_MILLISECONDS) && isSeekAllowed) return seek(now)
      if (size <= END_MILLISECONDS) isCorrecting = false
      else if (size > BEGIN_MILLISECONDS) isCorrecting = true
      // A seek that was of use.
      if (size <= BEGIN_MILLISECONDS) seeks = 0
      if (!isCorrecting || !canChangeRate) return { rate: 1 }
      return { rate: 1 - clamp(drift / GAIN_MILLISECONDS, now < noSeekUntil ? MAX_CHANGE_WITHOUT_SEEKS : MAX_CHANGE) }
    },
    /** How long a seek took until playback continued, in milliseconds: the next one aims further ahead. */
    measureSeek(milliseconds) {
      seekLatency += (clamp(milliseconds, 2000) - seekLatency) * SEEK_WEIGHT
    },
    /** Forgets earlier seeks, after a jump of the group. */
    reset() {
      ;[isCorrecting, soughtAt, seeks, noSeekUntil] = [false, -Infinity, 0, -Infinity]
    },
  }
}
