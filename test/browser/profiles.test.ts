import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { sql } from 'slonik'
import { plant } from '../support/access-canaries.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { account } = await server.registerUser()
const { db } = server.services
const open = { ownerId: account.id, day: 1 }
await plant(db, 'movie', { ...open, word: 'zqchildren', rating: 'G' })
await plant(db, 'movie', { ...open, word: 'zqadults', rating: 'NC-17' })

async function signIn(page: Page): Promise<void> {
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#films:not([hidden])')
}

const titles = async (page: Page): Promise<string> => (await page.locator('#views .film').allTextContents()).join()
const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
const nameOf = async (page: Page): Promise<string> => (await page.textContent('#profile-open')) ?? ''

/** Signs a new page in by a code that the parent enters, for a profile. */
async function signInByCode(
  t: Test,
  parent: Page,
  size: { width: number; height: number },
  profile: string,
): Promise<Page> {
  const { page: device } = await openPage(t, server.baseUrl)
  await device.setViewportSize(size)
  await device.click('#by-code-begin')
  const code = device.locator('#code')
  await waitUntil('the code is shown', async () => ((await code.textContent()) ?? '').length === 9)
  await parent.click('#account-open')
  await parent.fill('#entered-code', (await code.textContent()) ?? '')
  await parent.press('#entered-code', 'Enter')
  await parent.waitForSelector('#code-profile:not([hidden])')
  await parent.selectOption('#code-profile-choice', { label: profile })
  await parent.click('#approve')
  await waitUntil('the code was approved', async () =>
    /signed in/.test((await parent.textContent('#code-result')) ?? ''),
  )
  await parent.click('#account-close')
  await device.waitForSelector('#films:not([hidden])')
  return device
}

for (const [name, size] of Object.entries(SIZES)) {
  void t.test(`a parent makes a profile for a child, who sees only what it may (${name})`, async (t) => {
    await db.query(sql.unsafe`delete from profiles where not is_main`)
    await db.query(sql.unsafe`update profiles set pin_hash = null`)
    const { page: parent, complaints } = await openPage(t, server.baseUrl)
    await parent.setViewportSize(size)
    await signIn(parent)
    await waitUntil('the profile is shown', async () => (await nameOf(parent)) === 'user')
    await waitUntil(
      'both films are shown',
      async () => /zqadults/.test(await titles(parent)) && /zqchildren/.test(await titles(parent)),
    )

    // By keyboard.
    await parent.focus('#profile-open')
    await parent.keyboard.press('Enter')
    await parent.waitForSelector('#profiles[open]')
    await waitUntil('the list has the focus', () =>
      parent.evaluate(`document.activeElement?.classList.contains('profile-choice') ?? false`),
    )
    await parent.focus('#new-profile [name=name]')
    await parent.keyboard.type('Kim')
    await parent.check('#new-profile [name=kids]')
    await parent.selectOption('#new-profile [name=picture]', 'fox')
    t.ok(await isWide(parent), 'nothing is cut off')
    await parent.focus('#new-profile [name=name]')
    await parent.keyboard.press('Enter')
    const choices = parent.locator('.profile-choice')
    await waitUntil('the profile is listed', async () => (await choices.count()) === 2)
    await parent.fill('#own-pin [name=pin]', '2580')
    await parent.press('#own-pin [name=pin]', 'Enter')
    await waitUntil('the PIN is set', async () =>
      /has a PIN/.test((await parent.textContent('#profiles-result')) ?? ''),
    )
    await parent.click('#profiles-close')

    const child = await signInByCode(t, parent, size, 'Kim')
    await waitUntil('the child watches', async () => (await nameOf(child)) === 'Kim')
    await waitUntil('the film for children is shown', async () => /zqchildren/.test(await titles(child)))
    t.notMatch(await titles(child), /zqadults/)
    t.notOk(await child.isVisible('#account-open'), 'a child does not change the account')
    await child.fill('#query', 'zqadults')
    await child.press('#query', 'Enter')
    await waitUntil('nothing is found', () => child.isVisible('#empty'))

    await child.click('#profile-open')
    await child.waitForSelector('.profile-choice')
    t.notOk(await child.isVisible('#manage-profiles'))
    t.ok(await isWide(child), 'nothing is cut off')
    await child.click(`.profile-choice[data-id="${account.id}"]`)
    await child.waitForSelector('#profile-proof:not([hidden])')
    await child.fill('#profile-proof [name=pin]', '0000')
    await child.press('#profile-proof [name=pin]', 'Enter')
    await waitUntil('a wrong PIN is refused', async () =>
      /wrong/.test((await child.textContent('#profiles-problem')) ?? ''),
    )
    t.equal(await nameOf(child), 'Kim')
    await child.fill('#profile-proof [name=pin]', '2580')
    await child.press('#profile-proof [name=pin]', 'Enter')
    await waitUntil('the parent watches', async () => (await nameOf(child)) === 'user')
    await waitUntil('all films are shown again', async () => /zqadults/.test(await titles(child)))

    await child.click('#profile-open')
    await child.click('.profile-choice:has-text("Kim")')
    await waitUntil('the child watches again', async () => (await nameOf(child)) === 'Kim')
    await waitUntil('the film is hidden', async () => /zqchildren/.test(await titles(child)))
    t.notMatch(await titles(child), /zqadults/)
    t.strictSame(complaints, [])
  })
}
