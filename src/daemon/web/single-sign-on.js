import { call, linkWithCode, signInOptions, signInWithCode } from './api.js'

/** What the tab remembers while it is at the provider: `{verifier, purpose}`. */
const PENDING_KEY = 'phlix.single-sign-on'

const PROBLEMS = new Map([
  ['oidc_unavailable', 'The sign-in provider does not answer.'],
  ['oidc_request_expired', 'The sign-in has expired, or began at another address of this server. Please begin again.'],
  ['oidc_refused', 'The sign-in provider did not sign you in.'],
  ['oidc_invalid_reply', 'The answer of the sign-in provider is not valid.'],
])

const WITHOUT_ACCOUNT =
  'No account here belongs to you yet. If you have one, sign in with its password once: it is then linked. Otherwise ask the administrator.'

/**
 * The button that signs in at the OpenID provider, and what happens when the browser comes back.
 * @param {{button: HTMLButtonElement, problem: HTMLElement}} elements
 */
export function createSingleSignOn({ button, problem }) {
  /** Whether the account of the next sign-in with a password is linked to the person at the provider. */
  let isLinkWanted = false

  /** @type {Promise<{name: string, start_path: string} | null> | undefined} */
  let option

  // Without https, or localhost, browsers compute no digests; providers ask for https as well.
  const readOption = () =>
    (option ??= isSecureContext ? signInOptions().then(({ oidc }) => oidc) : Promise.resolve(null))

  /** @param {'sign-in' | 'link'} purpose */
  async function start(purpose) {
    const { start_path: path } = await readOption()
    const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
    const challenge = toBase64Url(
      new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
    )
    sessionStorage.setItem(PENDING_KEY, JSON.stringify({ verifier, purpose }))
    location.assign(`${path}?client=web&challenge=${challenge}`)
  }

  async function finish(code) {
    const pending = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? 'null')
    sessionStorage.removeItem(PENDING_KEY)
    if (pending === null) throw new Error(PROBLEMS.get('oidc_request_expired'))
    const { verifier, purpose } = pending
    if (purpose === 'link') return linkWithCode(code, verifier)
    const refusal = await signInWithCode(code, verifier)
    if (refusal === undefined) return
    isLinkWanted = refusal.code === 'sign_in_without_account'
    throw new Error(isLinkWanted ? WITHOUT_ACCOUNT : refusal.message)
  }

  button.addEventListener('click', () => {
    button.disabled = true
    start('sign-in').catch((error) => {
      problem.textContent = error.message
      button.disabled = false
    })
  })
  // A page that the browser shows again by its back button.
  addEventListener('pageshow', () => (button.disabled = false))

  return {
    /** Shows the button if a provider is configured. */
    async offer() {
      const found = await readOption().catch(() => null)
      button.hidden = found === null
      if (found !== null) button.textContent = `Sign in with ${found.name}`
    },
    /**
     * Completes a sign-in that comes back from the provider; does nothing for other addresses.
     * @returns {Promise<string>} what has failed, else empty
     */
    async complete() {
      const [, kind, value] = /^#sign-in-(code|problem)=([\w-]{1,100})$/.exec(location.hash) ?? []
      if (kind === undefined) return ''
      history.replaceState(null, '', location.pathname)
      if (kind === 'problem') return PROBLEMS.get(value) ?? 'The sign-in has failed.'
      try {
        await finish(value)
        return ''
      } catch (error) {
        return error.message
      }
    },
    /** Links the account after a sign-in with a password, if the person came from the provider without an account. */
    async linkIfWanted() {
      if (!isLinkWanted) return
      isLinkWanted = false
      await call('/api/v1/auth/me')
      await start('link')
    },
  }
}

function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
