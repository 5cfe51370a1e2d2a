import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerUser()

const LOGOUT = '**/api/v1/auth/web/logout'
const NOTICE = '#pending-sign-out'

const statusOf = async (token: string): Promise<number> =>
  (await server.ask('GET', '/api/v1/auth/me', { token })).status

/** A page that is signed in, its access token, and the names of its requests with the cookie from then on. */
async function openSignedIn(t: Test, prepare?: (page: Page) => Promise<void>) {
  const { page } = await openPage(t, server.baseUrl, prepare)
  const adopted = page.waitForResponse('**/auth/web/adopt')
  await signIn(page, 'user')
  const { access_token: token } = (await (await adopted).json()) as { access_token: string }
  const sent: string[] = []
  page.on('request', (request) => {
    const name = /\/auth\/web\/(\w+)$/.exec(request.url())?.[1]
    if (name !== undefined) sent.push(name)
  })
  return { page, token, sent }
}

/** Signs out while the server does not answer. */
async function signOutWithoutServer(page: Page): Promise<void> {
  await page.route(LOGOUT, (route) => route.abort())
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  await page.waitForSelector(NOTICE)
}

for (const [name, viewport] of Object.entries(SIZES))
  void t.test(`a sign-out that did not reach the server is said, and is sent by the next page (${name})`, async (t) => {
    const { page, token, sent } = await openSignedIn(t, (opened) => opened.setViewportSize(viewport))
    await signOutWithoutServer(page)
    t.match(await page.textContent(NOTICE), /cannot be reached.+signed out here when the server can be reached/)
    t.ok(await fitsWindow(page))
    t.equal(await statusOf(token), 200, 'the server has not heard of it')
    await page.reload()
    await page.waitForSelector(NOTICE)
    t.ok(await page.isVisible('#sign-in'))
    await page.unroute(LOGOUT)
    await page.reload()
    await page.waitForSelector('#sign-in:not([hidden])')
    await waitUntil('the session has ended', async () => (await statusOf(token)) === 401)
    await waitUntil('the cookie is deleted', async () => (await page.context().cookies()).length === 0)
    t.strictSame(sent, ['logout', 'logout', 'logout'], 'nothing else is sent with the cookie')
    t.notOk(await page.isVisible(NOTICE))
    await page.reload()
    await page.waitForSelector('#sign-in:not([hidden])')
    t.equal(sent.length, 3, 'it is sent once')
  })

void t.test('the next sign-in first ends the session of a sign-out that did not reach the server', async (t) => {
  const { page, token, sent } = await openSignedIn(t)
  await signOutWithoutServer(page)
  const login = page.waitForResponse('**/api/v1/auth/login')
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  const { access_token: refused } = (await (await login).json()) as { access_token: string }
  await page.waitForSelector('#sign-in-problem:has-text("does not answer")')
  t.strictSame(sent, ['logout', 'logout'], 'no session begins before')
  await waitUntil('the session that could not begin has ended', async () => (await statusOf(refused)) === 401)
  await page.unroute(LOGOUT)
  await signIn(page, 'user')
  t.equal(await statusOf(token), 401)
  t.strictSame(sent, ['logout', 'logout', 'logout', 'adopt'])
  t.notOk(await page.isVisible(NOTICE))
})

void t.test('the notice is removed when another tab has reached the server', async (t) => {
  const { page } = await openSignedIn(t)
  await signOutWithoutServer(page)
  const second = await page.context().newPage()
  await second.goto(server.baseUrl)
  await waitUntil('it is removed', async () => (await page.locator(NOTICE).count()) === 0)
  t.equal(await second.locator(NOTICE).count(), 0)
})

const USE_COOKIE = `new Promise((begun) => {
  void navigator.locks.request('phlix.tokens', () => {
    begun()
    return new Promise((resolve) => (window.endUse = resolve))
  })
})`

/** What a sign-in of this tab does while it has the lock: it ends the pending sign-out first. */
const SIGN_IN = `(async () => {
  const send = async (path, body) =>
    (await fetch('/api/v1/auth/' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-phlix-web': '1' },
      body: JSON.stringify(body),
    })).json()
  await send('web/logout', {})
  localStorage.removeItem('phlix.sign-out')
  const { refresh_token } = await send('login', { username: 'user', password: 'correct horse' })
  const { access_token } = await send('web/adopt', { refresh_token })
  return access_token
})()`

void t.test('a sign-out that waits for another tab does not end the session that this one begins', async (t) => {
  const { page, token, sent } = await openSignedIn(t)
  const second = await page.context().newPage()
  await second.goto(server.baseUrl)
  await second.waitForSelector('#films:not([hidden])')
  await second.evaluate(USE_COOKIE)
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  const later = await second.evaluate<string>(SIGN_IN)
  t.strictSame(sent, [], 'another tab uses the cookie')
  await second.evaluate('window.endUse()')
  await page.evaluate(`navigator.locks.request('phlix.tokens', () => {})`)
  t.strictSame(sent, [], 'the other tab has done it')
  t.strictSame([await statusOf(token), await statusOf(later)], [401, 200])
})
