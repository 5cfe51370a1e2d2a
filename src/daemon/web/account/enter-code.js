import { requestJson, currentProfile } from '../api.js'

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
  const [choice, pin] = ['code-profile-choice', 'code-pin-text'].map(part)
  /** The code whose device is shown. */
  let shown
  /** The ids of the profiles that need their PIN. */
  let withPin = new Set()

  const address = (action = '') => `${ROOT}/${encodeURIComponent(shown)}${action}`

  async function inspect() {
    result.textContent = ''
    waiting.hidden = true
    shown = input.value
    const { device, is_same_address: isSameAddress } = await requestJson(address())
    facts.textContent = `${device.name} (${device.type}) at ${device.address}`
    warning.hidden = isSameAddress
    await offerProfiles()
    waiting.hidden = false
    part('approve').focus()
  }

  /** The device gets the profile of the person, unless another one is chosen. */
  async function offerProfiles() {
    const [{ profiles }, own] = await Promise.all([requestJson('/api/v1/profiles'), currentProfile()])
    choice.replaceChildren(...profiles.map(({ id, name }) => new Option(name, id)))
    choice.value = own.id
    withPin = new Set(profiles.filter(({ id, has_pin: hasPin }) => hasPin && id !== own.id).map(({ id }) => id))
    part('code-profile').hidden = profiles.length < 2
    askForPin()
  }

  function askForPin() {
    part('code-pin').hidden = !withPin.has(choice.value)
    pin.value = ''
  }

  async function approve() {
    await decide('/approve', 'The device will be signed in within seconds.', {
      profile_id: choice.value,
      ...(withPin.has(choice.value) ? { pin: pin.value } : {}),
    })
  }

  async function decide(action, text, body = {}) {
    await requestJson(address(action), body)
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
  choice.addEventListener('change', askForPin)
  part('approve').addEventListener('click', () => {
    void guarded(approve)
  })
  part('deny').addEventListener('click', () => {
    void guarded(() => decide('/deny', 'The device is not signed in.'))
  })

  return { reset }
}
