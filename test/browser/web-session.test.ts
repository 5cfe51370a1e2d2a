import type { Page, WebSocket } from 'playwright-core'
import t from 'tap'
import { pick, scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { signIn as signInTo } from './signed-in-page.ts'

/** A page of another host than 127.0.0.1 has no locks without TLS, as in a home network. */
const HOST = 'media.test'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t, { hostName: HOST })
await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-long-mp4' })
const user = await server.registerUser()

async function signIn(page: Page): Promise<void> {
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('.film')
}

/** Everything that a script of the page can read of its storage. */
const storageOf = (page: Page): Promise<string> =>
  page.evaluate(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`)

/** A token has three parts of base64url. */
const TOKEN = /[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/

const plainUrl = server.baseUrl.replace('127.0.0.1', HOST)

for (const [name, url] of [
  ['on this machine', server.baseUrl],
  ['without TLS', plainUrl],
] as const)
  void t.test(`a reload keeps the sign-in, and no script can read a token of it, ${name}`, async (t) => {
    const { page, complaints } = await openPage(t, url)
    t.equal(await page.evaluate('isSecureContext'), url === server.baseUrl)
    await signIn(page)
    t.notMatch(await storageOf(page), TOKEN)
    t.match(await page.context().cookies(`${url}/api/v1/auth/web`), [
      {
        name: `phlix-${new URL(url).port}`,
        path: '/api/v1/auth/web',
        httpOnly: true,
        sameSite: 'Strict',
        secure: false,
        value: TOKEN,
      },
    ])
    t.strictSame(await page.context().cookies(url), [], 'other addresses do not get it')
    for (let count = 0; count < 3; count += 1) {
      await page.reload()
      await page.waitForSelector('.film')
    }
    const second = await page.context().newPage()
    await Promise.all([second.goto(url), page.reload()])
    for (const tab of [page, second]) await tab.waitForSelector('.film')
    t.notMatch(await storageOf(second), TOKEN)
    await second.click('#sign-out')
    for (const tab of [page, second]) await tab.waitForSelector('#sign-in:not([hidden])')
    await page.reload()
    await page.waitForSelector('#sign-in:not([hidden])')
    t.match(await page.evaluate('JSON.stringify({ ...localStorage })'), /^\{"phlix\.deviceId":"[0-9a-f]{32}"\}$/)
    await signIn(page)
    t.strictSame(complaints, [])
  })

void t.test('servers on two ports of one host keep their sessions apart', async (t) => {
  const second = await startPageApp(t)
  await second.registerUser()
  const { page, complaints } = await openPage(t, server.baseUrl)
  await signInTo(page, 'user')
  const other = await page.context().newPage()
  await other.goto(second.baseUrl)
  await signInTo(other, 'user')
  for (const tab of [page, other, page]) {
    await tab.reload()
    await tab.waitForSelector('#films:not([hidden])')
  }
  await other.click('#sign-out')
  await waitUntil('one cookie is deleted', async () => (await page.context().cookies()).length === 1)
  await page.reload()
  await page.waitForSelector('#films:not([hidden])')
  t.strictSame(complaints, [])
})

void t.test('tokens that an earlier version of the page has stored move into the cookie once', async (t) => {
  const body = { username: 'user', password: 'correct horse' }
  const { json } = await server.ask('POST', '/api/v1/auth/login', { body })
  const refreshToken = String(pick(json, 'refresh_token'))
  const { page, complaints } = await openPage(t, server.baseUrl)
  await page.evaluate(
    (text) => localStorage.setItem('phlix.tokens', text),
    JSON.stringify({
      access_token: pick(json, 'access_token'),
      refresh_token: refreshToken,
      account_id: pick(json, 'user', 'id'),
      profile_id: pick(json, 'profile', 'id'),
      is_at_provider: false,
    }),
  )
  let adoptions = 0
  page.on('request', (request) => (adoptions += Number(request.url().endsWith('/web/adopt'))))
  await page.reload()
  await page.waitForSelector('.film')
  t.notMatch(await storageOf(page), TOKEN)
  t.notMatch(await storageOf(page), /phlix\.tokens/)
  await page.reload()
  await page.waitForSelector('.film')
  t.equal(adoptions, 1)
  t.strictSame(complaints, [])
  const used = await server.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } })
  t.equal(used.status, 401)
})

void t.test('a stored token that is of no use any more leads to the sign-in, and is deleted', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  await page.evaluate(`localStorage.setItem('phlix.tokens', '{"refresh_token":"a.b.c","account_id":"x"}')`)
  await page.reload()
  await page.waitForSelector('#sign-in:not([hidden])')
  await waitUntil('it is deleted', async () => !/phlix\.tokens/.test(await storageOf(page)))
})

void t.test('a sign-out in one tab stops the film and closes the connections of the others', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  const sockets: WebSocket[] = []
  page.on('websocket', (socket) => sockets.push(socket))
  await signIn(page)
  await page.click('.film')
  await waitUntil('the film plays', () => page.evaluate(`document.querySelector('video').currentTime > 0`))
  await waitUntil('a connection is open', () => Promise.resolve(sockets.length > 0))
  const second = await page.context().newPage()
  await second.goto(server.baseUrl)
  await second.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.equal(await page.isVisible('#player'), false)
  await waitUntil('the film has stopped', () => page.evaluate(`document.querySelector('video').paused`))
  await waitUntil('the connections are closed', () => Promise.resolve(sockets.every((socket) => socket.isClosed())))
  const count = sockets.length
  t.equal(await page.locator('.film').count(), 0)
  await second.waitForSelector('#sign-in:not([hidden])')
  t.equal(sockets.length, count, 'none was opened again')
})

void t.test('a page whose origin the server does not know says what to do, and leaves no session', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  // As behind a proxy that replaces the host.
  await page.route('**/auth/web/adopt', async (route) => {
    const headers = { ...route.request().headers(), origin: 'http://other.test' }
    await route.fulfill({ response: await route.fetch({ headers }) })
  })
  const [reply] = await Promise.all([
    page.waitForResponse('**/auth/login'),
    (async () => {
      await page.fill('#username', 'user')
      await page.fill('#password', 'correct horse')
      await page.press('#password', 'Enter')
    })(),
  ])
  await waitUntil('the page says so', async () =>
    /server\.public_url/.test((await page.textContent('#sign-in-problem')) ?? ''),
  )
  const { access_token: token } = (await reply.json()) as { access_token: string }
  t.equal((await server.ask('GET', '/api/v1/auth/me', { token })).status, 401)
})

void t.test('a page whose change of the profile got no reply goes on in the new profile', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page)
  const { account } = user
  const token = await server.signIn(account.id)
  const made = await server.ask('POST', '/api/v1/profiles', { token, body: { name: 'Grandma' } })
  const id = String(pick(made.json, 'profile', 'id'))
  await page.route('**/switch', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.click('#profile-open')
  await page.click(`.profile-choice[data-id="${id}"]`)
  await waitUntil('the page says so', async () => (await page.textContent('#profiles-problem')) !== '')
  await page.click('#profiles-close')
  await page.press('#query', 'Enter')
  await waitUntil('the new profile is shown', async () => (await page.textContent('#profile-open')) === 'Grandma')
})
