import t from 'tap'

type BookAudio = {
  open(parts: readonly object[], seconds: number): void
  seek(seconds: number): void
  position(): number
}

type Create = (audio: EventTarget, listeners: Record<string, () => void>) => BookAudio

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/listen/book-audio.js', import.meta.url).href
const { createBookAudio } = (await import(path)) as { createBookAudio: Create }

const PARTS = [
  { start_ms: 0, end_ms: 100_000, stream_url: '/1' },
  { start_ms: 100_000, end_ms: 180_000, stream_url: '/2' },
]

/** The properties of an audio element that the player uses. A browser ignores a position that is set before the file is known. */
class StoppedAudio extends EventTarget {
  readyState = 0
  paused = true
  ended = false
  error = null
  src = ''
  playbackRate = 1
  defaultPlaybackRate = 1
  #seconds = 0

  get currentTime(): number {
    return this.#seconds
  }

  set currentTime(seconds: number) {
    if (this.readyState > 0) this.#seconds = seconds
  }
}

function openBook(seconds: number): { audio: StoppedAudio; book: BookAudio } {
  const audio = new StoppedAudio()
  const book = createBookAudio(audio, { onTime: () => {}, onState: () => {} })
  book.open(PARTS, seconds)
  return { audio, book }
}

void t.test('a jump before the file is known is kept', async (t) => {
  const { audio, book } = openBook(10)
  book.seek(70)
  t.equal(book.position(), 70)
  audio.readyState = 1
  audio.dispatchEvent(new Event('loadedmetadata'))
  t.equal(audio.currentTime, 70)
})

void t.test('a jump after the file is known and before its event is kept', async (t) => {
  const { audio, book } = openBook(10)
  audio.readyState = 1
  book.seek(70)
  t.equal(book.position(), 70)
  audio.dispatchEvent(new Event('loadedmetadata'))
  t.equal(audio.currentTime, 70)
  t.equal(book.position(), 70)
})

void t.test('a later jump sets the position of the element', async (t) => {
  const { audio, book } = openBook(130)
  t.equal(audio.src, '/2')
  audio.readyState = 1
  audio.dispatchEvent(new Event('loadedmetadata'))
  t.equal(audio.currentTime, 30)
  book.seek(150)
  t.equal(audio.currentTime, 50)
  t.equal(book.position(), 150)
})
