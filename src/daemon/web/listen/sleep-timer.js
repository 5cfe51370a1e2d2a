import { formatDuration } from './format-duration.js'

const SECOND = 1000

/**
 * Pauses the book after some minutes of playing, or when the chapter ends.
 * @param {{isPlaying: () => boolean, secondsToChapterEnd: () => number, pause: () => void, onChange: (text: string) => void}} book
 */
export function createSleepTimer({ isPlaying, secondsToChapterEnd, pause, onChange }) {
  let choice = ''
  let secondsLeft = 0
  let endsWith

  function set(value, chapter) {
    choice = value
    secondsLeft = Number(value) * 60 || 0
    endsWith = chapter
    show()
  }

  function show() {
    if (choice === '') onChange('')
    else onChange(formatDuration(choice === 'chapter' ? secondsToChapterEnd() : secondsLeft))
  }

  function stop() {
    set('')
    pause()
  }

  setInterval(() => {
    if (choice === '' || !isPlaying()) return
    if (choice !== 'chapter') {
      secondsLeft -= 1
      if (secondsLeft <= 0) return stop()
    }
    show()
  }, SECOND)

  return {
    set,
    get choice() {
      return choice
    },
    /** To be called when playback reaches another chapter. @returns whether the timer paused the book */
    passChapter(chapter) {
      if (choice !== 'chapter' || chapter === endsWith) return false
      stop()
      return true
    },
    /** To be called after a jump: the timer pauses at the end of this chapter. */
    follow(chapter) {
      endsWith = chapter
    },
  }
}
