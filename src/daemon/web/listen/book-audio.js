const RENEW_AFTER_MILLISECONDS = 30_000

/**
 * Plays a book, in one file or several, as if it were one: every position is seconds from the beginning of the book.
 * @param {HTMLAudioElement} audio
 * @param {{renew(): Promise<object[]>, onTime(): void, onState(): void, onSound(): void, onPause(): void, onEnd(): void,
 *   onProblem(text: string): void}} listeners
 *   `renew` gets addresses that are signed anew; `onSound`: it is heard, which may come long after the button
 */
export function createBookAudio(audio, listeners) {
  let parts = []
  let current = -1
  let renewedAt = -Infinity
  /**
   * The position to start at, until `loadedmetadata`: browsers ignore a position that is set before the file is known, and the event comes
   * after `readyState` has changed.
   */
  let wanted

  const partAt = (seconds) => {
    const found = parts.findIndex((part) => seconds * 1000 < part.end_ms)
    return found === -1 ? parts.length - 1 : found
  }
  const startOf = (index) => parts[index].start_ms / 1000
  const position = () => (current === -1 ? 0 : startOf(current) + (wanted ?? audio.currentTime))

  function load(index, offset) {
    const isPlaying = !audio.paused || audio.ended
    const { playbackRate: rate } = audio
    current = index
    wanted = offset
    audio.src = parts[index].stream_url
    audio.defaultPlaybackRate = rate
    audio.playbackRate = rate
    return isPlaying
  }

  function seek(seconds) {
    const index = partAt(seconds)
    const offset = Math.max(0, seconds - startOf(index))
    if (index !== current) {
      if (load(index, offset)) void play()
    } else if (wanted !== undefined || audio.readyState === 0) wanted = offset
    else audio.currentTime = offset
    listeners.onTime()
  }

  async function play() {
    try {
      await audio.play()
    } catch (error) {
      // A newer file or a pause comes in between; and some browsers want a click first.
      if (error.name !== 'AbortError' && error.name !== 'NotAllowedError' && error.name !== 'NotSupportedError')
        throw error
    }
  }

  /** A signature is good for some hours: who pauses over night gets a new one, once in a while. */
  async function recover() {
    const now = performance.now()
    if (now - renewedAt < RENEW_AFTER_MILLISECONDS) return listeners.onProblem('This book cannot be played here.')
    renewedAt = now
    const before = parts
    const renewed = await listeners.renew()
    // Meanwhile the book may have been closed, or opened by somebody else.
    if (parts !== before) return
    // The listener may have jumped while the addresses were asked for.
    const [at, isPlaying] = [position(), !audio.paused]
    parts = renewed
    current = -1
    seek(at)
    if (isPlaying) await play()
  }

  audio.addEventListener('loadedmetadata', () => {
    if (wanted !== undefined) audio.currentTime = wanted
    wanted = undefined
  })
  audio.addEventListener('error', () => {
    if (audio.error !== null && current !== -1) recover().catch((error) => listeners.onProblem(error.message))
  })
  audio.addEventListener('ended', () => {
    if (current + 1 < parts.length) {
      load(current + 1, 0)
      void play()
    } else listeners.onEnd()
  })
  audio.addEventListener('timeupdate', () => listeners.onTime())
  audio.addEventListener('playing', () => listeners.onSound())
  audio.addEventListener('pause', () => listeners.onPause())
  for (const name of ['play', 'playing', 'pause', 'ratechange']) audio.addEventListener(name, () => listeners.onState())

  return {
    open(newParts, seconds) {
      parts = newParts
      current = -1
      seek(seconds)
    },
    /** Leaves nothing that could be played, or go on playing for who comes next. */
    close() {
      parts = []
      current = -1
      wanted = undefined
      renewedAt = -Infinity
      audio.removeAttribute('src')
      audio.load()
    },
    play,
    pause: () => audio.pause(),
    seek,
    position,
    isPlaying: () => !audio.paused && !audio.ended,
    get speed() {
      return audio.playbackRate
    },
    set speed(rate) {
      audio.defaultPlaybackRate = rate
      audio.playbackRate = rate
    },
    get volume() {
      return audio.volume
    },
    set volume(level) {
      audio.volume = level
    },
  }
}
