import type { Page } from 'playwright-core'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { startBrowser } from '../../../support/browser.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { openGallery } from '../../../support/photo-gallery.ts'
import { share, SHARES } from '../../../support/shares.ts'
import { startPageApp } from '../../../support/sockets.ts'
import { openFilm } from '../../../support/open-film.ts'

/** Types for functions that run in the page; the DOM types are not part of this program. */
declare const document: {
  querySelector: (selector: string) => { currentTime: number; naturalWidth: number; textContent: string } | null
}

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

const { openPage } = await startBrowser(t)

/** Opens a link in a browser without any data. */
async function visit(t: Test, url: string, viewport = DESKTOP) {
  return openPage(t, url, (page: Page) => page.setViewportSize(viewport))
}

const hasPlayed = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => (document.querySelector(wanted)?.currentTime ?? 0) > 0.3, selector)

/** Runs in the page. */
const hasText = (selector: string): boolean => (document.querySelector(selector)?.textContent ?? '') !== ''

/** Nothing is wider than the window. */
const WIDTHS = '[document.documentElement.scrollWidth, innerWidth]'

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  void t.test(`a shared film plays in a fresh browser of a ${name}, as file and by HLS`, async (t) => {
    const app = await startApp(t)
    const user = await app.registerUser()
    for (const [kind, mode] of [
      ['film-mp4', 'Direct'],
      ['film-mkv', 'HLS'],
    ] as const) {
      const { idOf } = await scanFilms(t, app.services, { [`${mode} (1999).${kind.slice(5)}`]: kind })
      const { token } = await share(app, user, { item_id: idOf(mode) })
      const { page, complaints } = await visit(t, `${app.baseUrl}/s#${token}`, viewport)
      await page.waitForSelector('#shared:not([hidden])')
      t.equal(await page.textContent('#title'), mode)
      await page.waitForFunction(() => (document.querySelector('.poster img')?.naturalWidth ?? 0) > 0)
      const [content, window] = await page.evaluate<[number, number]>(WIDTHS)
      t.ok(content <= window, `${content} of ${window} pixels`)
      await page.click('.film')
      await hasPlayed(page, '#video')
      t.equal(await page.textContent('#player-mode'), mode)
      t.equal(await page.textContent('#player-problem'), '')
      t.strictSame(complaints, [])
    }
  })
}

void t.test('the page asks for the password, and says why a link does not open', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const { idOf } = await scanFilms(t, app.services, { 'A film (1999).mp4': 'film-mp4' })
  const itemId = idOf('A film')
  const locked = await share(app, user, { item_id: itemId, password: 'open sesame', max_uses: 1 })
  const { page } = await visit(t, `${app.baseUrl}/s#${locked.token}`, PHONE)
  await page.fill('#password', 'open barley')
  await page.press('#password', 'Enter')
  await page.waitForFunction(hasText, '#open-problem')
  t.equal(await page.textContent('#open-problem'), 'The password is not right.')
  await page.fill('#password', 'open sesame')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#shared:not([hidden])')
  await page.reload()
  await page.waitForSelector('#shared:not([hidden])')
  const problemAt = async (fragment: string) => {
    const opened = await visit(t, `${app.baseUrl}/s${fragment}`)
    await opened.page.waitForFunction(hasText, '#problem')
    return opened.page.textContent('#problem')
  }
  t.match(await problemAt(`#${'a'.repeat(43)}`), /There is no such link/)
  t.match(await problemAt(''), /incomplete/)
  await app.ask('DELETE', `${SHARES}/${locked.id}`, { token: user.token })
  t.match(await problemAt(`#${locked.token}`), /withdrawn/)
  const once = await share(app, user, { item_id: itemId, max_uses: 1 })
  await app.ask('POST', '/s/open', { body: { token: once.token } })
  t.match(await problemAt(`#${once.token}`), /as often as it may be/)
})

void t.test('shared photos are a gallery', async (t) => {
  const gallery = await openGallery(t)
  const { json } = await gallery.ask('GET', '/api/v1/photo/albums', { token: gallery.token })
  const albums = pick(json, 'albums') as { id: string; photo_count: number }[]
  const album = albums.find(({ photo_count: count }) => count > 1)
  const made = await gallery.ask('POST', SHARES, { token: gallery.token, body: { album_id: album?.id } })
  t.equal(made.status, 201, made.text)
  const { page } = await visit(t, String(pick(made.json, 'url')), PHONE)
  await page.click('.photo')
  await page.waitForFunction(() => (document.querySelector('#photo-picture')?.naturalWidth ?? 0) > 0)
  const first = await page.textContent('#photo-title')
  await page.click('#photo-after')
  t.not(await page.textContent('#photo-title'), first)
  await page.keyboard.press('Escape')
  t.match(await page.getAttribute('.photo', 'aria-label'), /^Photo 1: ./)
  const size =
    'new Promise((done) => { const image = new Image(); image.onload = () => done([image.width, image.height]); image.src = document.querySelector("#photo-picture").src })'
  await page.click('.photo')
  const [width, height] = await page.evaluate<[number, number]>(size)
  t.not(width, height, 'the photo keeps its shape')
  await gallery.ask('DELETE', `${SHARES}/${String(pick(made.json, 'id'))}`, { token: gallery.token })
  // A browser may show a photo again that it has.
  await page.route('**/picture?*', (route) => route.fulfill({ status: 410, body: '' }))
  await page.click('#photo-after')
  await page.waitForFunction(hasText, '#photo-problem')
  t.match(await page.textContent('#photo-problem'), /withdrawn/)
  t.equal(await page.isVisible('#photo-picture'), false)
})

void t.test('a guest who watches over HLS is told at the first refused part, over the picture', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const { idOf } = await scanFilms(t, app.services, { 'A film (1999).mkv': 'film-mkv' })
  const { token, id } = await share(app, user, { item_id: idOf('A film') })
  const held = Promise.withResolvers<void>()
  const { page } = await openPage(t, `${app.baseUrl}/s#${token}`, async (prepared: Page) => {
    let parts = 0
    await prepared.route('**/hls/**/seg-*', async (route) => {
      parts += 1
      if (parts > 1) await held.promise
      await route.continue()
    })
  })
  await page.click('.film')
  await hasPlayed(page, '#video')
  await app.ask('DELETE', `${SHARES}/${id}`, { token: user.token })
  held.resolve()
  await page.waitForFunction(hasText, '#player-problem')
  t.match(await page.textContent('#player-problem'), /^This link was withdrawn by the person who made it\./)
  t.equal(await page.getAttribute('#video', 'src'), null, 'nothing is played any further')
  const [problem, picture] = [
    await page.locator('#player-problem').boundingBox(),
    await page.locator('#video').boundingBox(),
  ]
  t.ok(problem !== null && picture !== null && problem.y >= picture.y && problem.y + problem.height < DESKTOP.height)
})

void t.test('the player of a signed-in user makes a link that opens', async (t) => {
  const app = await startPageApp(t)
  await app.registerUser()
  await scanFilms(t, app.services, { 'A film (1999).mp4': 'film-mp4' })
  const { page, complaints } = await openPage(t, app.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await openFilm(page)
  await hasPlayed(page, '#video')
  await page.click('#share-open')
  t.equal(await page.textContent('#share-title'), 'Share “A film”')
  await page.fill('#share [name=password]', 'open sesame')
  await page.click('#share-make')
  await page.waitForSelector('#share-made:not([hidden])')
  const url = String(await page.textContent('#share-link'))
  await page.click('#share-copy')
  await page.waitForFunction(() => document.querySelector('#share-copy')?.textContent !== 'Copy')
  await page.click('#share-close')
  await page.click('#player-close')
  await page.click('#account-open')
  await page.waitForSelector('#share-list li')
  t.match(await page.textContent('#share-list'), /A film.*never opened.*password/)
  const guest = await visit(t, url, PHONE)
  await guest.page.fill('#password', 'open sesame')
  await guest.page.press('#password', 'Enter')
  await guest.page.waitForSelector('.film')
  await page.click('#share-list button')
  t.equal(await page.textContent('#share-list button'), 'Really revoke?')
  await page.click('#share-list button')
  await page.waitForSelector('#shares-empty:not([hidden])')
  await guest.page.click('.film')
  await guest.page.waitForFunction(hasText, '#player-problem')
  t.match(await guest.page.textContent('#player-problem'), /withdrawn/)
  t.strictSame(complaints, [])
})

void t.test('a shared album of music plays one song after the other', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const songs = {
    'Oscillator/Waves/01 Tone.mp3': 'song-mp3',
    'Oscillator/Waves/02 Other.mp3': 'song-mp3',
  } as const
  await scanFilms(t, app.services, songs, 'music')
  const albumId = String(await app.services.db.oneFirst(sql.unsafe`select album_id from music_tracks limit 1`))
  const { token } = await share(app, user, { album_id: albumId, allow_download: true })
  const { page, complaints } = await visit(t, `${app.baseUrl}/s#${token}`, PHONE)
  await page.waitForSelector('.song')
  const count = await page.locator('.song').count()
  t.equal(count, 2)
  t.equal(await page.getByRole('link', { name: /^Save / }).count(), 2)
  await page.click('.song')
  await hasPlayed(page, '#audio')
  t.match(await page.textContent('#song-title'), /^Tone – /)
  await page.waitForSelector('li:nth-child(2) .song[aria-current=true]')
  t.equal(await page.textContent('#song-problem'), '')
  t.strictSame(complaints, [])
})
