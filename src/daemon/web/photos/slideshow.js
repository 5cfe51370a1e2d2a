/** How long a photo is shown, once it is there. */
const SHOWN_MILLISECONDS = 5000

/**
 * Shows one photo after the other until somebody stops it.
 * @param {HTMLButtonElement} button
 * @param {{start: string, stop: string}} words texts of the button
 * @param {() => void} showNext
 */
export function createSlideshow(button, words, showNext) {
  let isRunning = false
  let timer

  function set(wanted) {
    isRunning = wanted
    clearTimeout(timer)
    button.textContent = isRunning ? words.stop : words.start
    button.setAttribute('aria-pressed', String(isRunning))
  }

  /** The time begins when a photo is there, or when it is clear that it will not be. */
  function wait() {
    clearTimeout(timer)
    if (isRunning) timer = setTimeout(showNext, SHOWN_MILLISECONDS)
  }

  function toggle() {
    set(!isRunning)
    wait()
  }

  set(false)
  button.addEventListener('click', toggle)
  return { wait, toggle, stop: () => set(false) }
}
