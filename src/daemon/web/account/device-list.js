import { requestJson } from '../api.js'
import { createConfirmedButton, createListEntry, formatTime } from './list-parts.js'

const DEVICES = '/api/v1/me/devices'

/**
 * The devices on which the user is signed in.
 * @param {{list: HTMLElement, others: HTMLButtonElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createDeviceList({ list, others }, { guarded }) {
  async function load() {
    const { devices } = await requestJson(DEVICES)
    list.replaceChildren(...devices.map(entryOf))
    others.hidden = devices.length < 2
  }

  function entryOf(device) {
    const used = device.is_current ? 'this device' : `last used ${formatTime(device.last_used_at)}`
    // Several devices may have one name: the time of their sign-in tells them apart.
    const since = `signed in ${formatTime(device.created_at)}`
    const facts = [device.type, device.address, used, since].filter(Boolean).join(' · ')
    if (device.is_current) return createListEntry(device.name, facts)
    const names = { label: 'Sign out', description: `Sign out ${device.name}, ${since}`, question: 'Really sign out' }
    const signOut = createConfirmedButton(names, () => {
      void guarded(async () => {
        await requestJson(`${DEVICES}/${device.id}`, undefined, { method: 'DELETE' })
        await load()
      })
    })
    return createListEntry(device.name, facts, signOut)
  }

  others.addEventListener('click', () => {
    void guarded(async () => {
      await requestJson(DEVICES, undefined, { method: 'DELETE' })
      await load()
    })
  })

  return { load, clear: () => list.replaceChildren() }
}
