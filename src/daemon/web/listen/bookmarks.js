import { requestJson } from '../api.js'

const EVERY_MILLISECONDS = 10_000
/** Smaller changes of the position are not saved. */
const MIN_SECONDS = 1
/** A position is saved when the listener has stayed there for this time, because a search for a place consists of many jumps. */
const SETTLED_MILLISECONDS = 1000
const RETRY_MILLISECONDS = 3000

/**
 * Saves the position in a book on the server: every ten seconds during playback, and after a pause, a jump, or when the page is hidden. A
 * failed request is repeated, also while nothing plays. Opening a book saves nothing: the first position is saved after playback or a jump.
 * @param {{bookId: string, place: () => {index: number, offsetMs: number, seconds: number} | null, isPlaying: () => boolean,
 *   onProblem: (error: Error | null) => void}} book
 */
export function createBookmarks({ bookId, place, isPlaying, onProblem }) {
  /** The state since `begin`. Replies to requests from before `begin` do not change it. */
  let listening = { savedAt: 0, isTouched: false }
  let settling
  let retry
  /** Requests are sent one at a time, so that an older position does not overwrite a newer one. */
  let sending = Promise.resolve()
  /** The request that waits for the running one; it sends the position at the time of its start. */
  let waiting

  async function send(isLast) {
    const mine = listening
    const now = mine.isTouched ? place() : null
    if (now === null || Math.abs(now.seconds - mine.savedAt) < MIN_SECONDS) return
    const { index, offsetMs, seconds } = now
    clearTimeout(retry)
    const body = { position_ms: offsetMs, current_chapter_index: index }
    try {
      await requestJson(`/api/v1/audiobooks/${bookId}/progress`, body, { keepalive: isLast })
      mine.savedAt = seconds
      if (mine === listening) onProblem(null)
    } catch (error) {
      if (mine !== listening) return
      retry = setTimeout(() => void save(), RETRY_MILLISECONDS)
      onProblem(error)
    }
  }

  function save({ isLast = false } = {}) {
    // A page that is being closed cannot wait for the running request.
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
    /** Starts with another book or another user; `seconds` is the position that the server has. */
    begin(seconds) {
      clearTimeout(settling)
      clearTimeout(retry)
      listening = { savedAt: seconds, isTouched: false }
    },
    /** To be called when sound starts. */
    hear: () => (listening.isTouched = true),
    /** To be called after a jump. */
    move() {
      listening.isTouched = true
      clearTimeout(settling)
      settling = setTimeout(() => void save(), SETTLED_MILLISECONDS)
    },
  }
}
