import t from 'tap'
import { listSchedules } from '../../src/core/playback-limits/index.ts'
import { createProfile } from '../../src/core/profiles/index.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { account } = await server.registerUser()

for (const [name, viewport] of Object.entries(SIZES)) {
  void t.test(`a parent reads the limits of a child, and sets the times at which it may watch (${name})`, async (t) => {
    const child = await createProfile(server.services, {
      accountId: account.id,
      fields: { name: `Kim ${name}`, isKids: true, mayDownload: false },
    })
    const { page, complaints } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(viewport))
    await signIn(page, 'user')
    await waitUntil('the header is complete', () => page.isVisible('#account-open'))
    const header = await page.locator('header').boundingBox()
    t.ok((header?.height ?? Infinity) < 100, `the header has at most two lines: ${header?.height} pixels`)
    if (process.env['SCREENSHOTS'] !== undefined)
      await page.screenshot({ path: `${process.env['SCREENSHOTS']}/header-${name}.png` })
    await page.click('#profile-open')
    const entry = page.locator(`#managed-profiles li:has-text("Kim ${name}")`)
    await entry.locator('button:has-text("Limits")').click()
    const limits = entry.locator('.profile-limits')
    const says = (text: RegExp): Promise<void> =>
      waitUntil(`the limits say ${text}`, async () => text.test((await limits.textContent()) ?? ''))
    await says(/Films and series up to 7 years\. Nothing without an age rating\. No downloads\. At any time\./)
    t.ok(await fitsWindow(page))

    await limits.locator('[name=start]').fill('07:00')
    await limits.locator('[name=end]').fill('19:30')
    for (const day of ['sat', 'sun']) await limits.locator(`[value=${day}]`).uncheck()
    await limits.locator('[type=submit]').click()
    await says(/Only at these times:Monday, Tuesday, Wednesday, Thursday, Friday, 7:00\sAM to 7:30\sPM/)
    t.match(await listSchedules(server.services, { profile: child }), [
      { startMinute: 420, endMinute: 1170, days: { length: 5 } },
    ])

    await limits.locator('button:has-text("Change")').click()
    await limits.locator('[name=end]').fill('20:00')
    await limits.locator('[value=sat]').check()
    await limits.locator('[type=submit]').click()
    await says(/Friday, Saturday, 7:00\sAM to 8:00\sPM/)
    await waitUntil(
      'it was changed',
      async () => (await listSchedules(server.services, { profile: child })).length === 1,
    )
    t.ok(await fitsWindow(page))

    await page.click(`.profile-choice[data-id="${child.id}"]`)
    await waitUntil('the child watches', async () => (await page.textContent('#profile-open')) === `Kim ${name}`)
    await page.click('#profile-open')
    await waitUntil('the child reads its times', async () =>
      /7:00\sAM to 8:00\sPM/.test((await page.textContent('#own-limits')) ?? ''),
    )
    t.equal(await page.locator('#own-limits button').count(), 0, 'and does not change them')
    t.strictSame(complaints, [])
    await page.click(`.profile-choice[data-id="${account.id}"]`)
    await page.fill('#profile-proof [name=password]', 'correct horse')
    await page.press('#profile-proof [name=password]', 'Enter')
    await waitUntil('the parent watches', async () => (await page.textContent('#profile-open')) === 'user')

    await page.click('#profile-open')
    await entry.locator('button:has-text("Limits")').click()
    await limits.locator('button:has-text("Remove")').click()
    await says(/At any time\./)
    await waitUntil(
      'it was removed',
      async () => (await listSchedules(server.services, { profile: child })).length === 0,
    )
  })
}
