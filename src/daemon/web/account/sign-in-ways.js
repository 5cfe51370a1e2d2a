import { call } from '../api.js'
import { confirmedButton, entry, readableTime } from './list-parts.js'

const LINKS = '/api/v1/me/sign-in-links'
const PASSKEYS = '/api/v1/me/webauthn/credentials'

/**
 * The passkeys of the user, and the link to a person of a sign-in provider.
 * @param {{list: HTMLElement, empty: HTMLElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>, withRecentSignIn: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createSignInWays({ list, empty }, { guarded, withRecentSignIn }) {
  async function load() {
    const [{ links }, { credentials }] = await Promise.all([call(LINKS), call(PASSKEYS)])
    list.replaceChildren(...links.map(linkEntry), ...credentials.map(passkeyEntry))
    empty.hidden = list.children.length > 0
  }

  function linkEntry({ provider, name, subject, created_at: createdAt }) {
    const remove = confirmedButton(
      { label: 'Remove', description: `Remove the link to ${name ?? provider}`, question: 'Really remove' },
      () => {
        void guarded(() =>
          withRecentSignIn(async () => {
            await call(LINKS, undefined, { method: 'DELETE' })
            await load()
          }),
        )
      },
    )
    return entry(name ?? provider, `${subject} · linked ${readableTime(createdAt)}`, remove)
  }

  function passkeyEntry(passkey) {
    const since = `registered ${readableTime(passkey.registered_at * 1000)}`
    const remove = confirmedButton(
      { label: 'Remove', description: `Remove the passkey, ${since}`, question: 'Really remove' },
      () => {
        void guarded(async () => {
          const id = encodeURIComponent(passkey.credential_id)
          await call(`${PASSKEYS}/${id}`, undefined, { method: 'DELETE' })
          await load()
        })
      },
    )
    return entry('Passkey', `${passkey.device_type} · ${since}`, remove)
  }

  return { load, clear: () => list.replaceChildren() }
}
