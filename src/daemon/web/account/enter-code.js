import { call } from '../api.js'

const ROOT = '/api/v1/auth/quick-connect'

/**
 * The form in which a person who is signed in enters the code of another device, sees that device and decides.
 * @param {HTMLFormElement} form
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createEnterCode(form, { guarded }) {
  const part = (id) => form.querySelector(`#${id}`)
  const [input, waiting, facts, warning, result] = [
    'entered-code',
    'waiting-device',
    'waiting-facts',
    'waiting-warning',
    'code-result',
  ].map(part)
  /** The code whose device is shown. */
  let shown

  const address = (action = '') => `${ROOT}/${encodeURIComponent(shown)}${action}`

  async function inspect() {
    result.textContent = ''
    waiting.hidden = true
    shown = input.value
    const { device, is_same_address: isSameAddress } = await call(address())
    facts.textContent = `${device.name} (${device.type}) at ${device.address}`
    warning.hidden = isSameAddress
    waiting.hidden = false
    part('approve').focus()
  }

  async function decide(action, text) {
    await call(address(action), {})
    reset()
    result.textContent = text
  }

  function reset() {
    form.reset()
    waiting.hidden = true
    result.textContent = ''
    shown = undefined
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void guarded(inspect)
  })
  // What is shown belongs to the code that was entered.
  input.addEventListener('input', () => (waiting.hidden = true))
  part('approve').addEventListener('click', () => {
    void guarded(() => decide('/approve', 'The device will be signed in within seconds.'))
  })
  part('deny').addEventListener('click', () => {
    void guarded(() => decide('/deny', 'The device is not signed in.'))
  })

  return { reset }
}
