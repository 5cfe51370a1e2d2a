import { requestJson, currentUser, signInAgain } from '../api.js'
import { createConfirmedButton, createListEntry, formatTime } from './list-parts.js'

const KEYS = '/api/v1/me/api-keys'
const DAY_MILLISECONDS = 86_400_000

/**
 * The API keys of the user, and the form that makes one.
 * @param {{form: HTMLFormElement, list: HTMLElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createKeyList({ form, list }, { guarded }) {
  const field = (name) => form.elements.namedItem(name)
  const part = (id) => form.querySelector(`#${id}`)
  const [made, text, password, copy, copied] = ['key-made', 'key-text', 'key-password', 'key-copy', 'key-copied'].map(
    part,
  )

  async function load() {
    const { api_keys: keys } = await requestJson(KEYS)
    list.replaceChildren(...keys.map(entryOf))
  }

  function entryOf(key) {
    const used = key.last_used_at === null ? 'never used' : `last used ${formatTime(key.last_used_at)}`
    const expires = key.expires_at === null ? 'does not expire' : `expires ${formatTime(key.expires_at)}`
    const names = { label: 'Revoke', description: `Revoke ${key.name} (${key.hint}…)`, question: 'Really revoke' }
    const revoke = createConfirmedButton(names, () => {
      void guarded(async () => {
        await requestJson(`${KEYS}/${key.id}`, undefined, { method: 'DELETE' })
        await load()
      })
    })
    return createListEntry(key.name, [`${key.hint}…`, key.scopes.join(', '), used, expires].join(' · '), revoke)
  }

  function wanted() {
    const scopes = [...form.querySelectorAll('input[name=scope]:checked')].map(({ value }) => value)
    const days = Number(field('days').value)
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY_MILLISECONDS).toISOString()
    return { name: field('name').value, scopes, expires_at: expiresAt }
  }

  async function create() {
    made.hidden = true
    if (!password.hidden) await signInAgain(field('password').value)
    try {
      const { key } = await requestJson(KEYS, wanted())
      reset()
      text.textContent = key
      copied.textContent = ''
      made.hidden = false
      copy.focus()
    } catch (error) {
      if (error.code !== 'recent_sign_in_required') throw error
      askPassword()
      return
    }
    await load()
  }

  /** A key outlives the session, so a sign-in of long ago is not enough. */
  function askPassword() {
    password.hidden = false
    field('password').required = true
    field('password').focus()
  }

  function reset() {
    form.reset()
    made.hidden = true
    text.textContent = ''
    password.hidden = true
    field('password').required = false
  }

  copy.addEventListener('click', () => {
    // Pages without TLS have no clipboard: the key is selected for the keyboard then.
    getSelection()?.selectAllChildren(text)
    const copying = navigator.clipboard?.writeText(text.textContent) ?? Promise.reject(new Error('no clipboard'))
    copying.then(
      () => (copied.textContent = 'Copied.'),
      () => (copied.textContent = 'It is selected. Copy it with the keyboard or the menu.'),
    )
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void guarded(create)
  })

  return {
    async load() {
      // Only administrators can give these scopes.
      const { is_admin: isAdmin } = await currentUser()
      for (const id of ['scope-libraries', 'scope-admin']) part(id).hidden = !isAdmin
      await load()
    },
    clear() {
      reset()
      list.replaceChildren()
    },
  }
}
