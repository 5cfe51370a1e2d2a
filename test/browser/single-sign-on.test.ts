import t, { type Test } from 'tap'
import { createAccount } from '../../src/core/accounts/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider } from '../support/oidc.ts'
import { testServices } from '../support/services.ts'
import { waitUntil } from '../support/wait-until.ts'

const { openPage } = await startBrowser(t)

/** A server with a provider, at an address that both know. */
async function start(t: Test, createsAccounts: boolean): Promise<TestApp> {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const provider = await startOidcProvider(t, { publicUrl, baseUrl: () => publicUrl })
  const services = await testServices(t, {
    flags: {
      'server.public_url': publicUrl,
      'auth.oidc.issuer': provider.issuer,
      'auth.oidc.client_id': CLIENT_ID,
      'auth.oidc.client_secret': CLIENT_SECRET,
      'auth.oidc.name': 'Example',
      'auth.oidc.create_accounts': String(createsAccounts),
    },
  })
  return startApp(t, { services, port })
}

const BUTTON = 'button:has-text("Sign in with Example")'

void t.test('somebody signs in at the provider by a button, and signs out of both', async (t) => {
  const { baseUrl, registerAdmin } = await start(t, true)
  await registerAdmin()
  const { page, complaints } = await openPage(t, baseUrl)
  await page.click(BUTTON)
  await page.click('button:has-text("I am Ada")')
  await page.waitForSelector('#films:not([hidden])')
  t.equal(page.url(), `${baseUrl}/`, 'the code is not in the address any more')
  t.notOk(await page.isVisible('#sign-in'))
  t.strictSame(
    await page
      .context()
      .cookies(`${baseUrl}/`)
      .then((all) => all.filter(({ name }) => /phlix/.test(name))),
    [],
  )
  await page.reload()
  await page.waitForSelector('#films:not([hidden])')
  const first = page.waitForRequest(/\/(?:logout|refresh)$/)
  await page.click('#sign-out')
  t.match((await first).url(), /\/auth\/web\/logout$/, 'it waits for nothing: the page may be closed')
  await page.click('button:has-text("Yes, sign me out")')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.equal(page.url(), `${baseUrl}/`)
  await page.click(BUTTON)
  t.ok(await page.waitForSelector('button:has-text("I am Ada")'), 'the provider asks again')
  // Other complaints are requests that the change of the page has ended, and the icon that the provider has not.
  const errors = complaints.filter((text) => text.startsWith('error:'))
  t.strictSame(errors, [])
})

const PASSWORD = 'correct horse'

/** A page that shows that the person of the provider, ada, has no account; and the addresses of requests that link one. */
async function comeWithoutAccount(t: Test) {
  const { baseUrl, services } = await start(t, false)
  for (const username of ['annika', 'bob']) {
    const email = `${username}@example.test`
    await createAccount(services, { username, email, password: PASSWORD, isAdmin: username === 'annika' })
  }
  const { page } = await openPage(t, baseUrl)
  await page.clock.install()
  const links: string[] = []
  page.on('request', (request) => {
    if (/oidc\/(?:link|start)/.test(request.url())) links.push(new URL(request.url()).pathname)
  })
  await page.click(BUTTON)
  await page.click('button:has-text("I am Ada")')
  await page.waitForSelector('#sign-in-problem:has-text("sign in with its password now")')
  links.length = 0
  const signIn = async (username: string): Promise<void> => {
    await page.fill('#username', username)
    await page.fill('#password', PASSWORD)
    await page.click('#sign-in button[type=submit]')
    await page.waitForSelector('#films:not([hidden])')
  }
  return { page, links, signIn }
}

void t.test('somebody who has a password only is asked, and links the account by signing in again', async (t) => {
  const { page, links, signIn } = await comeWithoutAccount(t)
  await signIn('annika')
  await page.waitForSelector('#link-offer-text:has-text("ada has just signed in at Example")')
  t.match(await page.textContent('#link-offer-text'), /your account annika/)
  t.strictSame(links, [], 'nothing happens before the answer')
  await page.click('#link-accept')
  const linked = page.waitForResponse((reply) => reply.url().endsWith('/api/v1/auth/oidc/link'))
  // The provider asks again, although it has a session of this person.
  await page.click('button:has-text("I am Ada")')
  t.equal((await linked).status(), 200)
  await page.waitForSelector('#films:not([hidden])')
  await page.click('#sign-out')
  await page.click(BUTTON)
  await page.waitForSelector('#films:not([hidden])')
  t.notOk(await page.isVisible('#sign-in'), 'the provider signs in to the linked account')
})

void t.test('the account of somebody else is not linked to the person who came first', async (t) => {
  const { page, links, signIn } = await comeWithoutAccount(t)
  await signIn('bob')
  await page.waitForSelector('#link-offer-text:has-text("ada has just signed in")')
  await page.click('#link-decline')
  t.notOk(await page.isVisible('#link-offer'))
  await page.click('#sign-out')
  await signIn('annika')
  t.notOk(await page.isVisible('#link-offer'), 'after the answer there is no further offer')
  t.strictSame(links, [])
})

void t.test('the offer to link ends when the account is signed out, and a minute after the person came', async (t) => {
  const first = await comeWithoutAccount(t)
  await first.signIn('bob')
  await first.page.waitForSelector('#link-offer:not([hidden])')
  await first.page.click('#sign-out')
  t.notOk(await first.page.isVisible('#link-offer'))
  await first.signIn('annika')
  t.notOk(await first.page.isVisible('#link-offer'))

  const second = await comeWithoutAccount(t)
  await second.page.clock.fastForward(61_000)
  await second.signIn('bob')
  // The question about the own account would come before the offer.
  await second.page.waitForLoadState('networkidle')
  t.notOk(await second.page.isVisible('#link-offer'))
  t.strictSame([...first.links, ...second.links], [])
})

void t.test('signing out without an access token ends the session at the provider', async (t) => {
  const { baseUrl, registerAdmin } = await start(t, true)
  await registerAdmin()
  const { page } = await openPage(t, baseUrl)
  await page.click(BUTTON)
  await page.click('button:has-text("I am Ada")')
  await page.waitForSelector('#films:not([hidden])')
  // The page gets its token when it is opened.
  await page.route('**/api/v1/**', (route) => route.abort())
  await page.reload()
  await waitUntil('the page has no token', async () => (await page.textContent('#list-problem')) !== '')
  await page.unroute('**/api/v1/**')
  await page.click('#sign-out')
  t.ok(await page.waitForSelector('button:has-text("Yes, sign me out")'), 'the page of the provider')
})

void t.test('a failed question about the ways to sign in is repeated', async (t) => {
  const { baseUrl, registerAdmin } = await start(t, true)
  await registerAdmin()
  let count = 0
  const { page } = await openPage(t, 'about:blank')
  await page.route('**/api/v1/auth/options', (route) => {
    count += 1
    return count === 1 ? route.abort() : route.continue()
  })
  await page.goto(baseUrl)
  await page.waitForSelector('#sign-in:not([hidden])')
  t.notOk(await page.isVisible(BUTTON))
  await page.evaluate('dispatchEvent(new Event("hashchange"))')
  t.ok(await page.waitForSelector(BUTTON))
})

void t.test('problems are shown on the page, and no text of an address', async (t) => {
  const { baseUrl } = await start(t, true)
  const { page } = await openPage(t, `${baseUrl}/#sign-in-problem=oidc_unavailable`)
  await page.waitForSelector('#sign-in-problem:has-text("does not answer")')
  const other = await openPage(t, `${baseUrl}/#sign-in-code=${'x'.repeat(43)}`)
  await other.page.waitForSelector('#sign-in-problem:has-text("begin again")')
  const third = await openPage(t, `${baseUrl}/#sign-in-problem=constructor`)
  await third.page.waitForSelector('#sign-in-problem:has-text("has failed")')
})

void t.test('people of the provider can sign in before the first account is made', async (t) => {
  const { baseUrl } = await start(t, true)
  const { page } = await openPage(t, baseUrl)
  await page.waitForSelector('#register:not([hidden])')
  await page.click('#register-sign-in')
  await page.waitForSelector('#single-sign-on:not([hidden])')
  t.ok(await page.isHidden('#register'))
})
