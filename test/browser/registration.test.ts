import type { Page } from 'playwright-core'
import { sql } from 'slonik'
import t from 'tap'
import { createInvite, getSetupCode, revokeInvite } from '../../src/core/accounts/index.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { db } = server.services

const says = (page: Page, selector: string, text: RegExp): Promise<void> =>
  waitUntil(`${selector} says ${text}`, async () => text.test((await page.textContent(selector)) ?? ''))

async function register(page: Page, username: string): Promise<void> {
  await page.fill('#new-username', username)
  await page.fill('#new-email', `${username}@example.test`)
  await page.fill('#new-password', 'correct horse')
  await page.press('#new-password', 'Enter')
}

const invite = () => createInvite(server.services, { expiresAt: new Date(Date.now() + 86_400_000) })

/** The codes of invites that nobody can use any more. */
async function uselessInvites(): Promise<{ expired: string; revoked: string; used: string }> {
  const [expired, revoked, used] = [await invite(), await invite(), await invite()]
  await db.query(sql.unsafe`update account_invites set created_at = now() - interval '2 hours',
    expires_at = now() - interval '1 hour' where id = ${expired.invite.id}`)
  await revokeInvite(server.services, { id: revoked.invite.id })
  // A registration would count for the limit of the address.
  await db.query(sql.unsafe`update account_invites set uses = 1, used_at = now() where id = ${used.invite.id}`)
  return { expired: expired.code, revoked: revoked.code, used: used.code }
}

for (const [name, viewport] of Object.entries(SIZES)) {
  void t.test(`a new server says how its first account is made, and makes it (${name})`, async (t) => {
    await db.query(sql.unsafe`delete from users`)
    // The form is higher than the window.
    const low = { ...viewport, height: 300 }
    const { page } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(low))
    await page.waitForSelector('#register:not([hidden])')
    t.equal(await page.evaluate('scrollY'), 0, 'the page begins at its top')
    t.equal(await page.evaluate('document.activeElement.id'), 'new-username')
    await page.setViewportSize(viewport)
    t.ok(await page.isHidden('#sign-in'), 'nobody could sign in')
    t.match(await page.textContent('#register-reason'), /no account yet.+becomes its administrator/)
    t.match(await page.textContent('#setup'), /phlix setup:code/)
    t.ok(await fitsWindow(page))
    await page.fill('#setup-code', await getSetupCode(server.services))
    await register(page, 'admin')
    await page.waitForSelector('#films:not([hidden])')
    await page.reload()
    await page.waitForSelector('#films:not([hidden])')
    await page.click('#sign-out')
    await page.waitForSelector('#sign-in:not([hidden])')
    t.ok(await page.isHidden('#register'), 'the next person signs in')
  })

  void t.test(`a person who is invited makes an account, and is signed in (${name})`, async (t) => {
    const { code } = await invite()
    const address = `${server.baseUrl}/#invite=${code}`
    const { page } = await openPage(t, address, (opened) => opened.setViewportSize(viewport))
    await page.waitForSelector('#register:not([hidden])')
    t.match(await page.textContent('#register-reason'), /You are invited/)
    t.ok(await page.isHidden('#setup'))
    t.ok(await fitsWindow(page))
    await register(page, `guest-${name}`)
    await page.waitForSelector('#films:not([hidden])')
    t.notOk(page.url().includes('#'), 'the code is not in the history')
    await waitUntil('the name is shown', async () => (await page.textContent('#profile-open')) === `guest-${name}`)
  })

  void t.test(`an invite that cannot be used says so before the form is filled in (${name})`, async (t) => {
    const codes = await uselessInvites()
    const { page } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(viewport))
    for (const [code, text] of [
      [codes.expired, /has expired/],
      [codes.revoked, /was withdrawn/],
      [codes.used, /already used/],
      ['unknown', /no such invitation/],
    ] as const) {
      await page.evaluate(`location.hash = '#invite=${code}'`)
      await says(page, '#register-problem', text)
      t.ok(await page.isHidden('#new-password'))
      t.ok(await fitsWindow(page))
    }
    await page.click('#register-sign-in')
    await page.waitForSelector('#sign-in:not([hidden])')
    t.ok(await page.isHidden('#register'))
    t.notOk(page.url().includes('#'))
  })
}
