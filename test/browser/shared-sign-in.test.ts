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

const expireTokens = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('phlix.tokens') ?? '') as object
    localStorage.setItem('phlix.tokens', JSON.stringify({ ...kept, access_token: 'expired' }))
  })

void t.test(
  'a new tab is signed in; signing out in one tab ends the sign-in of all, and signing in begins it',
  async (t) => {
    const tabs = await openTabs(t)
    const [first, second] = tabs
    t.notOk(await second.isVisible('#sign-in'))
    await second.click('#sign-out')
    for (const tab of tabs) await tab.waitForSelector('#sign-in:not([hidden])')
    t.equal(await first.textContent('#sign-in-problem'), 'You have signed out in another tab.')
    t.equal(await first.locator('#list li').count(), 0)
    t.equal(await first.evaluate(`localStorage.getItem('phlix.tokens')`), null)
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
  void t.test(`tabs whose tokens have expired at the same time stay signed in, ${name}`, async (t) => {
    const [first, second] = await openTabs(t, prepare)
    const context = first.context()
    let refreshes = 0
    context.on('request', (request) => (refreshes += Number(request.url().endsWith('/auth/refresh'))))
    // A tab that is reloaded may lose the answer to its own renewal, and ask again.
    await second.close()
    const tabs = [await context.newPage(), await context.newPage()]
    for (const tab of tabs) await prepare?.(tab)
    await expireTokens(first)
    await Promise.all(tabs.map((tab) => tab.goto(server.baseUrl)))
    for (const tab of tabs) await tab.waitForSelector('#empty:not([hidden])')
    t.ok(refreshes > 0, 'the tokens are renewed')
    await expireTokens(first)
    for (const tab of tabs) {
      await tab.reload()
      await tab.waitForSelector('#empty:not([hidden])')
    }
  })

void t.test('a tab of an account does not act for another one that signs in later', async (t) => {
  const [first, second] = await openTabs(t)
  const { page: other } = await openPage(t, server.baseUrl)
  await signIn(other, 'admin')
  const tokens = await other.evaluate<string>(`localStorage.getItem('phlix.tokens')`)
  await Promise.all([
    first.waitForEvent('load'),
    second.evaluate((text) => localStorage.setItem('phlix.tokens', text), tokens),
  ])
  await first.waitForSelector('#films:not([hidden])')
  await first.click('#sign-out')
  await waitUntil('the session of the other account has ended', async () => {
    const { refresh_token } = JSON.parse(tokens) as { refresh_token: string }
    return (await server.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token } })).status === 401
  })
})

void t.test('a server that is too busy to renew the tokens does not end the sign-in', async (t) => {
  const [first] = await openTabs(t)
  await first.route('**/auth/refresh', (route) =>
    route.fulfill({ status: 429, json: { message: 'Too many requests.' } }),
  )
  await expireTokens(first)
  await first.reload()
  await waitUntil('the page says so', async () => (await first.textContent('#list-problem')) === 'Too many requests.')
  await first.unroute('**/auth/refresh')
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
