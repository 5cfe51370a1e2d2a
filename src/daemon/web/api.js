import {
  isSignOutPending,
  listenToOtherTabs,
  listenToTokens,
  readFormerToken,
  readSignIn,
  removeSignOut,
  shareToken,
  storeSignIn,
  storeSignOut,
  runWithTabLock,
} from './sign-in-storage.js'
import { showPendingSignOut } from './pending-sign-out.ts'
import { asSentence, refusalOf } from './refusal.ts'

/**
 * Requests to the server. The tabs of a browser share one sign-in. Its refresh token is in a cookie that only `/api/v1/auth/web` gets; access
 * tokens are in the memory of the tabs, and never in addresses.
 */

/** Recognises this browser at its next sign-in. It is no secret and stays when the tab is closed. */
const DEVICE_KEY = 'phlix.deviceId'

let deviceId = localStorage.getItem(DEVICE_KEY)

/** @type {import('./sign-in-storage.js').SignIn | null} */
let kept = readSignIn()

/** Undefined before the first request, and without a sign-in. @type {string | undefined} */
let accessToken

/** The newest token of another tab. @type {({access_token: string} & import('./sign-in-storage.js').SignIn) | undefined} */
let received

/** @type {Promise<boolean> | undefined} */
let refreshing

/** The end of the former session, whose reply deletes the cookie. An earlier page may not have reached the server. */
let ending = endSession()

listenToTokens((token) => {
  received = token
  takeReceived()
})

export const isSignedIn = () => kept !== null

/**
 * Follows the other tabs of this browser: who signs in or out in one of them does so in all.
 * @param {{onSignedIn: () => void, onSignedOut: () => void, onOtherAccount: () => void}} listeners
 */
export function followOtherTabs({ onSignedIn, onSignedOut, onOtherAccount }) {
  listenToOtherTabs(() => {
    const before = kept
    const isSameAccount = takeKept()
    if (!isSignOutPending()) showPendingSignOut(false)
    if (isSameAccount) return before === null && onSignedIn()
    // Without a sign-in here there is nothing to end.
    if (before !== null) (readSignIn() === null ? onSignedOut : onOtherAccount)()
  })
}

/** Signs in. Rejects with an error whose message is shown to the user. */
export async function signIn(username, password) {
  const reply = await send('/api/v1/auth/login', { body: { username, password }, headers: deviceHeaders() })
  if (!reply.ok) throw new Error(reply.status === 401 ? 'Name or password is not right.' : await problemOf(reply))
  await adopt(await reply.json())
}

/**
 * Creates an account and signs in.
 * @param {{username: string, email: string, password: string, setup_code?: string, invite_code?: string}} account
 * @returns {Promise<string | undefined>} a message if an administrator has to approve the account first
 */
export async function register(account) {
  const reply = await send('/api/v1/auth/register', { body: account, headers: deviceHeaders() })
  if (!reply.ok) throw await refusalOf(reply)
  const answer = await reply.json()
  if (reply.status === 202) return answer.message
  await adopt(answer)
}

/** The ways to sign in: `{password, oidc}`. */
export async function signInOptions() {
  const reply = await send('/api/v1/auth/options', {})
  if (!reply.ok) throw new Error(await problemOf(reply))
  return reply.json()
}

/** Rejects with an error that has a `code`, perhaps a `reason` too, if the invitation cannot be used. Who is invited is not signed in yet. */
export async function checkInvite(code) {
  const reply = await send('/api/v1/auth/invite', { body: { invite_code: code } })
  if (!reply.ok) throw await refusalOf(reply)
}

/**
 * Asks for a code with which somebody can sign this device in from another one.
 * @returns {Promise<{code: string, device_code: string, interval: number}>}
 */
export async function requestDeviceCode() {
  const reply = await send('/api/v1/auth/quick-connect/initiate', { body: {}, headers: deviceHeaders() })
  if (!reply.ok) throw new Error(await problemOf(reply))
  return reply.json()
}

/**
 * Polls whether the code was approved, and signs in if it was. Rejects with an error for the user when the code is no longer valid.
 * @returns {Promise<{isSignedIn: boolean, interval: number}>} `interval`: seconds until the next poll
 */
export async function pollCode({ code, device_code, interval }) {
  const reply = await send(`/api/v1/auth/quick-connect/${code}/token`, { body: { device_code } }).catch(() => undefined)
  // The server may be starting, or too many devices ask.
  if (reply === undefined || reply.status >= 429) return { isSignedIn: false, interval }
  const answer = await reply.json()
  if (reply.ok) {
    await adopt(answer)
    return { isSignedIn: true, interval }
  }
  const isWaiting = answer.code === 'authorization_pending' || answer.code === 'slow_down'
  if (!isWaiting) throw new Error(asSentence(answer.message ?? answer.error))
  return { isSignedIn: false, interval: answer.interval }
}

/** Gives up a code, so that it does not count as open. The request continues after the page is closed. */
export function cancelCode({ code, device_code }) {
  const headers = { 'x-device-code': device_code }
  const address = `/api/v1/auth/quick-connect/${code}`
  // Without it the code expires by itself.
  void send(address, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
}

/**
 * Signs in with the one-time code of the OpenID provider.
 * @returns {Promise<{code: string, message: string, person?: {subject: string, username: string | null, email: string | null}} | undefined>}
 *   why the server refuses; `person` has no account
 */
export async function signInWithCode(code, verifier) {
  const reply = await send('/api/v1/auth/oidc/token', { body: { code, verifier }, headers: deviceHeaders() })
  const answer = await reply.json()
  if (!reply.ok)
    return { code: answer.code, message: asSentence(answer.message ?? answer.error), person: answer.person }
  await adopt(answer)
}

/** Links the signed-in account to the person at the OpenID provider, if it is the given one. */
export async function linkWithCode(code, verifier, subject) {
  await requestJson('/api/v1/auth/oidc/link', { code, verifier, subject })
}

/** The account that is signed in. */
export async function currentUser() {
  return (await requestJson('/api/v1/auth/me')).user
}

/** The profile in use. */
export async function currentProfile() {
  return (await requestJson('/api/v1/auth/me')).profile
}

/**
 * Continues as another profile of the account.
 * @param {{pin?: string, password?: string}} proof
 */
export async function switchProfile(id, proof) {
  keep(await requestJson(`/api/v1/profiles/${id}/switch`, proof))
}

/**
 * Proves with the password who is signed in: a new session replaces the present one, which the server ends. It would begin in the main profile:
 * in another one, the present goes on.
 */
export async function signInAgain(password) {
  const { user, profile } = await requestJson('/api/v1/auth/me')
  if (!profile.is_main) return switchProfile(profile.id, { password })
  await signIn(user.username, password)
}

/**
 * Ends the sign-in of this browser and notifies the server, which ends the session even if the page does not wait for the reply. If the server
 * cannot be reached, the next page that is opened notifies it. A session that began at the OpenID provider ends there too: the page goes there
 * and comes back.
 */
export function signOut() {
  const token = accessToken
  // Nothing is ended twice: another tab may be signed in to another account by now.
  if (kept === null || !takeKept()) return
  storeSignOut()
  forget()
  ending = endSession(token)
}

/** Resolves when the reply to a sign-out has emptied the storage of the browser. */
export const whenSignedOut = () => ending

/** Ends the session of a sign-out that the server has not confirmed, and tells the user if it cannot be ended now. */
async function endSession(token) {
  if (!isSignOutPending()) return
  // The provider has opened this page, for the next sign-in.
  const isSigningIn = location.hash.startsWith('#sign-in-')
  try {
    const address = await runWithTabLock(() => finishSignOut(token))
    if (address !== null && !isSigningIn) location.assign(address)
  } catch {
    showPendingSignOut(true)
  }
}

/**
 * Nothing else is sent with the cookie before.
 * @returns {Promise<string | null>} where the browser signs out of the OpenID provider
 */
async function finishSignOut(token) {
  // Another tab may have done it, and somebody may have signed in since.
  if (!isSignOutPending()) return null
  const reply = await sendAsPage('logout', {}, token)
  if (!reply.ok) throw await refusalOf(reply)
  removeSignOut()
  showPendingSignOut(false)
  // The reply has emptied the storage of the browser.
  if (deviceId !== null) localStorage.setItem(DEVICE_KEY, deviceId)
  return (await reply.json()).address
}

/**
 * Sends a GET, or a POST when there is a body, and returns the JSON of the reply. Concurrent requests share one renewal of an expired
 * access token. Rejects with `SignedOut` when the session is over.
 * @param {{keepalive?: boolean, method?: string, headers?: Record<string, string>}} [options] `keepalive`: the request continues after the page
 *   is closed
 */
export async function requestJson(address, body, options = {}) {
  // Without a token the server would only refuse the request.
  if (accessToken === undefined) await renew()
  const used = accessToken
  let reply = await send(address, { body, token: used, ...options })
  if (reply.status === 401) {
    await renew(used)
    reply = await send(address, { body, token: accessToken, ...options })
  }
  if (!reply.ok) throw await refusalOf(reply)
  return reply.status === 204 ? undefined : reply.json()
}

/** Sends a GET and returns the reply as a file. Rejects with `SignedOut` when the session is over. */
export async function requestFile(address) {
  const reply = await send(address, { token: await getValidAccessToken() })
  if (!reply.ok) throw await refusalOf(reply)
  return reply.blob()
}

/** Gets an access token that the server still accepts, for a WebSocket. Rejects with `SignedOut` when the session is over. */
export async function getValidAccessToken() {
  await requestJson('/api/v1/auth/me')
  return accessToken
}

/** Requests a new access token, for a WebSocket whose token ends soon. Rejects with `SignedOut` when the session is over. */
export async function renewAccessToken() {
  await renew()
  return accessToken
}

export class SignedOut extends Error {}

/** What a page says after `SignedOut`. The reply does not tell which of the causes it was. */
export const SESSION_ENDED =
  'Your session has ended: it was signed out on another device or by an administrator, or was not used for long. Please sign in again.'

/**
 * Replaces an access token, unless it already was. Concurrent requests share one renewal.
 * @param {string | undefined} used the present one if it is not given
 */
async function renew(used = accessToken) {
  refreshing ??= runWithTabLock(() => refresh(used)).finally(() => (refreshing = undefined))
  if (!(await refreshing)) throw new SignedOut()
}

async function refresh(used) {
  if (!takeKept()) return false
  // Another tab has renewed it.
  if (accessToken !== used) return true
  const former = readFormerToken()
  const reply = await (former === undefined ? sendAsPage('refresh') : sendAsPage('adopt', { refresh_token: former }))
  if (reply.ok) return keepRenewed(await reply.json())
  // Too many requests, a server that starts, and a proxy that is not set up end no sign-in.
  if (reply.status !== 401) throw await refusalOf(reply)
  forget()
  return false
}

/** @returns {boolean | Promise<never>} false if the user has signed out meanwhile */
function keepRenewed(reply) {
  if (kept === null) return false
  const isSame = profileOf(signInOf(reply)) === profileOf(kept)
  keep(reply)
  if (isSame) return true
  // Another tab has changed the profile, or the reply to the change was lost: everything that the page shows belongs to the former one.
  location.reload()
  return new Promise(() => {})
}

/** Moves the refresh token of a new session into the cookie. */
async function adopt({ refresh_token: refreshToken }) {
  await ending
  await runWithTabLock(async () => {
    try {
      await finishSignOut()
      const reply = await sendAsPage('adopt', { refresh_token: refreshToken })
      if (!reply.ok) throw await refusalOf(reply)
      keep(await reply.json())
    } catch (error) {
      // Nobody could end the session later.
      await send('/api/v1/auth/logout', { body: { refresh_token: refreshToken } }).catch(() => {})
      throw error
    }
  })
}

/** Uses the sign-in that another tab has stored. @returns {boolean} whether this page is signed in, as the same profile as before if it was */
function takeKept() {
  const stored = readSignIn()
  const isSame = stored !== null && (kept === null || profileOf(stored) === profileOf(kept))
  // That of another account or profile is not used: the page shows what the former one sees.
  kept = isSame ? stored : null
  if (!isSame) accessToken = undefined
  takeReceived()
  return isSame
}

/** Uses the token of another tab, if it is one of the same profile. */
function takeReceived() {
  if (received === undefined || kept === null || profileOf(received) !== profileOf(kept)) return
  accessToken = received.access_token
  received = undefined
}

/** Main profiles have the id of their account; what was stored before there were profiles is of one, and a hub has no profiles. */
const profileOf = ({ account_id: accountId, profile_id: profileId }) => profileId ?? accountId

function deviceHeaders() {
  deviceId ??= localStorage.getItem(DEVICE_KEY)
  if (deviceId === null) {
    // `randomUUID` is missing on pages without TLS.
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    deviceId = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    localStorage.setItem(DEVICE_KEY, deviceId)
  }
  return { 'x-phlix-device-id': deviceId }
}

const signInOf = ({ user, profile }) => ({ account_id: user.id, profile_id: profile?.id })

function keep(reply) {
  kept = signInOf(reply)
  accessToken = reply.access_token
  received = undefined
  storeSignIn(kept)
  shareToken({ access_token: accessToken, ...kept })
}

function forget() {
  kept = null
  accessToken = undefined
  received = undefined
  storeSignIn(null)
}

/** A request to the routes that read the cookie. It continues after the page is closed, because its reply replaces the cookie. */
function sendAsPage(name, body = {}, token) {
  return send(`/api/v1/auth/web/${name}`, { body, token, headers: { 'x-phlix-web': '1' }, keepalive: true })
}

async function send(address, { body, token, keepalive = false, method, headers = {} }) {
  try {
    return await fetch(address, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      keepalive,
    })
  } catch (error) {
    throw new Error('The server does not answer.', { cause: error })
  }
}

async function problemOf(reply) {
  return (await refusalOf(reply)).message
}
