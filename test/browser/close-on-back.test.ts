import type { Page } from 'playwright-core'
import t from 'tap'
import { scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { noise } from '../support/generated-pictures.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { putFile } from '../support/scanning.ts'
import { openFilm } from '../support/open-film.ts'
import { share } from '../support/shares.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const user = await server.registerUser()
const { idOf } = await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-mp4' })
const folder = reachableDirectory(t)
putFile(folder, 'beach.jpg', await noise(64, 48).jpeg().toBuffer())
await scanLibrary(server.services, { folder, type: 'photo' })

const isClosed = (page: Page, id: string) => page.waitForSelector(`#${id}:not([open])`, { state: 'attached' })
const historyLength = (page: Page) => page.evaluate<number>('history.length')
const depthIs = (page: Page, depth: number) =>
  waitUntil(`${depth} dialogs are in the history`, () =>
    page.evaluate<boolean>(`(history.state?.depth ?? 0) === ${depth}`),
  )

for (const [name, viewport] of Object.entries(SIZES)) {
  void t.test(`Back closes the player, a dialog above it and the photo, and stays on the page (${name})`, async (t) => {
    const { page, complaints } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(viewport))
    await signIn(page, 'user')
    const requested: string[] = []
    await openFilm(page, '.card-row:has(h3:has-text("New in")) .film:has-text("A film")')
    await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
    await depthIs(page, 1)
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.click('#share-open')
    await page.waitForSelector('#share[open]')
    await depthIs(page, 2)
    await page.goBack()
    await isClosed(page, 'share')
    t.ok(await page.isVisible('#player[open]'), 'the player is still open')
    await page.goBack()
    await isClosed(page, 'player')
    t.equal(await page.textContent('#list-heading'), 'A film', 'the page of the film is below')
    t.notOk(requested.includes('/api/v1/media'), 'the list below is not loaded again')
    await page.goBack()

    await page.click('#views .film:has-text("beach")')
    await page.waitForSelector('#photo[open]')
    await depthIs(page, 1)
    await page.goBack()
    await isClosed(page, 'photo')

    const before = await historyLength(page)
    for (let time = 0; time < 3; time += 1) {
      await page.click('#views .film:has-text("beach")')
      await depthIs(page, 1)
      await page.keyboard.press('Escape')
      await depthIs(page, 0)
    }
    t.equal(await historyLength(page), before, 'what is closed in another way leaves no entries')
    t.equal(page.url(), `${server.baseUrl}/`)
    t.strictSame(complaints, [])
  })
}

void t.test('Back closes the player of a share link', async (t) => {
  const { token } = await share(server, user, { item_id: idOf('A film') })
  const { page } = await openPage(t, `${server.baseUrl}/s#${token}`)
  await page.click('.film')
  await page.waitForSelector('#player[open]')
  await depthIs(page, 1)
  await page.goBack()
  await isClosed(page, 'player')
  t.ok(await page.isVisible('#shared'))
})
