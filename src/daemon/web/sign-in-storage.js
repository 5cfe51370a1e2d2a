/**
 * The sign-in of this browser, which its tabs share. It is in localStorage, so it stays when a tab is closed, until the user signs out or the
 * session ends. It contains no token: the refresh token is in a cookie that no script can read, and access tokens are in memory only.
 * @typedef {{account_id: string, profile_id?: string}} SignIn
 */

const STORAGE_KEY = 'phlix.sign-in'

/** Exists from a sign-out until the server has ended the session of the cookie. Meanwhile the browser counts as signed out. */
const SIGN_OUT_KEY = 'phlix.sign-out'

/** The key under which earlier versions of the page have stored tokens. */
const FORMER_KEY = 'phlix.tokens'

/** Only one tab uses the cookie at a time. */
const LOCK = 'phlix.tokens'

/** Access tokens of the tabs. */
const channel = new BroadcastChannel('phlix.tokens')

/** @returns {SignIn | null} */
export function readSignIn() {
  if (isSignOutPending()) return null
  const { account_id: accountId, profile_id: profileId } = read(STORAGE_KEY) ?? readFormer()
  return accountId === undefined ? null : { account_id: accountId, profile_id: profileId }
}

export const isSignOutPending = () => localStorage.getItem(SIGN_OUT_KEY) !== null

/** Before the sign-out is sent: the page may be closed, and the server may not answer. */
export const storeSignOut = () => localStorage.setItem(SIGN_OUT_KEY, '1')

/** The server has ended the session. */
export const removeSignOut = () => localStorage.removeItem(SIGN_OUT_KEY)

/** @param {SignIn | null} signIn */
export function storeSignIn(signIn) {
  localStorage.removeItem(FORMER_KEY)
  if (signIn === null) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, JSON.stringify(signIn))
}

/** The refresh token that an earlier version of the page has stored, until the next `storeSignIn`. @returns {string | undefined} */
export function readFormerToken() {
  return read(STORAGE_KEY) === null ? readFormer().refresh_token : undefined
}

const readFormer = () => read(FORMER_KEY) ?? {}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Gives the other tabs a new access token. @param {{access_token: string} & SignIn} token */
export function shareToken(token) {
  channel.postMessage(token)
}

/** The listener is called with the access tokens of other tabs. */
export function listenToTokens(listener) {
  channel.addEventListener('message', ({ data }) => listener(data))
}

/** The listener is called when another tab has changed the sign-in, or may have. */
export function listenToOtherTabs(listener) {
  addEventListener('storage', ({ key }) => [STORAGE_KEY, SIGN_OUT_KEY, null].includes(key) && listener())
  // A page that the browser shows again after its back button has received no events meanwhile.
  addEventListener('pageshow', ({ persisted }) => persisted && listener())
}

/**
 * Runs work while no other tab runs such work. Browsers have locks only with TLS or on localhost. Without them, two tabs may send the same
 * cookie, which the server accepts within a few seconds.
 */
export function runWithTabLock(work) {
  return navigator.locks === undefined ? work() : navigator.locks.request(LOCK, work)
}
