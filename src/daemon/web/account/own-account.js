import { requestJson, requestFile, currentUser, signInAgain } from '../api.js'

const ACCOUNT = '/api/v1/users/me'

/**
 * The e-mail address of the user, a copy of everything that is stored, and the end of the account. An action that needs a recent sign-in
 * prompts for the password, and then goes on.
 * @param {HTMLElement} section
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>, onDeleted: () => void}} needs
 */
export function createOwnAccount(section, { guarded, onDeleted }) {
  const part = (id) => section.querySelector(`#${id}`)
  const [emailForm, exportButton, deleteForm, result, again] = [
    'email-form',
    'own-export',
    'delete-form',
    'own-result',
    'again-form',
  ].map(part)
  const [email, confirmation, password] = [
    emailForm.elements.namedItem('email'),
    deleteForm.elements.namedItem('confirmation'),
    again.elements.namedItem('password'),
  ]
  /** What goes on after the password. */
  let waiting

  async function withRecentSignIn(work) {
    try {
      await work()
    } catch (error) {
      if (error.code !== 'recent_sign_in_required') throw error
      waiting = work
      again.hidden = false
      password.focus()
    }
  }

  async function changeEmail() {
    result.textContent = ''
    const { user } = await requestJson(`${ACCOUNT}/email`, { email: email.value }, { method: 'PUT' })
    result.textContent = `Your address is ${user.email} now.`
  }

  async function download() {
    result.textContent = 'Collecting your data …'
    try {
      const file = await requestFile(`${ACCOUNT}/export`)
      const link = document.createElement('a')
      link.href = URL.createObjectURL(file)
      link.download = 'phlix-account.json'
      link.click()
      URL.revokeObjectURL(link.href)
      result.textContent = 'Your data are downloaded.'
    } catch (error) {
      result.textContent = ''
      throw error
    }
  }

  async function remove() {
    const { username } = await currentUser()
    if (confirmation.value !== username) throw new Error(`Your name is ${username}. Nothing was deleted.`)
    await withRecentSignIn(async () => {
      await requestJson(ACCOUNT, undefined, { method: 'DELETE' })
      onDeleted()
    })
  }

  function onSubmit(form, work) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void guarded(work)
    })
  }

  onSubmit(emailForm, () => withRecentSignIn(changeEmail))
  onSubmit(deleteForm, remove)
  onSubmit(again, async () => {
    await signInAgain(password.value)
    const work = waiting
    forget()
    await work?.()
  })
  exportButton.addEventListener('click', () => void guarded(() => withRecentSignIn(download)))

  function forget() {
    waiting = undefined
    again.reset()
    again.hidden = true
  }

  return {
    withRecentSignIn,
    async load() {
      email.value = (await currentUser()).email
    },
    clear() {
      forget()
      emailForm.reset()
      deleteForm.reset()
      result.textContent = ''
    },
  }
}
