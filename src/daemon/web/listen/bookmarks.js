import { call } from '../api.js'

const EVERY_MILLISECONDS = 10_000
/** Nobody notices less. */
const LEAST_SECONDS = 1

/**
 * Keeps the place in a book on the server: every ten seconds while it plays, and whenever it stops or the page goes out of sight.
 * @param {{bookId: string, place: () => {index: number, offsetMs: number, seconds: number} | null, isPlaying: () => boolean,
 *   onProblem: (error: Error | null) => void}} book
 */
export function createBookmarks({ bookId, place, isPlaying, onProblem }) {
  let savedAt = 0
  /** One after the other: an older place must not arrive after a newer one. */
  let sending = Promise.resolve()

  async function send({ index, offsetMs, seconds }, isLast) {
    const body = { position_ms: offsetMs, current_chapter_index: index }
    try {
      await call(`/api/v1/audiobooks/${bookId}/progress`, body, { keepalive: isLast })
      savedAt = seconds
      onProblem(null)
    } catch (error) {
      onProblem(error)
    }
  }

  function save({ isLast = false } = {}) {
    const now = place()
    if (now === null || Math.abs(now.seconds - savedAt) < LEAST_SECONDS) return sending
    // A page that goes away has no time to wait for what was sent before.
    sending = isLast ? send(now, true) : sending.then(() => send(now, false))
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
    /** What the server knows already. */
    begin: (seconds) => (savedAt = seconds),
  }
}
