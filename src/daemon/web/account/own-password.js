import { requestJson } from '../api.js'

/**
 * The form in which people change their password.
 * @param {{form: HTMLFormElement, result: HTMLElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>, onChanged: () => Promise<void>}} needs `onChanged`: all other devices are signed out
 */
export function createOwnPassword({ form, result }, { guarded, onChanged }) {
  const { current, next, again } = form.elements

  async function change() {
    result.textContent = ''
    if (next.value !== again.value) throw new Error('The two new passwords are not the same. Nothing was changed.')
    const body = { current_password: current.value, new_password: next.value }
    await requestJson('/api/v1/users/me/password', body, { method: 'PUT' })
    form.reset()
    result.textContent = 'Your password is changed. All other devices are signed out; API keys still work.'
    await onChanged()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void guarded(change)
  })

  return {
    clear() {
      form.reset()
      result.textContent = ''
    },
  }
}
