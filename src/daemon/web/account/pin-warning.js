import { requestJson } from '../api.js'

/**
 * The warning that other profiles of the account can be left without a proof, because the main profile has no PIN.
 * @param {{frame: HTMLElement, button: HTMLButtonElement}} parts
 * @param {{onWanted: () => void}} needs `onWanted`: the person wants to set one
 */
export function createPinWarning({ frame, button }, { onWanted }) {
  button.addEventListener('click', onWanted)
  return {
    async load() {
      const { profiles } = await requestJson('/api/v1/profiles')
      frame.hidden = profiles.length < 2 || profiles.find(({ is_main: isMain }) => isMain)?.has_pin === true
    },
  }
}
