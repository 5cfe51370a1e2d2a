import type { Page } from 'playwright-core'
import t from 'tap'
import { setAccess } from '../../src/core/accounts/index.ts'
import { startBrowser } from '../support/browser.ts'
import { epubOf } from '../support/book-files.ts'
import { openFilm } from '../support/open-film.ts'
import { reachableDirectory } from '../support/directories.ts'
import { noise, plain } from '../support/generated-pictures.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { putFile, putSample } from '../support/scanning.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } }

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { account } = await server.registerUser()
const folder = reachableDirectory(t)
await putSample(folder, 'films/A film (1999)/A film (1999).mp4')
putFile(folder, 'films/A film (1999)/poster.jpg', await plain(200, 300, '#204080').jpeg().toBuffer())
for (const episode of ['S01E01 <b>Pilot</b>', 'S01E02 Second', 'S02E01 Third'])
  await putSample(folder, `shows/Some show/Season ${episode.slice(1, 3)}/Some show ${episode}.mp4`)
putFile(folder, 'photos/beach.jpg', await noise(640, 480).jpeg().toBuffer())
putFile(folder, 'photos/town.jpg', await noise(480, 640).jpeg().toBuffer())
putFile(folder, 'books/A book.epub', epubOf('<dc:title>A book</dc:title>'))
for (const [name, type] of [
  ['films', 'movie'],
  ['shows', 'series'],
  ['photos', 'photo'],
  ['books', 'book'],
] as const)
  await scanLibrary(server.services, { folder: `${folder}/${name}`, type })

const heading = async (page: Page): Promise<string> => (await page.textContent('#list-heading')) ?? ''
const entries = (page: Page): Promise<string[]> => page.locator('#list .film').allTextContents()
const open = (page: Page, title: string): Promise<void> => page.click(`.film:has(.title:text-is("${title}"))`)
const isNarrow = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

async function isHeaded(page: Page, text: string): Promise<void> {
  await waitUntil(`the heading is ${text}`, async () => (await heading(page)) === text)
}

async function signIn(page: Page): Promise<void> {
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await isHeaded(page, 'Home')
}

for (const [name, viewport] of Object.entries(SIZES))
  void t.test(
    `titles are found in rows, lists and searches, and the browser's back button works (${name})`,
    async (t) => {
      const { page, complaints } = await openPage(t, server.baseUrl, (before) => before.setViewportSize(viewport))
      await signIn(page)
      await page.waitForSelector('h3:has-text("New in Library")')
      t.equal(await page.locator('h3:has-text("New in")').count(), 4, 'a row for each library')
      t.ok(await isNarrow(page))

      await page.click('#libraries a:text-is("All titles")')
      await isHeaded(page, 'All titles')
      await waitUntil('everything is listed', async () => (await entries(page)).length === 5)
      t.equal(await page.textContent('#count'), '5 titles')
      t.ok(await isNarrow(page))
      await waitUntil('the poster is shown', () =>
        page.evaluate<boolean>(`document.querySelector('#list img')?.naturalWidth > 0`),
      )
      t.equal(await page.locator('#list img').count(), 3, 'photos have pictures too')

      await open(page, 'Some show')
      await isHeaded(page, 'Some show')
      await waitUntil('its seasons are listed', async () => (await entries(page)).length === 2)
      await page.click('#list .film >> nth=0')
      await waitUntil('the season is open', async () => (await heading(page)).startsWith('Some show · '))
      await waitUntil('the episodes are listed', async () =>
        (await entries(page)).some((text) => text.includes('S1 E1')),
      )
      t.equal(await page.locator('#list b').count(), 0, 'a name is text')
      t.ok(await isNarrow(page))
      await page.reload()
      await waitUntil('the season is still open', async () =>
        (await entries(page)).some((text) => text.includes('S1 E2')),
      )
      await page.click('#list .film >> nth=0')
      await page.waitForSelector('#player[open]')
      await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
      await page.click('#player-close')
      await page.goBack()
      await isHeaded(page, 'Some show')
      await page.click('#list-back')
      await isHeaded(page, 'All titles')
      await waitUntil('everything is listed again', async () => (await entries(page)).length === 5)
      await waitUntil('the focus is where it was', () =>
        page.evaluate<boolean>(`document.activeElement.textContent.includes('Some show')`),
      )

      await open(page, 'beach.jpg')
      await page.waitForSelector('#photo[open]')
      t.equal(await page.textContent('#photo-title'), 'beach.jpg (1 of 2)')
      const isShown = (width: number) => () =>
        page.evaluate<boolean>(`document.getElementById('photo-picture').naturalWidth === ${width}`)
      await waitUntil('the photo is shown', isShown(640))
      await page.keyboard.press('ArrowRight')
      await waitUntil('the next photo is shown', isShown(480))
      t.equal(await page.textContent('#photo-title'), 'town.jpg (2 of 2)')
      await page.keyboard.press('Escape')

      const saved = page.waitForEvent('download')
      await open(page, 'A book')
      t.match((await saved).suggestedFilename(), /\.epub$/)

      await page.fill('#query', 'second')
      await isHeaded(page, 'Results for “second”')
      await waitUntil('the episode is found', async () => (await page.locator('.film').allTextContents()).length === 1)
      await page.fill('#query', 'zzzzzz')
      await waitUntil(
        'nothing is found',
        async () => (await page.textContent('#empty')) === 'Nothing is called “zzzzzz”.',
      )
      await page.fill('#query', '')
      await isHeaded(page, 'Home')
      await page.goBack()
      await isHeaded(page, 'All titles')
      t.equal(await page.inputValue('#query'), '')
      await page.click(`#libraries a:text-is("Library ${folder}/shows")`)
      await waitUntil('one library is listed', async () => (await entries(page)).length === 1)
      await page.selectOption('#sort', 'year')
      await waitUntil('the order is in the address', () =>
        page.evaluate<boolean>(`location.search.includes('sort=year')`),
      )
      t.strictSame(complaints, [])
      await page.goto(`${server.baseUrl}/?item=00000000-0000-4000-8000-000000000000`)
      await waitUntil('a series that is hidden or deleted is not shown', async () =>
        /not found/i.test((await page.textContent('#views [role=alert]')) ?? ''),
      )
      await page.click('#list-back')
      await isHeaded(page, 'Home')
    },
  )

void t.test('marks are set on the page of a film', async (t) => {
  const { page, complaints } = await openPage(t, server.baseUrl)
  await signIn(page)
  await open(page, 'A film')
  for (const [before, after] of [
    ['Add to favourites', 'Remove from favourites'],
    ['Mark as watched', 'Mark as not watched'],
  ]) {
    await page.click(`button:text-is("${before}")`)
    t.equal(await page.getAttribute(`button:text-is("${after}")`, 'aria-pressed'), 'true')
  }
  await page.click('#list-back')
  await waitUntil('the row of favourites has it', async () =>
    /Favourites.*A film.*Watched/s.test((await page.textContent('#views')) ?? ''),
  )
  await open(page, 'A film')
  await page.click('button:text-is("Remove from favourites")')
  await page.click('button:text-is("Mark as not watched")')
  await page.waitForSelector('button:text-is("Mark as watched")')
  t.strictSame(complaints, [])
})

void t.test('the views speak German to a browser that does', async (t) => {
  const { page } = await openPage(t, server.baseUrl, async (before) => {
    await before.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })`)
  })
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await isHeaded(page, 'Start')
  await page.click('#libraries a:text-is("Alle Titel")')
  await waitUntil('the number is said', async () => (await page.textContent('#count')) === '5 Titel')
})

void t.test('what plays ends with the limit that hides it, and the player says why', async (t) => {
  const { page } = await openPage(t, server.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await waitUntil('the page listens', async () => (await server.services.players.list(account.id)).length > 0)
  await openFilm(page, '.film:has(.title:text-is("A film"))')
  await waitUntil('it is in the player', () => page.evaluate<boolean>(`document.querySelector('video').readyState > 0`))
  await setAccess(server.services, { accountId: account.id, changes: { libraryIds: [] } })
  await waitUntil('the player says it', async () =>
    /What you may see has changed/.test((await page.textContent('#player-problem')) ?? ''),
  )
  t.equal(await page.evaluate(`document.querySelector('video').readyState`), 0, 'nothing is buffered any more')
})
