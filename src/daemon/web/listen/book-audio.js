const RENEW_AFTER_MILLISECONDS = 30_000

/**
 * Plays a book of one or several files. All positions are seconds from the start of the book.
 * @param {HTMLAudioElement} audio
 * @param {{renew(): Promise<object[]>, onTime(): void, onState(): void, onSound(): void, onPause(): void, onEnd(): void,
 *   onProblem(text: string): void}} listeners
 *   `renew` returns new signed addresses; `onSound` is called when sound starts, which may be long after the button was pressed
 */
export function createBookAudio(audio, listeners) {
  let parts = []
  let current = -1
  let renewedAt = -Infinity
  /**
   * The position to start at; undefined after `loadedmetadata`. Browsers ignore a position that is set before the metadata is loaded, and
   * the event is dispatched after `readyState` has changed.
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
      // Another file or a pause interrupts the start, and some browsers require a click first.
      if (error.name !== 'AbortError' && error.name !== 'NotAllowedError' && error.name !== 'NotSupportedError')
        throw error
    }
  }

  /** Signatures expire after some hours. Gets new addresses after a failure, but at most once in `RENEW_AFTER_MILLISECONDS`. */
  async function recover() {
    const now = performance.now()
    if (now - renewedAt < RENEW_AFTER_MILLISECONDS) return listeners.onProblem('This book cannot be played here.')
    renewedAt = now
    const before = parts
    const renewed = await listeners.renew()
    // The book may have been closed or replaced meanwhile.
    if (parts !== before) return
    // The position may have changed while the addresses were requested.
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
    /** Stops playback and removes the file, so that the next user of the page cannot play it. */
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
