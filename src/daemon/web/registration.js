import { checkInvite, register, signInOptions } from './api.js'

/** Codes are in the fragment of the address, which browsers do not send: `#setup=CODE` for the first account, `#invite=CODE` for others. */
const REASONS = {
  setup: 'This server has no account yet. The first one becomes its administrator.',
  invite: 'You are invited to this server.',
}

/** Why a code does not help any more. Other failures are shown in the words of the server. */
const REFUSALS = {
  invite_expired: 'This invitation has expired. Ask the person who sent it to you for a new one.',
  invite_revoked: 'This invitation was withdrawn. Ask the person who sent it to you.',
  invite_unknown: 'There is no such invitation. Check that the whole address was copied.',
  invite_used: 'This invitation was already used. If you have an account, sign in; otherwise ask for a new one.',
  setup_code_required: 'The setup code is missing or not right. On the server, “phlix setup:code” prints it.',
}

/**
 * The form that creates an account, for addresses with a code, and on a server without an account.
 * @param {HTMLFormElement} form
 * @param {{onSignedIn: () => void, onSignInWanted: () => void}} events `onSignInWanted`: the visitor prefers the form for the sign-in
 */
export function createRegistration(form, { onSignedIn, onSignInWanted }) {
  const [username, email, password] = ['username', 'email', 'password'].map((name) => form.elements.namedItem(name))
  const [reason, problem] = ['register-reason', 'register-problem'].map((id) => document.getElementById(id))
  const button = form.querySelector('[type=submit]')
  const toSignIn = document.getElementById('register-sign-in')
  const [setup, setupCode] = ['setup', 'setup-code'].map((id) => document.getElementById(id))
  /** Whether the server has no account yet, and the address has no code. */
  let isFirst = false

  const broughtCode = () =>
    codeOf(location.hash) ?? (isFirst ? { kind: 'setup', code: setupCode.value.trim() } : undefined)

  async function submit({ kind, code }) {
    button.disabled = true
    problem.textContent = ''
    try {
      const account = { username: username.value, email: email.value, password: password.value }
      // On the server itself the first account needs no code.
      const missing = await register({ ...account, ...(code === '' ? {} : { [`${kind}_code`]: code }) })
      form.reset()
      isFirst = false
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
      refuse(error)
    } finally {
      button.disabled = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const brought = broughtCode()
    if (brought !== undefined) void submit(brought)
  })
  toSignIn.addEventListener('click', () => {
    form.hidden = true
    history.replaceState(null, '', location.pathname)
    onSignInWanted()
  })

  /** The fields of a form that would be refused are not shown. */
  function showFields(isShown) {
    button.hidden = !isShown
    for (const label of form.querySelectorAll('label')) label.hidden = !isShown
    toSignIn.hidden = isShown
  }

  function refuse(error) {
    const cause = causeOf(error)
    problem.textContent = REFUSALS[cause] ?? error.message
    if (isFinal(cause)) showFields(false)
  }

  /** Before the form is filled in. */
  async function showInviteProblem(code) {
    try {
      await checkInvite(code)
    } catch (error) {
      const isShown = !form.hidden && codeOf(location.hash)?.code === code
      if (isShown && isFinal(causeOf(error))) refuse(error)
    }
  }

  function open(kind) {
    form.hidden = false
    showFields(true)
    problem.textContent = ''
    reason.textContent = REASONS[kind]
    // The page begins at its top, where the form says what it is for.
    username.focus({ preventScroll: true })
    scrollTo(0, 0)
  }

  return {
    /** Shows the form if the address contains a code. @returns {boolean} whether it contains one */
    begin() {
      const brought = codeOf(location.hash)
      form.hidden = true
      isFirst = false
      setup.hidden = true
      if (brought === undefined) return false
      open(brought.kind)
      if (brought.kind === 'invite') void showInviteProblem(brought.code)
      return true
    },
    /**
     * Shows the form if the server has no account yet: nobody could sign in, unless a provider signs in new people.
     * @param {() => boolean} isWanted asked when the server has answered
     * @returns {Promise<boolean>} whether it is shown
     */
    async beginFirst(isWanted) {
      const options = await signInOptions().catch(() => undefined)
      if (!options?.needs_first_account || !isWanted()) return false
      isFirst = true
      setup.hidden = false
      open('setup')
      toSignIn.hidden = options.oidc === null
      return true
    },
  }
}

/** @returns {{kind: 'setup' | 'invite', code: string} | undefined} */
function codeOf(fragment) {
  const match = /^#(setup|invite)=([\w-]{1,200})$/.exec(fragment)
  return match === null ? undefined : { kind: match[1], code: match[2] }
}

/** Several causes have one code: the server names the cause of a refused invitation in `reason`. */
function causeOf({ reason, code = '' }) {
  return reason ?? code
}

/** Whether another name or password does not help. */
function isFinal(cause) {
  return cause.startsWith('invite_') || cause === 'registration_closed'
}
