import type { Page } from 'playwright-core'
import t from 'tap'
import { pick } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { plain } from '../support/generated-pictures.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { putFile, putSample } from '../support/scanning.ts'
import { startPageApp } from '../support/sockets.ts'
import { putAudio } from '../support/tagged-audio.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { token } = await server.registerUser()
const folder = reachableDirectory(t)

async function putSong(album: string, number: number, { artist = 'The Oscillators', seconds = 2 } = {}): Promise<void> {
  const title = `${album} ${number}`
  const tags = { title, album, artist, album_artist: artist, track: String(number), date: '1999' }
  await putAudio(folder, `music/${artist}/${album}/${number}.mp3`, { tags, seconds, hertz: 300 + 40 * number })
}

for (const number of [1, 2, 3]) await putSong('Waves', number)
for (const number of [1, 2]) await putSong('Long <b>tones</b>', number, { seconds: 60 })
await putSong('Noise', 1, { artist: 'Somebody & else' })
putFile(folder, 'music/The Oscillators/Waves/cover.jpg', await plain(64, 64, '#204080').jpeg().toBuffer())
await putSample(folder, 'films/A film (1999)/A film (1999).mp4', 'film-long-mp4')
await scanLibrary(server.services, { folder: `${folder}/music`, type: 'music' })
await scanLibrary(server.services, { folder: `${folder}/films`, type: 'movie' })

/** Notes what the media elements do, in its order, and which actions of the media keys are set. */
const RECORDER = `{
  window.heard = []
  window.mediaActions = {}
  const nameOf = (element) => new URL(element.currentSrc || element.src || 'about:blank', location.href).pathname
  for (const type of ['loadeddata', 'play', 'playing', 'ended'])
    document.addEventListener(type, ({ target }) => {
      if (target instanceof HTMLAudioElement) window.heard.push(type + ' ' + nameOf(target))
    }, true)
  const set = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession)
  navigator.mediaSession.setActionHandler = (action, handler) => {
    window.mediaActions[action] = handler
    set(action, handler)
  }
}`

const openAt = (t: Parameters<typeof openPage>[0], viewport = SIZES.desktop) =>
  openPage(t, server.baseUrl, async (before) => {
    await before.setViewportSize(viewport)
    await before.addInitScript(RECORDER)
  })

const isHeaded = (page: Page, text: string): Promise<void> =>
  waitUntil(`the heading is ${text}`, async () => (await page.textContent('#list-heading')) === text)
const plays = (page: Page, title: string): Promise<void> =>
  waitUntil(`${title} plays`, async () => {
    const isShown = (await page.isVisible('#music-title')) && (await page.textContent('#music-title')) === title
    return (
      isShown &&
      page.evaluate<boolean>(
        `[...document.querySelectorAll('audio')].some((one) => !one.paused && one.currentTime > 0)`,
      )
    )
  })
const press = (page: Page, action: string, details = {}): Promise<void> =>
  page.evaluate(`window.mediaActions[${JSON.stringify(action)}](${JSON.stringify(details)})`)

const trackIds = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('#tracks .song')].map(({ dataset }) => dataset.id)`)

async function openAlbum(page: Page, title: string): Promise<void> {
  await page.click('#libraries a:text-is("Music")')
  await page.click(`#list .film:has(.title:text-is("${title}"))`)
  await isHeaded(page, title)
  await page.waitForSelector('#tracks .song')
}

for (const [name, viewport] of Object.entries(SIZES))
  void t.test(`albums and artists are lists, and lead to each other (${name})`, async (t) => {
    const { page, complaints } = await openAt(t, viewport)
    await signIn(page, 'user')
    await page.click('#libraries a:text-is("Music")')
    await isHeaded(page, 'Albums')
    await waitUntil('all albums are there', async () => (await page.locator('#list .title').count()) === 3)
    t.equal(await page.textContent('#count'), '3')
    await waitUntil('the cover is shown', () =>
      page.evaluate<boolean>(`document.querySelector('#list img')?.naturalWidth > 0`),
    )
    t.ok(await fitsWindow(page))
    await page.focus('#list .film')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await isHeaded(page, 'Waves')
    t.equal(await page.textContent('#album-facts'), '1999 · 3 songs · 0:06')
    t.strictSame(await page.locator('#tracks .song-title').allTextContents(), ['Waves 1', 'Waves 2', 'Waves 3'])
    t.ok(await fitsWindow(page))
    await page.click('.item .quiet-link')
    await isHeaded(page, 'The Oscillators')
    t.equal(await page.textContent('#artist-facts'), '2 albums · 5 songs')
    await waitUntil('the albums are there', async () => (await page.locator('#list .title').count()) === 2)
    t.equal(await page.locator('#list b').count(), 0, 'a title is text')
    await page.reload()
    await isHeaded(page, 'The Oscillators')
    await page.goBack()
    await isHeaded(page, 'Waves')
    await page.click('#list-back')
    await isHeaded(page, 'Albums')
    await waitUntil('the focus is where it was', () =>
      page.evaluate<boolean>(`document.activeElement.textContent.includes('Waves')`),
    )
    await page.click('nav[aria-label="Music"] a:text-is("Artists")')
    await isHeaded(page, 'Artists')
    await page.click('#list .film:has-text("Somebody & else")')
    await isHeaded(page, 'Somebody & else')
    await page.fill('#query', 'waves')
    await page.click('.names .name:has-text("Waves")')
    await isHeaded(page, 'Waves')
    t.strictSame(complaints, [])
  })

void t.test(
  'the next song is loaded while one plays, and begins when it ends; the server knows what was heard',
  async (t) => {
    const { page, complaints } = await openAt(t)
    await signIn(page, 'user')
    await openAlbum(page, 'Waves')
    const ids = await trackIds(page)
    await page.click('#play')
    const heard = (): Promise<string[]> => page.evaluate('window.heard')
    await waitUntil('the album has ended', async () => {
      const ended = (await heard()).filter((entry) => entry.startsWith('ended '))
      return ended.length === 3
    })
    const events = (await heard()).map((entry) => {
      const [type = '', path = ''] = entry.split(' ')
      return `${type} ${ids.findIndex((id) => path.includes(id))}`
    })
    for (const song of [0, 1]) {
      const end = events.indexOf(`ended ${song}`)
      t.ok(events.slice(0, end).includes(`loadeddata ${song + 1}`), 'the next song was loaded before the end')
      t.equal(events[end + 1], `play ${song + 1}`, 'and it is the next thing that happens')
    }
    t.equal(await page.textContent('#music-title'), 'Waves 3', 'the last song stays')
    t.equal(await page.getAttribute('#music-toggle', 'aria-label'), 'Play')
    await waitUntil('the server knows the songs as heard', async () => {
      const items = await Promise.all(ids.map((id) => server.ask('GET', `/api/v1/media/${id}`, { token })))
      return items.every(({ json }) => pick(json, 'item', 'user_data', 'watched') === true)
    })
    t.strictSame(complaints, [])
  },
)

void t.test('music plays on while the views change, and keys of the device steer it', async (t) => {
  const { page, complaints } = await openAt(t)
  await signIn(page, 'user')
  await openAlbum(page, 'Long <b>tones</b>')
  await page.focus('#tracks .song')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await plays(page, 'Long <b>tones</b> 2')
  t.equal(await page.locator('#now-playing b').count(), 0, 'a title is text')
  await page.click('#libraries a:text-is("Home")')
  await isHeaded(page, 'Home')
  await plays(page, 'Long <b>tones</b> 2')
  await page.fill('#query', 'noise')
  await isHeaded(page, 'Results for “noise”')
  await plays(page, 'Long <b>tones</b> 2')
  const metadata = await page.evaluate<Record<string, string>>(`{
    const { title, artist, album } = navigator.mediaSession.metadata
    ;({ title, artist, album })
  }`)
  t.strictSame(metadata, { title: 'Long <b>tones</b> 2', artist: 'The Oscillators', album: 'Long <b>tones</b>' })

  await press(page, 'pause')
  await page.waitForSelector('#music-toggle[aria-label="Play"]')
  await press(page, 'seekto', { seekTime: 30 })
  await waitUntil('it is there', async () => (await page.inputValue('#music-position')) === '30')
  await press(page, 'play')
  await page.waitForSelector('#music-toggle[aria-label="Pause"]')
  await press(page, 'previoustrack')
  await waitUntil('it begins again', async () => Number(await page.inputValue('#music-position')) < 10)
  t.equal(await page.textContent('#music-title'), 'Long <b>tones</b> 2')
  await press(page, 'previoustrack')
  await plays(page, 'Long <b>tones</b> 1')
  await press(page, 'nexttrack')
  await plays(page, 'Long <b>tones</b> 2')

  await page.click('.mini-song')
  await isHeaded(page, 'Long <b>tones</b>')
  t.match(await page.textContent('#tracks .song[aria-current]'), /tones<\/b> 2/)
  await page.click('#music-stop')
  await page.waitForSelector('#music-title', { state: 'detached' })
  t.equal(await page.evaluate('navigator.mediaSession.metadata'), null)
  t.equal(await page.evaluate(`window.mediaActions.play`), null)
  t.strictSame(complaints, [])
})

void t.test('the queue is shown, shuffled, repeated and extended by keyboard', async (t) => {
  const { page, complaints } = await openAt(t, SIZES.phone)
  await signIn(page, 'user')
  await openAlbum(page, 'Long <b>tones</b>')
  await page.click('#play')
  await plays(page, 'Long <b>tones</b> 1')
  t.ok(await fitsWindow(page))
  await openAlbum(page, 'Noise')
  await page.click('#enqueue')
  await page.focus('#music-queue-open')
  await page.keyboard.press('Enter')
  const queued = (): Promise<string[]> => page.locator('#music-queue .song-title').allTextContents()
  t.strictSame(await queued(), ['Long <b>tones</b> 1', 'Long <b>tones</b> 2', 'Noise 1'])
  t.ok(await fitsWindow(page))
  await page.keyboard.press('Escape')
  await page.waitForSelector('#music-queue', { state: 'detached' })
  t.equal(await page.evaluate('document.activeElement.id'), 'music-queue-open')

  await page.focus('#music-shuffle')
  await page.keyboard.press('Enter')
  t.equal(await page.getAttribute('#music-shuffle', 'aria-pressed'), 'true')
  await page.keyboard.press('Enter')
  t.equal(await page.getAttribute('#music-shuffle', 'aria-pressed'), 'false')
  await page.focus('#music-repeat')
  await page.keyboard.press('Enter')
  t.equal(await page.textContent('#music-repeat'), 'Repeat: all')
  await page.click('#music-previous')
  await plays(page, 'Noise 1')
  await page.click('#music-next')
  await plays(page, 'Long <b>tones</b> 1')
  t.strictSame(complaints, [])
})

void t.test(
  'a song whose address does not work any more gets a new one; one that cannot be played is left out',
  async (t) => {
    const { page } = await openAt(t)
    await signIn(page, 'user')
    await openAlbum(page, 'Long <b>tones</b>')
    const [first = ''] = await trackIds(page)
    let refused = 0
    await page.route(`**/${first}/**`, (route) => {
      if (route.request().resourceType() !== 'media' || refused > 0) return route.continue()
      refused += 1
      return route.fulfill({ status: 403 })
    })
    await page.click('#play')
    await plays(page, 'Long <b>tones</b> 1')
    t.equal(refused, 1)
    await page.unroute(`**/${first}/**`)
    await page.click('#music-stop')
    await page.route(`**/${first}/**`, (route) =>
      route.request().resourceType() === 'media' ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.click('#play')
    await plays(page, 'Long <b>tones</b> 2')
    t.equal(await page.textContent('#music-problem'), '“Long <b>tones</b> 1” cannot be played here.')
  },
)

void t.test('a film pauses the music, and a sign-out ends it', async (t) => {
  const { page, complaints } = await openAt(t)
  await signIn(page, 'user')
  await openAlbum(page, 'Long <b>tones</b>')
  await page.click('#play')
  await plays(page, 'Long <b>tones</b> 1')
  await page.click('#libraries a:text-is("All titles")')
  await page.click('#list .film:has(.title:text-is("A film"))')
  await page.click('#play')
  await page.waitForSelector('#player[open]')
  await waitUntil('no music is heard', () =>
    page.evaluate<boolean>(`[...document.querySelectorAll('audio')].every(({ paused }) => paused)`),
  )
  await page.click('#player-close')
  await page.click('#music-toggle')
  await plays(page, 'Long <b>tones</b> 1')
  t.equal(await page.evaluate(`typeof window.mediaActions.nexttrack`), 'function')
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.equal(await page.locator('#music-title').count(), 0)
  t.ok(await page.evaluate<boolean>(`[...document.querySelectorAll('audio')].every((one) => one.src === '')`))
  t.strictSame(complaints, [])
})
