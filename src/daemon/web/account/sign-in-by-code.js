import { cancelCode, pollCode, requestDeviceCode } from '../api.js'

/**
 * Sign-in of this device by a code that somebody enters on another one.
 * @param {HTMLElement} card
 * @param {{onSignedIn: () => void, onCancel: () => void}} listeners
 */
export function createSignInByCode(card, { onSignedIn, onCancel }) {
  const part = (id) => card.querySelector(`#${id}`)
  const [code, state, problem, again] = ['code', 'code-state', 'code-problem', 'code-again'].map(part)
  let timer
  /** Answers for an older code are ignored. */
  let number = 0
  /** The code that waits for the other device. */
  let waiting

  async function begin() {
    stop()
    const own = number
    card.hidden = false
    again.hidden = true
    code.textContent = ''
    problem.textContent = ''
    state.textContent = 'Asking for a code …'
    try {
      const opened = await requestDeviceCode()
      if (own !== number) return cancelCode(opened)
      waiting = opened
      code.textContent = `${opened.code.slice(0, 4)}-${opened.code.slice(4)}`
      state.textContent = 'Waiting for the other device …'
      wait(own, opened, opened.interval)
    } catch (error) {
      if (own === number) end(error.message)
    }
  }

  function wait(own, opened, seconds) {
    timer = setTimeout(() => void poll(own, opened), seconds * 1000)
  }

  async function poll(own, opened) {
    try {
      const { isSignedIn, interval } = await pollCode(opened)
      if (own !== number) return
      if (!isSignedIn) return wait(own, opened, interval)
      waiting = undefined
      stop()
      onSignedIn()
    } catch (error) {
      if (own === number) end(error.message)
    }
  }

  function end(text) {
    waiting = undefined
    code.textContent = ''
    state.textContent = ''
    problem.textContent = text
    again.hidden = false
  }

  function stop() {
    giveUp()
    number += 1
    clearTimeout(timer)
    card.hidden = true
  }

  /** Three codes of a network may wait: one that nobody will enter must not be among them. */
  function giveUp() {
    if (waiting !== undefined) cancelCode(waiting)
    waiting = undefined
  }

  // Closed or loaded again. A page that the browser keeps for its back button requests another code.
  addEventListener('pagehide', giveUp)
  addEventListener('pageshow', ({ persisted }) => persisted && !card.hidden && void begin())
  again.addEventListener('click', () => void begin())
  part('code-cancel').addEventListener('click', () => {
    stop()
    onCancel()
  })

  return { begin, stop, isActive: () => !card.hidden }
}
