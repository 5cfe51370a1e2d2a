import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerAdmin()
await server.registerUser()

const GROUP = '00000000-0000-4000-8000-000000000000'

async function signIn(page: Page, username: string): Promise<void> {
  await page.fill('#username', username)
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#films:not([hidden])')
}

/** Two tabs of one browser; the second one was opened when the first was signed in. */
async function openTabs(t: Test, prepare?: (page: Page) => Promise<void>): Promise<[Page, Page]> {
  const { page: first } = await openPage(t, server.baseUrl, prepare)
  await signIn(first, 'user')
  const second = await first.context().newPage()
  await prepare?.(second)
  await second.goto(server.baseUrl)
  await second.waitForSelector('#films:not([hidden])')
  return [first, second]
}

void t.test(
  'a new tab is signed in; signing out in one tab ends the sign-in of all, and signing in begins it',
  async (t) => {
    const tabs = await openTabs(t)
    const [first, second] = tabs
    t.notOk(await second.isVisible('#sign-in'))
    await second.click('#sign-out')
    for (const tab of tabs) await tab.waitForSelector('#sign-in:not([hidden])')
    t.equal(await first.textContent('#sign-in-problem'), 'You have signed out in another tab.')
    t.equal(await first.locator('#views .film').count(), 0)
    await waitUntil('the cookie is deleted', async () => (await first.context().cookies()).length === 0)
    await signIn(first, 'user')
    t.ok(await second.waitForSelector('#films:not([hidden])'))
  },
)

async function withoutLocks(page: Page): Promise<void> {
  await page.addInitScript(`Object.defineProperty(navigator, 'locks', { value: undefined })`)
}

for (const [name, prepare] of [
  ['with a lock', undefined],
  ['without locks', withoutLocks],
] as const)
  void t.test(`tabs that need a token at the same time stay signed in, ${name}`, async (t) => {
    const [first, second] = await openTabs(t, prepare)
    const context = first.context()
    let refreshes = 0
    context.on('request', (request) => (refreshes += Number(request.url().endsWith('/auth/web/refresh'))))
    await second.close()
    const tabs = [await context.newPage(), await context.newPage()]
    for (const tab of tabs) await prepare?.(tab)
    await Promise.all(tabs.map((tab) => tab.goto(server.baseUrl)))
    for (const tab of tabs) await tab.waitForSelector('#empty:not([hidden])')
    t.ok(refreshes > 0 && refreshes <= 2, `${refreshes} refreshes`)
    for (const tab of tabs) {
      await tab.reload()
      await tab.waitForSelector('#empty:not([hidden])')
    }
  })

void t.test('an expired access token is renewed once, and the other tab uses the new one', async (t) => {
  const [first, second] = await openTabs(t)
  const sent: string[] = []
  let refreshes = 0
  first.context().on('request', (request) => (refreshes += Number(request.url().endsWith('/auth/web/refresh'))))
  for (const tab of [first, second])
    await tab.route('**/api/v1/search?**', (route) => {
      const token = route.request().headers()['authorization'] ?? ''
      sent.push(token)
      // The one that both had is refused.
      return token === sent[0] ? route.fulfill({ status: 401, json: { code: 'auth.required' } }) : route.continue()
    })
  for (const tab of [first, second]) {
    await tab.fill('#query', 'nothing')
    await tab.press('#query', 'Enter')
    await waitUntil('a search was sent', () => Promise.resolve(sent.length >= 2))
    await tab.waitForSelector('#empty:not([hidden])')
  }
  t.equal(refreshes, 1)
  t.ok(new Set(sent).size === 2, 'the other tab has not sent the refused token after the renewal')
})

/** What a sign-in of another tab leaves: the cookie, and who is signed in. */
const SIGN_IN_AS_ADMIN = `(async () => {
  const send = async (path, body, headers = {}) =>
    (await fetch('/api/v1/auth/' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })).json()
  const { refresh_token } = await send('login', { username: 'admin', password: 'correct horse' })
  const adopted = await send('web/adopt', { refresh_token }, { 'x-phlix-web': '1' })
  const signIn = { account_id: adopted.user.id, profile_id: adopted.profile.id }
  localStorage.setItem('phlix.sign-in', JSON.stringify(signIn))
  return adopted.access_token
})()`

const statusOf = async (token: string): Promise<number> =>
  (await server.ask('GET', '/api/v1/auth/me', { token })).status

void t.test('a tab of an account does not act for another one that signs in later', async (t) => {
  const [first, second] = await openTabs(t)
  const [token] = await Promise.all([second.evaluate<string>(SIGN_IN_AS_ADMIN), first.waitForEvent('load')])
  await first.waitForSelector('#films:not([hidden])')
  t.equal(await statusOf(token), 200)
  await first.click('#sign-out')
  await waitUntil('the session of the other account has ended', async () => (await statusOf(token)) === 401)
})

void t.test('a tab that has not heard of the other account does not end its session', async (t) => {
  const { page } = await openPage(t, server.baseUrl, async (page) => {
    await page.addInitScript(`addEventListener('storage', (event) => event.stopImmediatePropagation())`)
  })
  await signIn(page, 'user')
  const other = await page.context().newPage()
  await other.goto(server.baseUrl)
  await other.waitForSelector('#films:not([hidden])')
  const token = await other.evaluate<string>(SIGN_IN_AS_ADMIN)
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  await other.reload()
  await other.waitForSelector('#films:not([hidden])')
  t.equal(await statusOf(token), 200)
})

void t.test('a server that is too busy to renew the token does not end the sign-in', async (t) => {
  const [first] = await openTabs(t)
  await first.route('**/auth/web/refresh', (route) =>
    route.fulfill({ status: 429, json: { message: 'Too many requests.' } }),
  )
  await first.reload()
  await waitUntil('the page says so', async () => (await first.textContent('#list-problem')) === 'Too many requests.')
  await first.unroute('**/auth/web/refresh')
  await first.reload()
  t.ok(await first.waitForSelector('#empty:not([hidden])'))
})

void t.test('the sign-in form says that an invitation waits', async (t) => {
  const { page } = await openPage(t, `${server.baseUrl}/#watch=${GROUP}`)
  await page.waitForSelector('#sign-in:not([hidden])')
  t.match(await page.textContent('#invitation'), /invited to watch together/)
  t.ok(await page.isVisible('#invitation'))
  const { page: plain } = await openPage(t, server.baseUrl)
  await plain.waitForSelector('#sign-in:not([hidden])')
  t.notOk(await plain.isVisible('#invitation'))
})
