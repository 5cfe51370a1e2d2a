import { requestJson } from '../api.js'
import { createConfirmedButton, createListEntry, formatTime } from './list-parts.js'

const LINKS = '/api/v1/me/sign-in-links'
const PASSKEYS = '/api/v1/me/webauthn/credentials'

/**
 * The passkeys of the user, and the link to a person of a sign-in provider.
 * @param {{list: HTMLElement, empty: HTMLElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>, withRecentSignIn: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createSignInWays({ list, empty }, { guarded, withRecentSignIn }) {
  async function load() {
    const [{ links }, { credentials }] = await Promise.all([requestJson(LINKS), requestJson(PASSKEYS)])
    list.replaceChildren(...links.map(linkEntry), ...credentials.map(passkeyEntry))
    empty.hidden = list.children.length > 0
  }

  function linkEntry({ provider, name, subject, created_at: createdAt }) {
    const remove = createConfirmedButton(
      { label: 'Remove', description: `Remove the link to ${name ?? provider}`, question: 'Really remove' },
      () => {
        void guarded(() =>
          withRecentSignIn(async () => {
            await requestJson(LINKS, undefined, { method: 'DELETE' })
            await load()
          }),
        )
      },
    )
    return createListEntry(name ?? provider, `${subject} · linked ${formatTime(createdAt)}`, remove)
  }

  function passkeyEntry(passkey) {
    const since = `registered ${formatTime(passkey.registered_at * 1000)}`
    const remove = createConfirmedButton(
      { label: 'Remove', description: `Remove the passkey, ${since}`, question: 'Really remove' },
      () => {
        void guarded(async () => {
          const id = encodeURIComponent(passkey.credential_id)
          await requestJson(`${PASSKEYS}/${id}`, undefined, { method: 'DELETE' })
          await load()
        })
      },
    )
    return createListEntry('Passkey', `${passkey.device_type} · ${since}`, remove)
  }

  return { load, clear: () => list.replaceChildren() }
}
