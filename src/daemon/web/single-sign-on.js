import { linkWithCode, signInOptions, signInWithCode, whenSignedOut } from './api.js'

/**
 * What the tab remembers while it is at the provider: `{verifier, subject, fragment}`. `subject`: the person to whom the account is to be
 * linked; `fragment`: that of the address where the sign-in began, for example the group of an invitation.
 */
const PENDING_KEY = 'phlix.single-sign-on'

const PROBLEMS = new Map([
  ['oidc_unavailable', 'The sign-in provider does not answer.'],
  ['oidc_request_expired', 'The sign-in has expired, or began at another address of this server. Please begin again.'],
  ['oidc_refused', 'The sign-in provider did not sign you in.'],
  ['oidc_invalid_reply', 'The answer of the sign-in provider is not valid.'],
])

const WITHOUT_ACCOUNT =
  'No account here belongs to you yet. If you have one, sign in with its password now: you can then link it. Otherwise ask the administrator.'

/**
 * The button that signs in at the OpenID provider, and what happens when the browser comes back.
 * @param {{
 *   button: HTMLButtonElement,
 *   problem: HTMLElement,
 *   passwordParts: Iterable<HTMLElement>,
 *   onUnknownPerson: (person: {subject: string, username: string | null, email: string | null, provider: string}) => void,
 * }} parts `passwordParts` are hidden if passwords are not accepted; `onUnknownPerson` gets a person who has no account
 */
export function createSingleSignOn({ button, problem, passwordParts, onUnknownPerson }) {
  /** @type {Promise<{password: boolean, oidc: {name: string, start_path: string} | null}> | undefined} */
  let options

  // Without https, or localhost, browsers compute no digests; providers ask for https as well.
  const readOptions = () =>
    (options ??= signInOptions().then(
      ({ password, oidc }) => ({ password, oidc: isSecureContext ? oidc : null }),
      (error) => {
        options = undefined
        throw error
      },
    ))

  /** @param {string} [subject] the person to whom the account is to be linked; absent: a sign-in */
  async function start(subject) {
    const { oidc } = await readOptions()
    const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
    const challenge = toBase64Url(
      new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
    )
    await whenSignedOut()
    sessionStorage.setItem(PENDING_KEY, JSON.stringify({ verifier, subject, fragment: location.hash }))
    const prompt = subject === undefined ? '' : '&prompt=login'
    location.assign(`${oidc.start_path}?client=web&challenge=${challenge}${prompt}`)
  }

  async function finish(code) {
    const pending = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? 'null')
    sessionStorage.removeItem(PENDING_KEY)
    if (pending === null) throw new Error(PROBLEMS.get('oidc_request_expired'))
    const { verifier, subject } = pending
    if (subject !== undefined) return linkWithCode(code, verifier, subject)
    const refusal = await signInWithCode(code, verifier)
    if (refusal === undefined) return
    if (refusal.code !== 'sign_in_without_account') throw new Error(refusal.message)
    onUnknownPerson({ ...refusal.person, provider: (await readOptions()).oidc?.name })
    throw new Error(WITHOUT_ACCOUNT)
  }

  button.addEventListener('click', () => {
    button.disabled = true
    start().catch((error) => {
      problem.textContent = error.message
      button.disabled = false
    })
  })
  // A page that the browser shows again by its back button.
  addEventListener('pageshow', () => (button.disabled = false))

  return {
    /** Shows the button if a provider is configured, and hides the form if passwords are not accepted here. */
    async offer() {
      const { password, oidc } = await readOptions().catch(() => ({ password: true, oidc: null }))
      button.hidden = oidc === null
      if (oidc !== null) button.textContent = `Sign in with ${oidc.name}`
      for (const part of passwordParts) part.hidden = !password
    },
    /**
     * Completes a sign-in that comes back from the provider; does nothing for other addresses.
     * @returns {Promise<string>} what has failed, else empty
     */
    async complete() {
      const [, kind, value] = /^#sign-in-(code|problem)=([\w-]{1,100})$/.exec(location.hash) ?? []
      if (kind === undefined) return ''
      const { fragment = '' } = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? '{}')
      history.replaceState(null, '', location.pathname + fragment)
      if (kind === 'problem') return PROBLEMS.get(value) ?? 'The sign-in has failed.'
      try {
        await finish(value)
        return ''
      } catch (error) {
        return error.message
      }
    },
    /** Goes to the provider, and links the account that is signed in if this person comes back. */
    startLink: start,
    /** Cancels a sign-in or link that was started and not completed. */
    forget: () => sessionStorage.removeItem(PENDING_KEY),
  }
}

function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
