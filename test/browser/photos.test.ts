import type { Page } from 'playwright-core'
import t from 'tap'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { noise } from '../support/generated-pictures.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { putFile } from '../support/scanning.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerUser()
const folder = reachableDirectory(t)
/** The width of a photo says which one it is. */
const PHOTOS = [
  ['2024-05-06', 640, 400],
  ['2024-05-05', 641, 400],
  ['2024-05-04', 300, 500],
  ['2023-12-24', 643, 400],
  ['2023-12-23', 644, 400],
] as const
for (const [date, width, height] of PHOTOS)
  putFile(folder, `${date}.jpg`, await noise(width, height).jpeg().toBuffer(), new Date(`${date}T12:00:00Z`))
await scanLibrary(server.services, { folder, type: 'photo' })

const COUNT = 100_000
const MONTHS = Array.from({ length: 100 }, (_, index) => {
  const [year, month] = [2024 - Math.floor(index / 12), 12 - (index % 12)]
  return { month: `${year}-${String(month).padStart(2, '0')}`, count: COUNT / 100 }
})
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Answers the timeline of that many photos in the place of the server, whose own would have to be filled first. */
async function answerTimeline(page: Page): Promise<void> {
  await page.route('**/dot.png*', (route) => route.fulfill({ body: DOT, contentType: 'image/png' }))
  await page.route('**/api/v1/photo/timeline', (route) => route.fulfill({ json: { months: MONTHS, total: COUNT } }))
  await page.route('**/api/v1/photo/timeline/*', (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const month = pathname.slice(-7)
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))]
    const photos = Array.from({ length: limit }, (_, index) => ({
      id: `${month}-${offset + index}`,
      ratio: [1.5, 0.67, 1.33, 3, null][index % 5],
      date: `${month}-15`,
      date_taken_unix: 0,
      thumbnail_url: '/dot.png?x=1',
    }))
    return route.fulfill({ json: { month, photos, total: COUNT / 100, limit, offset } })
  })
}

const isHeaded = (page: Page, text: string): Promise<void> =>
  waitUntil(`the heading is ${text}`, async () => (await page.textContent('#list-heading')) === text)
const isShown = (page: Page, width: number): Promise<void> =>
  waitUntil(`the photo of the width ${width} is shown`, () =>
    page.evaluate<boolean>(`document.getElementById('photo-picture').naturalWidth === ${width}`),
  )
const focusedLabel = (page: Page): Promise<string | null> =>
  page.evaluate(`document.activeElement.getAttribute('aria-label')`)
const isFocused = (page: Page, label: string): Promise<void> =>
  waitUntil(`${label} has the focus`, async () => (await focusedLabel(page)) === label)

for (const [name, viewport] of Object.entries(SIZES))
  void t.test(`photos are shown by month, and one fills the window (${name})`, async (t) => {
    const { page, complaints } = await openPage(t, server.baseUrl, (before) => before.setViewportSize(viewport))
    await signIn(page, 'user')
    await page.click('#libraries a:text-is("Photos")')
    await isHeaded(page, 'Photos')
    await waitUntil('all photos are there', async () => (await page.locator('.timeline .photo').count()) === 5)
    t.equal(await page.textContent('#count'), '5')
    t.strictSame(await page.locator('.month h3').allTextContents(), ['May 2024', 'December 2023'])
    await waitUntil('the pictures are there', () =>
      page.evaluate<boolean>(
        `[...document.querySelectorAll('.photo img')].every(({ naturalWidth }) => naturalWidth > 1)`,
      ),
    )
    t.ok(await fitsWindow(page))
    const isJustified = await page.evaluate<boolean>(`{
      const width = document.getElementById('timeline').clientWidth
      const boxes = [...document.querySelectorAll('.photos li')].map((one) => one.getBoundingClientRect())
      boxes.every(({ left, right }) => left >= 0 && right - boxes[0].left <= width + 1)
    }`)
    t.ok(isJustified)

    await page.focus('.timeline .photo[tabindex="0"]')
    await isFocused(page, 'Photo 1, May 6, 2024')
    await page.keyboard.press('ArrowRight')
    await isFocused(page, 'Photo 2, May 5, 2024')
    await page.keyboard.press('End')
    await isFocused(page, 'Photo 2, December 23, 2023')
    await page.keyboard.press('Home')
    await isFocused(page, 'Photo 1, May 6, 2024')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#photo[open]')
    await isShown(page, 640)
    t.equal(await page.textContent('#photo-title'), '2024-05-06.jpg (1 of 5)')
    await page.keyboard.press('ArrowRight')
    await isShown(page, 641)
    await page.keyboard.press('End')
    await isShown(page, 644)
    await page.keyboard.press('ArrowRight')
    await isShown(page, 640)
    await page.keyboard.press('ArrowLeft')
    await isShown(page, 644)
    await page.keyboard.press('Home')
    await isShown(page, 640)
    await page.keyboard.press('ArrowRight')
    await isShown(page, 641)
    await page.keyboard.press('Escape')
    await page.waitForSelector('#photo:not([open])', { state: 'attached' })
    await isFocused(page, 'Photo 2, May 5, 2024')
    t.strictSame(complaints, [])
  })

void t.test('a slideshow goes on by itself until it is stopped, without movement if none is wanted', async (t) => {
  const { page, complaints } = await openPage(t, server.baseUrl, (before) =>
    before.emulateMedia({ reducedMotion: 'reduce' }),
  )
  await signIn(page, 'user')
  await page.click('#libraries a:text-is("Photos")')
  await page.click('.timeline .photo >> nth=0')
  await isShown(page, 640)
  await page.keyboard.press('p')
  t.equal(await page.getAttribute('#photo-slideshow', 'aria-pressed'), 'true')
  t.equal(await page.textContent('#photo-slideshow'), 'Stop the slideshow')
  await isShown(page, 641)
  t.equal(await page.evaluate(`getComputedStyle(document.getElementById('photo-picture')).animationName`), 'none')
  await page.click('#photo-slideshow')
  t.equal(await page.getAttribute('#photo-slideshow', 'aria-pressed'), 'false')
  await page.click('#photo-slideshow')
  await page.click('#photo-close')
  t.equal(await page.getAttribute('#photo-slideshow', 'aria-pressed'), 'false', 'closing stops it')
  t.strictSame(complaints, [])
})

for (const [name, viewport] of Object.entries(SIZES))
  void t.test(`100,000 photos are walked by keys, months and the scroll bar (${name})`, async (t) => {
    const { page, complaints } = await openPage(t, server.baseUrl, async (before) => {
      await before.setViewportSize(viewport)
      await answerTimeline(before)
    })
    await signIn(page, 'user')
    await page.click('#libraries a:text-is("Photos")')
    await page.waitForSelector('.timeline .photo')
    t.equal(await page.textContent('#count'), '100,000')
    const photos = (): Promise<number> => page.locator('.timeline .photo').count()
    t.ok((await photos()) < 150, 'few of them are in the document')
    await page.focus('.timeline .photo[tabindex="0"]')
    await page.keyboard.press('ArrowDown')
    t.match(await focusedLabel(page), /^Photo [2-9], December 15, 2024$/)
    await page.keyboard.press('End')
    await isFocused(page, 'Photo 1000, September 15, 2016')
    t.ok((await photos()) < 150)
    await page.keyboard.press('ArrowLeft')
    await isFocused(page, 'Photo 999, September 15, 2016')
    await page.keyboard.press('Home')
    await isFocused(page, 'Photo 1, December 15, 2024')

    await page.selectOption('#month', { label: 'June 2020' })
    await waitUntil('the month is at the top', () =>
      page.evaluate<boolean>(`[...document.querySelectorAll('.month h3')].some((heading) => {
        const { top } = heading.getBoundingClientRect()
        return heading.textContent === 'June 2020' && top > 0 && top < 250 && heading.parentElement.querySelector('.photo') !== null
      })`),
    )
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.waitForSelector('.month[aria-label="September 2016"] .photo')
    const [top, label] = await page.evaluate<[number, string]>(`[scrollY, [...document.querySelectorAll('.photo')]
      .find((photo) => photo.getBoundingClientRect().top > 200).getAttribute('aria-label')]`)
    await page.focus(`.photo[aria-label="${label}"]`)
    await page.fill('#query', 'beach')
    await isHeaded(page, 'Results for “beach”')
    await page.goBack()
    await isHeaded(page, 'Photos')
    await waitUntil('the page is where it was left', async () => (await page.evaluate('scrollY')) === top)
    t.ok((await photos()) < 150)
    t.strictSame(complaints, [])
  })

void t.test('a timeline that cannot be had is said, in German too', async (t) => {
  const { page } = await openPage(t, server.baseUrl, async (before) => {
    await before.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })`)
    await before.route('**/api/v1/photo/timeline/*', (route) =>
      route.fulfill({ status: 500, json: { error: 'Nothing works.', code: 'internal_error' } }),
    )
  })
  await signIn(page, 'user')
  await page.click('#libraries a:text-is("Fotos")')
  await isHeaded(page, 'Fotos')
  await waitUntil('the reason is said', async () => (await page.textContent('#views [role=alert]')) !== '')
  t.strictSame(await page.locator('.month h3').allTextContents(), ['Mai 2024', 'Dezember 2023'])
  t.equal(await page.locator('#photo-slideshow').textContent(), 'Diaschau')
})
