/**
 * The sign-in of this browser, which its tabs share: `{access_token, refresh_token, account_id, profile_id, is_at_provider}`. It is in localStorage, so it
 * stays when a tab is closed, until somebody signs out or the refresh token expires.
 * @typedef {{access_token: string, refresh_token: string, account_id: string, profile_id?: string, is_at_provider: boolean}} SignIn
 */

const STORAGE_KEY = 'phlix.tokens'

/** Only one tab renews the tokens at a time. */
const LOCK = 'phlix.tokens'

/** @returns {SignIn | null} */
export function readSignIn() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
  } catch {
    return null
  }
}

/** @param {SignIn | null} signIn */
export function storeSignIn(signIn) {
  if (signIn === null) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, JSON.stringify(signIn))
}

/** The listener is called when another tab has changed the sign-in, or may have. */
export function listenToOtherTabs(listener) {
  addEventListener('storage', ({ key }) => (key === STORAGE_KEY || key === null) && listener())
  // A page that the browser shows again by its back button has heard of nothing meanwhile.
  addEventListener('pageshow', ({ persisted }) => persisted && listener())
}

/**
 * Does work while no other tab does. Two tabs may still send the same refresh token, which the server accepts within a few seconds: browsers
 * have locks only with TLS or on localhost, and Chromium may grant a lock before the storage of the previous holder arrives.
 */
export function whileOthersWait(work) {
  return navigator.locks === undefined ? work() : navigator.locks.request(LOCK, work)
}
