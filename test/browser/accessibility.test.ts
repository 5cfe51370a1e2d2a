import type { Page } from 'playwright-core'
import t from 'tap'
import { pick } from '../support/app.ts'
import { accessibilityViolations } from '../support/accessibility.ts'
import { startBrowser } from '../support/browser.ts'
import { reachableDirectory } from '../support/directories.ts'
import { noise, plain } from '../support/generated-pictures.ts'
import { scanLibrary } from '../support/scan-library.ts'
import { putFile, putSample } from '../support/scanning.ts'
import { startPageApp } from '../support/sockets.ts'
import { putAudio } from '../support/tagged-audio.ts'
import { waitUntil } from '../support/wait-until.ts'
import { signIn, SIZES } from './signed-in-page.ts'

const server = await startPageApp(t)
const newServer = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { token } = await server.registerUser()
const folder = reachableDirectory(t)
await putSample(folder, 'films/A film (1999)/A film (1999).mp4', 'film-long-mp4')
putFile(folder, 'films/A film (1999)/poster.jpg', await plain(200, 300, '#204080').jpeg().toBuffer())
for (const episode of ['S01E01 Pilot', 'S01E02 Second', 'S02E01 Third'])
  await putSample(folder, `shows/Some show/Season ${episode.slice(1, 3)}/Some show ${episode}.mp4`)
for (const name of ['beach', 'town']) putFile(folder, `photos/${name}.jpg`, await noise(640, 480).jpeg().toBuffer())
for (const number of [1, 2]) {
  const tags = { title: `Wave ${number}`, album: 'Waves', artist: 'Oscillators', album_artist: 'Oscillators' }
  await putAudio(folder, `music/Oscillators/Waves/${number}.mp3`, { tags, seconds: 60, hertz: 300 + number })
}
const chapters = [0, 1].map((index) => ({
  startSeconds: index * 60,
  endSeconds: (index + 1) * 60,
  title: `Part ${index}`,
}))
await putAudio(folder, 'books/The Island.m4b', {
  tags: { album: 'The Island', artist: 'A. Writer' },
  chapters,
  seconds: 120,
})
for (const [name, type] of [
  ['films', 'movie'],
  ['shows', 'series'],
  ['photos', 'photo'],
  ['music', 'music'],
  ['books', 'audiobook'],
] as const)
  await scanLibrary(server.services, { folder: `${folder}/${name}`, type })

const isHeaded = (page: Page, text: RegExp): Promise<void> =>
  waitUntil(`the heading is ${text}`, async () => text.test((await page.textContent('#list-heading')) ?? ''))

async function openFilmPage(page: Page, title: string): Promise<void> {
  await page.click('#libraries a:text-is("All titles")')
  await page.click(`#list .film:has(.title:text-is("${title}"))`)
  await page.waitForSelector('.item')
}

async function openAlbum(page: Page): Promise<void> {
  await page.click('#libraries a:text-is("Music")')
  await page.click('#list .film:has(.title:text-is("Waves"))')
  await page.waitForSelector('#tracks .song')
}

async function openPhotos(page: Page): Promise<void> {
  await page.click('#libraries a:text-is("Photos")')
  await page.waitForSelector('.timeline .photo')
}

/** What is done after the sign-in to see each page. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  home: (page) => page.waitForSelector('.card-row'),
  grid: async (page) => {
    await page.click('#libraries a:text-is("All titles")')
    await page.waitForSelector('#list .title')
  },
  search: async (page) => {
    await page.fill('#query', 'wave')
    await page.waitForSelector('.names')
  },
  'search without results': async (page) => {
    await page.fill('#query', 'zzzzzz')
    await page.waitForSelector('#empty')
  },
  film: (page) => openFilmPage(page, 'A film'),
  series: (page) => openFilmPage(page, 'Some show'),
  season: async (page) => {
    await openFilmPage(page, 'Some show')
    await page.click('#list .film >> nth=0')
    await isHeaded(page, / · /)
    await page.waitForSelector('#list .film')
  },
  'missing title': async (page) => {
    await page.goto(`${server.baseUrl}/?item=00000000-0000-4000-8000-000000000000`)
    await waitUntil('it is said', async () => (await page.textContent('#views [role=alert]')) !== '')
  },
  albums: async (page) => {
    await page.click('#libraries a:text-is("Music")')
    await page.waitForSelector('#list .title')
  },
  artists: async (page) => {
    await page.goto(`${server.baseUrl}/?music=artists`)
    await page.waitForSelector('#list .title')
  },
  album: openAlbum,
  artist: async (page) => {
    await page.goto(`${server.baseUrl}/?artist=Oscillators`)
    await page.waitForSelector('#list .title')
  },
  'album with music and its queue': async (page) => {
    await openAlbum(page)
    await page.click('#play')
    await page.click('#music-queue-open')
    await page.waitForSelector('#music-queue .song')
  },
  photos: openPhotos,
  photo: async (page) => {
    await openPhotos(page)
    await page.click('.timeline .photo >> nth=0')
    await page.waitForSelector('#photo-picture:not([hidden])')
  },
  account: async (page) => {
    await page.click('#account-open')
    await page.waitForSelector('#account[open]')
  },
  profiles: async (page) => {
    await page.click('#profile-open')
    await page.waitForSelector('#profiles[open]')
    await page.waitForSelector('#profile-choices li')
  },
  groups: async (page) => {
    await page.click('#groups-open')
    await page.waitForSelector('#groups[open]')
  },
  player: async (page) => {
    await openFilmPage(page, 'A film')
    await page.click('#play')
    await page.waitForSelector('#player[open]')
    await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
    await page.evaluate(`document.querySelector('video').pause()`)
  },
  audiobook: async (page) => {
    const { json } = await server.ask('GET', '/api/v1/audiobooks', { token })
    const id = String(pick(json, 'audiobooks', 0, 'id'))
    const { json: one } = await server.ask('GET', `/api/v1/audiobooks/${id}`, { token })
    await page.goto(`${server.baseUrl}${String(pick(one, 'audiobook', 'read_url'))}`)
    await page.waitForSelector('#book:not([hidden])')
  },
}

for (const colorScheme of ['dark', 'light'] as const) {
  const prepare = async (page: Page): Promise<void> => {
    // Colours are compared while nothing fades in.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  }

  void t.test(`sign-in and the first account have no violation of the rules of axe (${colorScheme})`, async (t) => {
    const { page } = await openPage(t, server.baseUrl, prepare)
    await page.waitForSelector('#sign-in:not([hidden])')
    t.strictSame(await accessibilityViolations(page), [])
    await page.click('#by-code-begin')
    await page.waitForSelector('#code:not(:empty)')
    t.strictSame(await accessibilityViolations(page), [], 'sign-in by code')
    const { page: first } = await openPage(t, newServer.baseUrl, prepare)
    await first.waitForSelector('#register:not([hidden])')
    t.strictSame(await accessibilityViolations(first), [])
  })

  void t.test(`no page has a violation of the rules of axe (${colorScheme})`, async (t) => {
    const { page } = await openPage(t, server.baseUrl, prepare)
    await signIn(page, 'user')
    for (const [name, open] of Object.entries(PAGES)) {
      await page.goto(server.baseUrl)
      await page.waitForSelector('.card-row')
      await open(page)
      t.strictSame(await accessibilityViolations(page), [], name)
    }
  })
}

void t.test('the pages have no violation of the rules of axe on a phone', async (t) => {
  const { page } = await openPage(t, server.baseUrl, (before) => before.setViewportSize(SIZES.phone))
  await signIn(page, 'user')
  for (const name of ['home', 'grid', 'album with music and its queue', 'photos', 'player']) {
    await page.goto(server.baseUrl)
    await page.waitForSelector('.card-row')
    await PAGES[name]?.(page)
    t.strictSame(await accessibilityViolations(page), [], name)
  }
})
