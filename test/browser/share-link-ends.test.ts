import type { Page } from 'playwright-core'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { addSchedule } from '../../src/core/playback-limits/index.ts'
import { createProfile } from '../../src/core/profiles/index.ts'
import { createShare } from '../../src/core/shares/index.ts'
import { scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { share, SHARES } from '../support/shares.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const user = await server.registerUser()
const { idOf } = await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-long-mp4' })

async function play(t: Test, token: string, viewport = SIZES.desktop): Promise<Page> {
  const { page } = await openPage(t, `${server.baseUrl}/s#${token}`, (opened) => opened.setViewportSize(viewport))
  await page.click('.film')
  await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
  return page
}

async function isStopped(t: Test, page: Page, reason: RegExp): Promise<void> {
  await waitUntil('the player says why', async () => reason.test((await page.textContent('#player-problem')) ?? ''))
  t.equal(await page.evaluate(`document.querySelector('video').readyState`), 0, 'nothing is buffered any more')
  await waitUntil('the page behind says it too', async () => reason.test((await page.textContent('#problem')) ?? ''))
}

for (const [name, viewport] of Object.entries(SIZES)) {
  void t.test(`a film that is buffered stops when its link is revoked or expires (${name})`, async (t) => {
    const revoked = await share(server, user, { item_id: idOf('A film') })
    const page = await play(t, revoked.token, viewport)
    await server.ask('DELETE', `${SHARES}/${revoked.id}`, { token: user.token })
    await isStopped(t, page, /withdrawn/)

    const expired = await share(server, user, { item_id: idOf('A film') })
    const other = await play(t, expired.token, viewport)
    await server.services.db.query(
      sql.unsafe`update shares set expires_at = created_at + interval '1 second' where id = ${expired.id}`,
    )
    await isStopped(t, other, /expired\. Ask the person who sent it to you/)
    await other.reload()
    await waitUntil('the page says it', async () =>
      /has expired\. Ask/.test((await other.textContent('#problem')) ?? ''),
    )
  })
}

void t.test('it stops when the times of the profile end that has made the link', async (t) => {
  const profile = await createProfile(server.services, {
    accountId: user.account.id,
    fields: { name: 'Kim', mayDownload: true },
  })
  const { token } = await createShare(server.services, {
    account: user.account,
    profile,
    subject: { itemId: idOf('A film') },
    expiresAt: null,
    password: null,
    maxUses: null,
    allowsDownload: false,
  })
  const page = await play(t, token)
  const hour = server.services.clock.now().getUTCHours()
  const text = (hours: number): string => `${String(hours % 24).padStart(2, '0')}:00`
  const fields = { startTime: text(hour + 2), endTime: text(hour + 3), zone: 'UTC' }
  await addSchedule(server.services, { profile, fields })
  await isStopped(t, page, /does not play at this time/)
})
