import t, { type Test } from 'tap'
import { createAccount } from '../../src/core/accounts/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider } from '../support/oidc.ts'
import { testServices } from '../support/services.ts'

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
  await page.click('#sign-out')
  await page.click('button:has-text("Yes, sign me out")')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.equal(page.url(), `${baseUrl}/`)
  await page.click(BUTTON)
  t.ok(await page.waitForSelector('button:has-text("I am Ada")'), 'the provider asks again')
  // Other complaints are requests that the change of the page has ended, and the icon that the provider has not.
  const errors = complaints.filter((text) => text.startsWith('error:'))
  t.strictSame(errors, [])
})

void t.test('somebody who has a password only links the account by signing in with it once', async (t) => {
  const { baseUrl, services } = await start(t, false)
  const password = 'correct horse'
  await createAccount(services, { username: 'annika', email: 'a@example.test', password, isAdmin: true })
  const { page } = await openPage(t, baseUrl)
  await page.click(BUTTON)
  await page.click('button:has-text("I am Ada")')
  await page.waitForSelector('#sign-in-problem:has-text("sign in with its password once")')
  await page.fill('#username', 'annika')
  await page.fill('#password', password)
  const linked = page.waitForResponse((reply) => reply.url().endsWith('/api/v1/auth/oidc/link'))
  await page.click('#sign-in button[type=submit]')
  t.equal((await linked).status(), 200)
  await page.waitForSelector('#films:not([hidden])')
  await page.click('#sign-out')
  await page.click(BUTTON)
  await page.waitForSelector('#films:not([hidden])')
  t.notOk(await page.isVisible('#sign-in'), 'the provider signs in to the linked account')
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
