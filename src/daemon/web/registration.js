import { register } from './api.js'

/** Codes are in the fragment of the address, which browsers do not send: `#setup=CODE` for the first account, `#invite=CODE` for others. */
const REASONS = {
  setup: 'This server has no account yet. The first one becomes its administrator.',
  invite: 'You are invited to this server.',
}

/**
 * The form that creates an account, for addresses with a code.
 * @param {HTMLFormElement} form
 * @param {() => void} onSignedIn
 */
export function createRegistration(form, onSignedIn) {
  const [username, email, password] = ['username', 'email', 'password'].map((name) => form.elements.namedItem(name))
  const [reason, problem] = ['register-reason', 'register-problem'].map((id) => document.getElementById(id))
  const button = form.querySelector('button')

  async function submit({ kind, code }) {
    button.disabled = true
    problem.textContent = ''
    try {
      const account = { username: username.value, email: email.value, password: password.value }
      const missing = await register({ ...account, [`${kind}_code`]: code })
      form.reset()
      history.replaceState(null, '', location.pathname)
      if (missing === undefined) {
        form.hidden = true
        onSignedIn()
      } else {
        // The code is used up, and the account waits for the approval of an administrator.
        problem.textContent = missing
        button.hidden = true
      }
    } catch (error) {
      problem.textContent = error.message
    } finally {
      button.disabled = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const brought = codeOf(location.hash)
    if (brought !== undefined) void submit(brought)
  })

  return {
    /** Shows the form if the address contains a code. @returns {boolean} whether it contains one */
    begin() {
      const brought = codeOf(location.hash)
      form.hidden = brought === undefined
      button.hidden = false
      if (brought === undefined) return false
      reason.textContent = REASONS[brought.kind]
      username.focus()
      return true
    },
  }
}

/** @returns {{kind: 'setup' | 'invite', code: string} | undefined} */
function codeOf(fragment) {
  const match = /^#(setup|invite)=([\w-]{1,200})$/.exec(fragment)
  return match === null ? undefined : { kind: match[1], code: match[2] }
}
