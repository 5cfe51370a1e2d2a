import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../src/core/accounts/index.ts'
import { createProfile } from '../../src/core/profiles/index.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerAdmin()

const says = (page: Page, selector: string, text: RegExp): Promise<void> =>
  waitUntil(`${selector} says ${text}`, async () => text.test((await page.textContent(selector)) ?? ''))

const register = (username: string) =>
  createAccount(server.services, {
    username,
    email: `${username}@example.test`,
    password: 'correct horse',
    isAdmin: false,
  })

/** As if everybody had signed in an hour ago. */
async function age(): Promise<void> {
  await server.services.db.query(
    sql.unsafe`update refresh_families set authenticated_at = authenticated_at - interval '1 hour'`,
  )
}

for (const [name, viewport] of Object.entries(SIZES)) {
  void t.test(`people change their address, download their data and delete their account (${name})`, async (t) => {
    const username = `kim-${name}`
    await register(username)
    const { page, complaints } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(viewport))
    await signIn(page, username)
    await page.click('#account-open')
    await waitUntil('the address is shown', async () => (await page.inputValue('#own-email')) !== '')
    t.ok(await fitsWindow(page))
    await page.fill('#own-email', `new-${name}@example.test`)
    await page.press('#own-email', 'Enter')
    await says(page, '#own-result', new RegExp(`Your address is new-${name}@example\\.test now`))

    const saving = page.waitForEvent('download')
    await page.click('#own-export')
    const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as object
    t.match(saved, { format: 'phlix-account/1', account: { username, email: `new-${name}@example.test` } })

    await page.fill('#delete-form [name=confirmation]', 'somebody')
    await page.press('#delete-form [name=confirmation]', 'Enter')
    await says(page, '#account-problem', /Nothing was deleted/)
    t.strictSame(complaints, [])
    await age()
    await page.fill('#delete-form [name=confirmation]', username)
    await page.press('#delete-form [name=confirmation]', 'Enter')
    await page.waitForSelector('#again-form:not([hidden])')
    await page.fill('#again-form [name=password]', 'correct horse')
    await page.press('#again-form [name=password]', 'Enter')
    await page.waitForSelector('#sign-in:not([hidden])')
    t.equal(await page.textContent('#sign-in-problem'), 'Your account is deleted.')
    const body = { username, password: 'correct horse' }
    t.equal((await server.ask('POST', '/api/v1/auth/login', { body })).status, 401)
  })

  void t.test(`a new password needs the present one, and signs out all other devices (${name})`, async (t) => {
    const username = `ann-${name}`
    await register(username)
    const { page } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(viewport))
    const { page: other } = await openPage(t, server.baseUrl)
    await signIn(page, username)
    await signIn(other, username)
    await page.click('#account-open')
    const devices = page.locator('#device-list li')
    await waitUntil('both devices are listed', async () => (await devices.count()) === 2)
    t.match(await page.textContent('#password-form'), /signs out all other devices/)
    const change = async (current: string, next: string, again = next): Promise<void> => {
      await page.fill('#password-form [name=current]', current)
      await page.fill('#password-form [name=next]', next)
      await page.fill('#password-form [name=again]', again)
      await page.press('#password-form [name=again]', 'Enter')
    }
    await change('correct horse', 'battery staple', 'battery stable')
    await says(page, '#account-problem', /not the same/)
    await change('wrong horse', 'battery staple')
    await says(page, '#account-problem', /present password is wrong/)
    await change('correct horse', 'battery staple')
    await says(page, '#password-result', /All other devices are signed out/)
    await waitUntil('one device is left', async () => (await devices.count()) === 1)
    await other.waitForSelector('#sign-in:not([hidden])')
    await page.click('#account-close')
    await page.reload()
    t.ok(await page.waitForSelector('#films:not([hidden])'), 'this device stays signed in')
    await signIn(other, username, 'battery staple')
  })
}

void t.test('the account says that profiles are open without a PIN, and leads to it', async (t) => {
  const { id: accountId } = await register('parent')
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page, 'parent')
  const open = async (): Promise<void> => {
    await page.click('#account-open')
    await waitUntil('the account is shown', async () => (await page.inputValue('#own-email')) !== '')
    await waitUntil('the devices are shown', async () => (await page.locator('#device-list li').count()) > 0)
  }
  await open()
  t.ok(await page.isHidden('#pin-warning'), 'with one profile there is nothing to protect')
  await page.click('#account-close')
  await createProfile(server.services, { accountId, fields: { name: 'Teens', mayDownload: true } })
  await open()
  await page.waitForSelector('#pin-warning:not([hidden])')
  await page.click('#pin-wanted')
  await page.waitForSelector('#profiles[open]')
  await waitUntil('the PIN can be typed', () =>
    page.evaluate<boolean>(`document.activeElement?.closest('#own-pin') !== null`),
  )
  await page.keyboard.type('2580')
  await page.keyboard.press('Enter')
  await waitUntil('it is stored', async () => ((await page.textContent('#profiles-result')) ?? '') !== '')
  await page.click('#profiles-close')
  await open()
  await page.waitForSelector('#pin-warning', { state: 'hidden' })
})
