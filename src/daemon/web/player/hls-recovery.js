/** Pauses before loading again after failed requests, in milliseconds. A server that restarts is back within them. */
const PAUSES_MILLISECONDS = [500, 1000, 2000, 4000, 8000, 8000, 8000]

/** Statuses of a stream that the server no longer has, or whose URL has expired. */
const GONE_STATUSES = new Set([403, 404, 410])

/** The stream has ended for this viewer. hls.js tries the other qualities first and plays what it has; that is in vain. */
const ENDED_STATUS = 410

/** A second error of the decoder within this time is not repaired. */
const REPAIR_INTERVAL_MILLISECONDS = 5000

/**
 * Continues after errors at which hls.js stops loading. Failed requests are repeated with growing pauses; the decoder is repaired once.
 * @param {import('hls.js').default} hls
 * @param {typeof import('hls.js').default} Hls
 * @param {{onGone: () => void, onProblem: (details: string) => void, now?: () => number}} listeners `onGone`: the stream has to be requested again;
 *   `onProblem`: nothing more can be done
 */
export function recoverFromErrors(hls, Hls, { onGone, onProblem, now = () => performance.now() }) {
  let attempts = 0
  let repairedAt = -Infinity
  let timer
  let hasEnded = false
  hls.on(Hls.Events.FRAG_LOADED, () => (attempts = 0))
  hls.on(Hls.Events.DESTROYING, () => clearTimeout(timer))
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details, response }) => {
    if (response?.code === ENDED_STATUS) return endOnce()
    if (!fatal) return undefined
    if (type === Hls.ErrorTypes.NETWORK_ERROR) return loadAgain(details, response?.code)
    if (type !== Hls.ErrorTypes.MEDIA_ERROR || now() - repairedAt < REPAIR_INTERVAL_MILLISECONDS)
      return onProblem(details)
    repairedAt = now()
    return hls.recoverMediaError()
  })

  function endOnce() {
    if (hasEnded) return
    hasEnded = true
    onGone()
  }

  function loadAgain(details, status) {
    if (GONE_STATUSES.has(status)) return onGone()
    const pause = PAUSES_MILLISECONDS[attempts]
    attempts += 1
    if (pause === undefined) return onProblem(details)
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Without the list of segments there is nothing to load.
      if (hls.levels.length === 0) hls.loadSource(hls.url)
      else hls.startLoad()
    }, pause)
  }
}
