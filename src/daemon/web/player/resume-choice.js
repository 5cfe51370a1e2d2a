import { formatDuration, formatSpokenDuration } from '../listen/format-duration.js'

/** Who has seen less begins again. */
const MIN_SECONDS = 30

const TICKS_PER_SECOND = 10_000_000

/**
 * Asks the viewer of a film that was begun earlier whether to go on there. It lies over the picture, which is still empty.
 * @param {{frame: HTMLElement, resume: HTMLButtonElement, restart: HTMLButtonElement}} parts
 */
export function createResumeChoice({ frame, resume, restart }) {
  let answer
  let seconds = 0

  function finish(from) {
    frame.hidden = true
    answer?.(from)
    answer = undefined
  }

  resume.addEventListener('click', () => finish(seconds))
  restart.addEventListener('click', () => finish(0))

  return {
    /**
     * @param {{resume_position_ticks: number}} facts the playback information of the item
     * @returns {number | Promise<number | undefined>} where to begin, in seconds; undefined if another item was opened meanwhile
     */
    ask({ resume_position_ticks: positionTicks }) {
      finish(undefined)
      seconds = positionTicks / TICKS_PER_SECOND
      if (seconds < MIN_SECONDS) return 0
      resume.textContent = `Resume at ${formatDuration(seconds)}`
      resume.setAttribute('aria-label', `Resume at ${formatSpokenDuration(seconds)}`)
      frame.hidden = false
      resume.focus()
      const { promise, resolve } = Promise.withResolvers()
      answer = resolve
      return promise
    },
    isAsking: () => answer !== undefined,
    /** The remote control plays: it goes on. */
    resume: () => finish(seconds),
    hide: () => finish(undefined),
  }
}
