import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { fileOfItem, makeSet } from '../core/analysis/trickplay/made-set.ts'
import { scanFilms } from '../support/app.ts'
import { startPageApp } from '../support/sockets.ts'
import { startBrowser } from '../support/browser.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm as playFilm } from '../support/open-film.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { items } = await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-mp4' })
const itemId = items[0]?.id ?? ''
await server.registerUser()

const FILM_SECONDS = 20

const MARKERS = [
  { type: 'recap', start_seconds: 2, end_seconds: 4, title: null },
  { type: 'intro', start_seconds: 5, end_seconds: 9, title: null },
  { type: 'outro', start_seconds: 16, end_seconds: 30, title: null },
]

const CHAPTERS = [
  { start_seconds: 0, end_seconds: 10, title: 'Opening' },
  { start_seconds: 10, end_seconds: 20, title: '<b>The rest</b>' },
]

/** Two pictures of ten seconds side by side: red, then blue. */
const STORYBOARD = `WEBVTT

00:00.000 --> 00:10.000
sprite.png#xywh=0,0,160,90

00:10.000 --> 00:20.000
sprite.png#xywh=160,0,160,90
`

async function sprite(): Promise<Buffer> {
  const half = (background: string) => sharp({ create: { width: 160, height: 90, channels: 3, background } }).png()
  const right = await half('#0000ff').toBuffer()
  return half('#ff0000')
    .extend({ right: 160 })
    .composite([{ input: right, left: 160, top: 0 }])
    .png()
    .toBuffer()
}

/** Opens the film at a position, paused, with these facts added to the reply of the server. */
async function openFilm(t: Test, facts: Record<string, unknown>, viewport?: { width: number; height: number }) {
  const { page, complaints } = await openPage(t, server.baseUrl)
  if (viewport !== undefined) await page.setViewportSize(viewport)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.route('**/playback-info', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), ...facts } })
  })
  await page.route('**/storyboard.vtt', (route) => route.fulfill({ contentType: 'text/vtt', body: STORYBOARD }))
  await page.route('**/sprite.png', async (route) => route.fulfill({ contentType: 'image/png', body: await sprite() }))
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await playFilm(page)
  await waitUntil('the film plays', () => page.evaluate(`document.querySelector('video').currentTime > 0`))
  await page.evaluate(`document.querySelector('video').pause()`)
  return { page, complaints, requested }
}

async function seek(page: Page, seconds: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const video = document.querySelector('video')
    video.addEventListener('seeked', resolve, { once: true })
    video.currentTime = ${seconds}
  })`)
}

const position = (page: Page): Promise<number> => page.evaluate(`document.querySelector('video').currentTime`)

/** The horizontal place of a position on the time line, in pixels of the page. */
async function placeOf(page: Page, seconds: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('#position').boundingBox()
  if (box === null) throw new Error('there is no time line')
  return { x: box.x + 8 + (seconds / FILM_SECONDS) * (box.width - 16), y: box.y + box.height / 2 }
}

void t.test('a marked range is skipped by its button, by the keyboard and by the key S', async (t) => {
  const { page, complaints } = await openFilm(t, { markers: MARKERS })
  const label = () => page.textContent('#skip')
  t.equal(await page.isVisible('#skip'), false, 'outside of marked ranges')

  await seek(page, 5.5)
  await page.waitForSelector('#skip:not([hidden])')
  t.equal(await label(), 'Skip intro')
  t.match(await page.textContent('[role=status]#skip-announcement'), /^Skip intro/, 'announced politely')
  await page.click('#skip')
  await waitUntil('the intro is skipped', async () => (await position(page)) >= 9)
  await page.waitForSelector('#skip', { state: 'hidden' })
  t.equal(await page.textContent('#skip-announcement'), '')

  await seek(page, 2.5)
  await page.waitForSelector('#skip:not([hidden])')
  t.equal(await label(), 'Skip recap')
  await page.focus('#skip')
  await page.keyboard.press('Enter')
  await waitUntil('the recap is skipped', async () => (await position(page)) >= 4)
  await page.waitForSelector('#skip', { state: 'hidden' })
  t.equal(await page.evaluate('document.activeElement.id'), 'video', 'the focus stays in the player')

  await seek(page, 17)
  await page.waitForSelector('#skip:not([hidden])')
  t.equal(await label(), 'Skip credits')
  await page.keyboard.press('s')
  await waitUntil('the film is at its end', async () => (await position(page)) > FILM_SECONDS - 0.5)
  await page.waitForSelector('#skip', { state: 'hidden' })
  await page.keyboard.press('s')
  t.strictSame(complaints, [])
})

void t.test('an item without markers, chapters and pictures has a time line of times', async (t) => {
  const { page, complaints, requested } = await openFilm(t, {})
  await seek(page, 6)
  t.equal(await page.isVisible('#skip'), false)
  t.equal(await page.locator('#marks > *').count(), 0)
  const { x, y } = await placeOf(page, 15)
  await page.mouse.move(x, y)
  t.equal(await page.textContent('.preview-time'), '0:15')
  t.equal(await page.isVisible('.preview-picture'), false)
  t.equal(await page.isVisible('.preview-chapter'), false)
  t.strictSame(
    requested.filter((path) => /trickplay|storyboard/.test(path)),
    [],
  )
  t.strictSame(complaints, [])
})

void t.test('the time line shows the picture, the time and the chapter under the pointer', async (t) => {
  const facts = { markers: MARKERS, chapters: CHAPTERS, storyboard_url: '/trickplay/1/storyboard.vtt' }
  const { page, complaints, requested } = await openFilm(t, facts)
  t.equal(await page.locator('.mark-range').count(), 3)
  t.equal(await page.locator('.mark-chapter').count(), 1, 'a chapter at the start has no mark')
  t.notOk(requested.includes('/trickplay/1/storyboard.vtt'), 'pictures are loaded when they are needed')

  /** The colour of the shown picture: its pixels are read, because the place in the sprite is what counts. */
  const colour = async (): Promise<number[]> => {
    const shot = await page.locator('.preview-picture').screenshot()
    const { channels } = await sharp(shot).stats()
    return channels.slice(0, 3).map(({ mean }) => Math.round(mean / 255))
  }
  const first = await placeOf(page, 4)
  await page.mouse.move(first.x, first.y)
  await page.waitForSelector('.preview-picture:not([hidden])')
  await waitUntil('the first picture is red', async () => (await colour()).join() === '1,0,0')
  t.equal(await page.textContent('.preview-chapter'), 'Opening')
  const second = await placeOf(page, 12)
  await page.mouse.move(second.x, second.y)
  await waitUntil('the second picture is blue', async () => (await colour()).join() === '0,0,1')
  t.equal(await page.textContent('.preview-chapter'), '<b>The rest</b>', 'a title is text')
  t.equal(await page.textContent('.preview-time'), '0:12')
  await page.mouse.move(5, 5)
  await page.waitForSelector('#preview', { state: 'hidden' })
  t.equal(requested.filter((path) => path.endsWith('.vtt')).length, 1)
  t.strictSame(complaints, [])
})

void t.test('a drag previews, and seeks at its end only', async (t) => {
  const { page, complaints } = await openFilm(t, { chapters: CHAPTERS })
  await seek(page, 1)
  const before = await position(page)
  const [from, to] = [await placeOf(page, before), await placeOf(page, 13)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  t.match(await page.textContent('.preview-time'), /^0:1[23]$/)
  t.equal(await position(page), before, 'the film is not sought during the drag')
  await page.mouse.up()
  await waitUntil('the film is at the new position', async () => Math.abs((await position(page)) - 13) < 0.5)
  t.equal(await page.inputValue('#position').then((value) => Math.abs(Number(value) - 13) < 0.5), true)
  t.match(await page.textContent('#times'), /^0:1[23] \/ 0:20$/)
  t.strictSame(complaints, [])
})

void t.test('the time line is used with the keyboard, and describes the position in words', async (t) => {
  const { page, complaints } = await openFilm(t, { chapters: CHAPTERS })
  await seek(page, 3)
  await page.focus('#position')
  await page.keyboard.press('ArrowRight')
  await waitUntil('ten seconds later', async () => Math.abs((await position(page)) - 13) < 0.5)
  await waitUntil('the position in words', async () =>
    /^13 seconds of 20 seconds, <b>The rest<\/b>$/.test((await page.getAttribute('#position', 'aria-valuetext')) ?? ''),
  )
  await page.keyboard.press('Home')
  await waitUntil('the start', async () => (await position(page)) === 0)
  await page.waitForSelector('#preview', { state: 'hidden' })
  await page.keyboard.press('m')
  t.equal(await page.evaluate(`document.querySelector('video').muted`), true, 'the keys of the player work there')
  t.strictSame(complaints, [])
})

void t.test('another film has a time line of its own', async (t) => {
  const { page, complaints } = await openFilm(t, { markers: MARKERS, chapters: CHAPTERS })
  await seek(page, 6)
  await page.waitForSelector('#skip:not([hidden])')
  await page.click('#player-close')
  await page.unroute('**/playback-info')
  // On the page of the film, or in the row of what was begun.
  await page.click('#play, .film')
  await waitUntil('the film plays', () => page.evaluate(`document.querySelector('video').currentTime > 0`))
  t.equal(await page.locator('#marks > *').count(), 0)
  await seek(page, 6)
  t.equal(await page.isVisible('#skip'), false)
  t.strictSame(complaints, [])
})

void t.test('full screen contains the picture, the time line and the skip button', async (t) => {
  const { page, complaints } = await openFilm(t, { markers: MARKERS })
  await seek(page, 6)
  await page.click('#full-screen')
  await waitUntil('full screen', () => page.evaluate(`document.fullscreenElement?.id === 'stage'`))
  t.equal(await page.isVisible('#skip'), true)
  t.equal(await page.isVisible('#position'), true)
  await waitUntil('the button leaves it', async () => (await page.textContent('#full-screen')) === 'Leave full screen')
  await page.keyboard.press('f')
  await waitUntil('no full screen', () => page.evaluate(`document.fullscreenElement === null`))
  t.strictSame(complaints, [])
})

for (const viewport of [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
]) {
  void t.test(`on a phone of ${viewport.width}x${viewport.height} the controls are inside the screen`, async (t) => {
    const facts = { markers: MARKERS, chapters: CHAPTERS, storyboard_url: '/trickplay/1/storyboard.vtt' }
    const { page } = await openFilm(t, facts, viewport)
    await seek(page, 6)
    const last = await placeOf(page, FILM_SECONDS)
    await page.mouse.move(last.x, last.y)
    await page.waitForSelector('.preview-picture:not([hidden])')
    for (const selector of ['#skip', '#position', '#preview', '#full-screen', '#times', '#player-close']) {
      const box = await page.locator(selector).boundingBox()
      const isInside =
        box !== null &&
        box.x >= 0 &&
        box.y >= 0 &&
        box.x + box.width <= viewport.width &&
        box.y + box.height <= viewport.height
      t.ok(isInside, `${selector}: ${JSON.stringify(box)}`)
    }
  })
}

void t.test('pictures that the server has made are shown', async (t) => {
  await makeSet(server.services, await fileOfItem(server.services, itemId))
  const { page, complaints, requested } = await openFilm(t, {})
  const { x, y } = await placeOf(page, 15)
  await page.mouse.move(x, y)
  await page.waitForSelector('.preview-picture:not([hidden])')
  const picture = await page.locator('.preview-picture').boundingBox()
  t.match(picture, { width: 160, height: 90 })
  await waitUntil('its image is loaded', () => requested.some((path) => path.endsWith('/thumb-0.jpg')))
  await waitUntil('it has the colours of the test picture', async () => {
    const { channels } = await sharp(await page.locator('.preview-picture').screenshot()).stats()
    return channels.slice(0, 3).every(({ stdev }) => stdev > 30)
  })
  t.strictSame(complaints, [])
})
