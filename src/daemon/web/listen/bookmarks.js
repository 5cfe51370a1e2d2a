import { call } from '../api.js'

const EVERY_MILLISECONDS = 10_000
/** Nobody notices less. */
const MIN_SECONDS = 1
/** Who looks for a place goes to many; the one that is stayed at is saved. */
const SETTLED_MILLISECONDS = 1000
const RETRY_MILLISECONDS = 3000

/**
 * Keeps the place in a book on the server: every ten seconds while it plays, and whenever it stops, the listener has gone elsewhere or the
 * page goes out of sight. A place that could not be saved is sent again, also while nothing plays. Opening a book is not listening: nothing is saved before it is heard or the listener goes elsewhere.
 * @param {{bookId: string, place: () => {index: number, offsetMs: number, seconds: number} | null, isPlaying: () => boolean,
 *   onProblem: (error: Error | null) => void}} book
 */
export function createBookmarks({ bookId, place, isPlaying, onProblem }) {
  /** Of one listening; answers to an earlier one change nothing of the next. */
  let listening = { savedAt: 0, isTouched: false }
  let settling
  let retry
  /** One after the other: an older place must not arrive after a newer one. */
  let sending = Promise.resolve()
  /** What waits for its turn; it sends the place of then. */
  let waiting

  async function send(isLast) {
    const mine = listening
    const now = mine.isTouched ? place() : null
    if (now === null || Math.abs(now.seconds - mine.savedAt) < MIN_SECONDS) return
    const { index, offsetMs, seconds } = now
    clearTimeout(retry)
    const body = { position_ms: offsetMs, current_chapter_index: index }
    try {
      await call(`/api/v1/audiobooks/${bookId}/progress`, body, { keepalive: isLast })
      mine.savedAt = seconds
      if (mine === listening) onProblem(null)
    } catch (error) {
      if (mine !== listening) return
      retry = setTimeout(() => void save(), RETRY_MILLISECONDS)
      onProblem(error)
    }
  }

  function save({ isLast = false } = {}) {
    // A page that goes away has no time to wait for what was sent before.
    if (isLast) sending = send(true)
    else {
      waiting ??= sending.then(() => {
        waiting = undefined
        return send(false)
      })
      sending = waiting
    }
    return sending
  }

  setInterval(() => {
    if (isPlaying()) void save()
  }, EVERY_MILLISECONDS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void save({ isLast: true })
  })
  addEventListener('pagehide', () => void save({ isLast: true }))

  return {
    save,
    /** Another book, or another listener; `seconds`: what the server knows already. */
    begin(seconds) {
      clearTimeout(settling)
      clearTimeout(retry)
      listening = { savedAt: seconds, isTouched: false }
    },
    /** The book is heard. */
    hear: () => (listening.isTouched = true),
    /** The listener has gone elsewhere. */
    move() {
      listening.isTouched = true
      clearTimeout(settling)
      settling = setTimeout(() => void save(), SETTLED_MILLISECONDS)
    },
  }
}
