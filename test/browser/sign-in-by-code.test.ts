import { sql } from 'slonik'
import t from 'tap'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const PHONE = { width: 390, height: 844 }

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerUser()

void t.test('a device is signed in by a code that is entered on a phone, and signed out there', async (t) => {
  const television = await openPage(t, server.baseUrl)
  await television.page.click('#by-code-begin')
  const code = television.page.locator('#code')
  await waitUntil('the code is shown', async () => ((await code.textContent()) ?? '').length === 9)

  const phone = await openPage(t, server.baseUrl)
  await phone.page.setViewportSize(PHONE)
  await phone.page.fill('#username', 'user')
  await phone.page.fill('#password', 'correct horse')
  await phone.page.press('#password', 'Enter')
  await phone.page.click('#account-open')
  await phone.page.fill('#entered-code', ((await code.textContent()) ?? '').toLowerCase())
  await phone.page.press('#entered-code', 'Enter')
  await phone.page.waitForSelector('#waiting-device:not([hidden])')
  t.match(await phone.page.textContent('#waiting-facts'), /^Chrome on Linux \(browser\) at 127\.0\.0\.1$/)
  t.notOk(await phone.page.isVisible('#waiting-warning'), 'both are at one address')
  t.ok(await phone.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is cut off')
  await phone.page.click('#approve')
  await television.page.waitForSelector('#films:not([hidden])')
  t.notOk(await television.page.isVisible('#by-code'))
  t.match(await phone.page.textContent('#code-result'), /signed in/)

  await phone.page.click('#account-close')
  await phone.page.click('#account-open')
  const devices = phone.page.locator('#device-list li')
  // One was made by the test itself.
  await waitUntil('the devices are listed', async () => (await devices.count()) === 3)
  await phone.page.click('#devices-revoke')
  await waitUntil('one device is left', async () => (await devices.count()) === 1)
  t.match(await devices.first().textContent(), /this device/)
  await television.page.reload()
  await television.page.waitForSelector('#sign-in:not([hidden])')
  t.strictSame(
    phone.complaints.filter((line) => !line.includes('401')),
    [],
  )
})

void t.test('a wrong code is explained, and a denied device is told so', async (t) => {
  const television = await openPage(t, server.baseUrl)
  await television.page.click('#by-code-begin')
  const code = television.page.locator('#code')
  await waitUntil('the code is shown', async () => ((await code.textContent()) ?? '').length === 9)
  const phone = await openPage(t, server.baseUrl)
  await phone.page.fill('#username', 'user')
  await phone.page.fill('#password', 'correct horse')
  await phone.page.press('#password', 'Enter')
  await phone.page.click('#account-open')
  await phone.page.fill('#entered-code', 'ZZZZ-ZZZZ')
  await phone.page.press('#entered-code', 'Enter')
  await waitUntil('the problem is shown', async () =>
    ((await phone.page.textContent('#account-problem')) ?? '').startsWith('No device waits'),
  )
  await phone.page.fill('#entered-code', (await code.textContent()) ?? '')
  await phone.page.press('#entered-code', 'Enter')
  await phone.page.click('#deny')
  await waitUntil('the device is told', async () =>
    ((await television.page.textContent('#code-problem')) ?? '').includes('denied'),
  )
  await television.page.click('#code-cancel')
  t.ok(await television.page.isVisible('#sign-in'))
})

void t.test(
  'a key is made on the page, works, and is revoked there; an old sign-in asks for the password',
  async (t) => {
    const { page } = await openPage(t, server.baseUrl)
    await page.setViewportSize(PHONE)
    await page.fill('#username', 'user')
    await page.fill('#password', 'correct horse')
    await page.press('#password', 'Enter')
    await page.click('#account-open')
    await page.fill('#key-name', 'Home <b>Assistant')
    await page.click('#new-key button[type=submit]')
    await page.waitForSelector('#key-made:not([hidden])')
    const key = (await page.textContent('#key-text')) ?? ''
    t.match((await server.ask('GET', '/api/v1/auth/me', { token: key })).json, { user: { username: 'user' } })
    t.match(await page.textContent('#key-list'), /Home <b>Assistant/)
    t.notOk(await page.isVisible('#scope-admin'))
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is cut off')
    await page.click('#key-list button')
    await page.click('#key-list button')
    await waitUntil('the list is empty', async () => (await page.locator('#key-list li').count()) === 0)
    t.equal((await server.ask('GET', '/api/v1/auth/me', { token: key })).status, 401)

    await server.services.db.query(
      sql.unsafe`update refresh_families set authenticated_at = authenticated_at - interval '1 hour'`,
    )
    await page.fill('#key-name', 'Another')
    await page.click('#new-key button[type=submit]')
    await page.fill('#key-password input', 'correct horse')
    await page.click('#new-key button[type=submit]')
    await page.waitForSelector('#key-made:not([hidden])')
  },
)
