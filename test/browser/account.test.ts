import { sql } from 'slonik'
import t from 'tap'
import { revokeDevices, setAccess } from '../../src/core/accounts/index.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { account } = await server.registerUser()

type Page = Awaited<ReturnType<typeof openPage>>['page']

async function signIn(page: Page): Promise<void> {
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#films:not([hidden])')
}

const isEveryCodeFree = async () => !(await server.services.db.exists(sql.unsafe`select 1 from quick_connect_codes`))

void t.test('an open page says that its limits have changed, and that its session has ended', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page)
  // The socket that the page listens on is open when the page is a player of the account.
  await waitUntil('the page listens', async () => (await server.services.players.list(account.id)).length === 1)
  await setAccess(server.services, { accountId: account.id, changes: { libraryIds: [] } })
  await waitUntil('the page says it', async () =>
    ((await page.textContent('#list-problem')) ?? '').includes('What you may see and play has changed'),
  )
  await setAccess(server.services, { accountId: account.id, changes: { libraryIds: null } })
  await revokeDevices(server.services, { accountId: account.id })
  await page.waitForSelector('#sign-in:not([hidden])')
  t.match(await page.textContent('#sign-in-problem'), /^Your session has ended/)
})

void t.test('codes that are cancelled, or whose page is loaded again, do not count as open', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  const ask = async () => {
    await page.click('#by-code-begin')
    await waitUntil('a code is shown', async () => ((await page.textContent('#code')) ?? '').length === 9)
  }
  for (let number = 0; number < 4; number += 1) {
    await ask()
    await page.click('#code-cancel')
    await waitUntil('the code is free', isEveryCodeFree)
  }
  await ask()
  await page.reload()
  await waitUntil('the code is free', isEveryCodeFree)
})

void t.test('devices of one name are told apart, and signing out and revoking are confirmed', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  await server.signIn(account.id)
  await server.signIn(account.id)
  await signIn(page)
  await page.click('#account-open')
  const devices = page.locator('#device-list li')
  await waitUntil('the devices are listed', async () => (await devices.count()) === 3)
  t.match(await devices.last().textContent(), / · signed in .+/)
  await devices.last().locator('button').click()
  t.equal(await devices.last().locator('button').textContent(), 'Really sign out?')
  t.equal(await devices.count(), 3)
  await devices.last().locator('button').click()
  await waitUntil('one is signed out', async () => (await devices.count()) === 2)

  await page.fill('#key-name', 'Script')
  await page.click('#new-key button[type=submit]')
  await page.waitForSelector('#key-made:not([hidden])')
  await page.click('#key-copy')
  await waitUntil('the key is copied', async () => ((await page.textContent('#key-copied')) ?? '') !== '')
  t.equal(await page.evaluate('String(getSelection())'), await page.textContent('#key-text'))
  const revoke = page.locator('#key-list button')
  await revoke.click()
  t.match(await revoke.getAttribute('aria-label'), /^Really revoke: Revoke Script \(phlix_/)
  await page.focus('#key-name')
  t.equal(await revoke.textContent(), 'Revoke', 'who goes on has not confirmed')
  await revoke.click()
  await revoke.click()
  await waitUntil('the list is empty', async () => (await page.locator('#key-list li').count()) === 0)
})
