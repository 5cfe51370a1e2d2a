import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createInvite, readSetupCode } from '../../../../src/core/accounts/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { startBrowser } from '../../../support/browser.ts'
import { scanFilms, startApp } from '../../../support/app.ts'
import { startPageApp } from '../../../support/sockets.ts'
import type { SampleKind } from '../../../support/media.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { openFilm } from '../../../support/open-film.ts'

/** Types for functions that run in the page; the DOM types are not part of this program. */
type Element = { id: string; currentTime: number; textContent: string }
declare const document: {
  activeElement: Element | null
  querySelector: (selector: string) => Element | null
  querySelectorAll: (selector: string) => Element[]
}

/** Runs in the page. */
const WATCH_TO_THE_END = `(async () => {
  const video = document.querySelector('video')
  video.playbackRate = 8
  await new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }))
  return { duration: video.duration, position: video.currentTime, error: video.error?.message ?? null }
})()`

const { openPage } = await startBrowser(t)

const FOCUSED_CLASS = 'document.activeElement.className'

/** A signed-in page with these films. */
async function signedIn(t: Test, films: Record<string, SampleKind>) {
  const server = await startPageApp(t)
  await server.registerUser()
  await scanFilms(t, server.services, films)
  const { page, complaints } = await openPage(t, server.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('.film')
  return { ...server, page, complaints }
}

type BuiltPages = {
  pages: Record<string, { style: string; scripts: string[]; laterScripts: string[] }>
  shared: string[]
}

/** The addresses of the files of the built pages of a server. */
function assetUrls(): { hashed: string[]; shared: string[]; ofHub: string[] } {
  const path = join(import.meta.dirname, '../../../../web-pages/pages.json')
  const { pages, shared } = JSON.parse(readFileSync(path, 'utf8')) as BuiltPages
  const filesOf = (name: string): string[] => {
    const page = pages[name]
    return page === undefined ? [] : [page.style, ...page.scripts, ...page.laterScripts]
  }
  const hashed = ['index', 'listen', 'share'].flatMap(filesOf)
  const ofHub = filesOf('hub').filter((name) => !hashed.includes(name))
  const urls = (names: Iterable<string>): string[] => [...new Set(names)].map((name) => `/assets/${name}`)
  return { hashed: urls(hashed), shared: urls(shared), ofHub: urls(ofHub) }
}

void t.test('the files of the page are public, typed and strict about what may run (BR-02)', async (t) => {
  const { ask } = await startApp(t)
  const { hashed, shared, ofHub } = assetUrls()
  t.ok(hashed.length > 5)
  for (const url of ['/', '/s', ...hashed, ...shared]) {
    const answer = await ask('GET', url)
    t.equal(answer.status, 200, url)
    t.match(answer.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self'; style-src 'self';/)
    t.notMatch(answer.headers.get('content-security-policy'), /unsafe|\*/)
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const isHashed = hashed.includes(url)
    t.equal(answer.headers.get('cache-control'), isHashed ? 'public, max-age=31536000, immutable' : 'no-cache', url)
    const etag = answer.headers.get('etag') ?? ''
    t.equal((await ask('GET', url, { headers: { 'if-none-match': etag } })).status, 304)
  }
  t.match((await ask('GET', '/')).headers.get('content-type'), /^text\/html/)
  for (const url of ['/', '/s'])
    t.notMatch((await ask('GET', url)).text, /<script(?![^>]* src=)|<style| on\w+=/, 'nothing inline')
  for (const url of hashed) t.match((await ask('GET', url)).headers.get('content-type'), /^text\/(javascript|css);/)
  const unknown = [
    '/assets/..%2fserve.ts',
    '/assets/../index.html',
    '/assets/',
    '/assets/pages.json',
    '/assets/__proto__',
  ]
  for (const url of [...unknown, ...ofHub]) t.equal((await ask('GET', url)).status, 404, url)
})

void t.test('the pages ask for nothing but what the build lists', async (t) => {
  const { ask } = await startApp(t)
  const { hashed, shared } = assetUrls()
  const { text } = await ask('GET', '/')
  const named = [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, url]) => url)
  t.ok(named.length >= 4)
  t.strictSame(
    named.filter((url) => !hashed.includes(url ?? '') && !shared.includes(url ?? '')),
    [],
  )
})

void t.test('the files of the page are sent in each coding, with a validator of its own', async (t) => {
  const { ask } = await startApp(t)
  const script = assetUrls().hashed.find((url) => /\/index-\w+\.js$/.test(url)) ?? ''
  for (const url of ['/', script, '/assets/hls.worker.js']) {
    const plain = await ask('GET', url, { headers: { 'accept-encoding': 'identity' } })
    const etags = new Set([plain.headers.get('etag')])
    for (const coding of ['br', 'gzip']) {
      const headers = { 'accept-encoding': coding }
      const coded = await ask('GET', url, { headers })
      t.equal(coded.headers.get('content-encoding'), coding)
      t.equal(coded.headers.get('vary'), 'Accept-Encoding')
      t.ok(Number(coded.headers.get('content-length')) < plain.text.length / 2, `${url} ${coding}`)
      t.equal(coded.text, plain.text)
      const etag = coded.headers.get('etag') ?? ''
      etags.add(etag)
      const known = await ask('GET', url, { headers: { ...headers, 'if-none-match': `W/"x", ${etag}` } })
      t.equal(known.status, 304)
      t.equal(known.headers.get('content-encoding'), null)
      t.equal(known.headers.get('vary'), 'Accept-Encoding')
      const other = { 'accept-encoding': 'identity', 'if-none-match': etag }
      t.equal((await ask('GET', url, { headers: other })).status, 200, 'another coding is other bytes')
      const head = await ask('HEAD', url, { headers })
      t.equal(head.headers.get('content-length'), coded.headers.get('content-length'))
    }
    t.equal(etags.size, 3)
  }
  t.equal((await ask('GET', '/assets/icon.svg')).headers.get('content-encoding'), null, 'small files stay as they are')
})

void t.test('a film plays to its end in a browser', async (t) => {
  const { page, complaints } = await signedIn(t, { 'A film (1999).mp4': 'film-mp4' })
  await openFilm(page)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  t.equal(await page.textContent('#player-mode'), 'Direct')
  t.equal(await page.textContent('#player-title'), 'A film')
  const end: { duration: number; position: number; error: string | null } = await page.evaluate(WATCH_TO_THE_END)
  t.equal(end.error, null)
  t.ok(end.duration > 19.9 && end.position >= end.duration - 0.1, JSON.stringify(end))
  t.equal(await page.textContent('#player-problem'), '')
  await page.keyboard.press('Escape')
  await page.waitForSelector('video:not([src])', { state: 'attached' })
  t.same(complaints, [])
})

void t.test('a film that the browser cannot play directly plays to its end by HLS', async (t) => {
  const { page, complaints } = await signedIn(t, { 'A film (1999).mkv': 'film-mkv' })
  await openFilm(page)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  t.equal(await page.textContent('#player-mode'), 'HLS')
  const end: { duration: number; position: number; error: string | null } = await page.evaluate(WATCH_TO_THE_END)
  t.equal(end.error, null)
  t.ok(end.duration > 19.9 && end.position >= end.duration - 0.1, JSON.stringify(end))
  t.equal(await page.textContent('#player-problem'), '')
  t.same(complaints, [])
})

/** Runs in the page. On a busy machine a short film may end before its time is above 0. */
const HAS_PLAYED = `(({ currentTime, ended }) => ended || currentTime > 0.1)(document.querySelector('video'))`

/** Runs in the page: describes why a film does not play. */
const PLAYER_STATE = `(() => {
  const { src, currentTime, duration, paused, ended, seeking, readyState, networkState, error } = document.querySelector('video')
  const words = ['#player-title', '#player-mode', '#player-problem'].map((id) => document.querySelector(id).textContent)
  const isOpen = document.querySelector('dialog').open
  return { src, currentTime, duration, paused, ended, seeking, readyState, networkState, error: error?.message, words, isOpen }
})()`

/**
 * Waits until a script returns true in the page. The content security policy forbids evaluation in the page; the debugger may evaluate.
 * @throws Error with the state of the player
 */
async function waitForState(page: Page, script: string): Promise<void> {
  try {
    await waitUntil(script, async () => (await page.evaluate(script)) === true)
  } catch (error) {
    throw new Error(JSON.stringify(await page.evaluate(PLAYER_STATE)), { cause: error })
  }
}

/** Runs in the page: the text of the visible subtitles. */
const SHOWN_WORDS = `[...document.querySelector('video').textTracks]
  .filter(({ mode }) => mode === 'showing').flatMap(({ activeCues }) => [...(activeCues ?? [])].map(({ text }) => text)).join()`

void t.test(
  'quality, sound and subtitles are chosen by menus and keys, in the file itself and in a stream',
  async (t) => {
    const films = { 'Choices (2001).mkv': 'film-choices-mkv', 'Timed (2002).mp4': 'film-subtitles-mp4' } as const
    const { page, complaints } = await signedIn(t, films)
    const options = (menu: string) => page.locator(`#${menu} option`).allTextContents()
    const isShown = (script: string): Promise<void> => waitForState(page, script)

    await openFilm(page, '.film:has-text("Choices")')
    await isShown("document.querySelector('video').currentTime > 0.5")
    t.equal(await page.textContent('#player-mode'), 'HLS')
    t.strictSame(await options('subtitles'), ['Off', 'English'])
    t.equal((await options('sound')).length, 2)
    t.match(await options('quality'), ['Automatic', /./, /./, /./])
    await page.selectOption('#quality', '240p')
    await isShown("document.querySelector('video').videoHeight === 240")
    await page.selectOption('#sound', { index: 1 })
    await page.locator('#player-title').click()
    await page.keyboard.press('ArrowRight')
    await isShown("document.querySelector('video').currentTime > 10")
    await page.keyboard.press('k')
    await isShown("document.querySelector('video').paused")
    await page.keyboard.press('c')
    await isShown(`${SHOWN_WORDS} === String(Math.floor(document.querySelector('video').currentTime))`)
    t.equal(await page.inputValue('#subtitles'), '0')
    await page.keyboard.press('c')
    await isShown(`${SHOWN_WORDS} === ''`)
    t.equal(await page.textContent('#player-problem'), '')
    await page.keyboard.press('Escape')

    await page.click('#list-back')
    await openFilm(page, '.film:has-text("Timed")')
    await isShown(HAS_PLAYED)
    t.equal(await page.textContent('#player-mode'), 'Direct')
    t.equal(await page.isVisible('#sound'), false, 'there is one sound only')
    await page.selectOption('#subtitles', '0')
    await isShown("document.querySelector('video').textTracks[0].mode === 'showing'")
    await page.evaluate("document.querySelector('video').pause(); document.querySelector('video').currentTime = 1.5")
    await isShown(`${SHOWN_WORDS} === 'Hello'`)
    await page.selectOption('#quality', 'auto')
    await isShown("document.querySelector('#player-mode').textContent === 'HLS'")
    await isShown(`${SHOWN_WORDS} === 'Hello'`)
    await page.selectOption('#quality', 'file')
    await isShown("document.querySelector('#player-mode').textContent === 'Direct'")
    t.equal(await page.textContent('#player-problem'), '')
    t.same(complaints, [])
  },
)

void t.test('an unplayable file shows an error, and the page stays usable', async (t) => {
  const { page } = await signedIn(t, { 'Noise (1999).mp4': 'noise-mp4' })
  await openFilm(page)
  await page.waitForFunction(() => document.querySelector('#player-problem')?.textContent !== '')
  await page.click('#player-close')
  await page.waitForSelector('dialog:not([open])', { state: 'attached' })
  await page.click('#list-back')
  t.ok(await page.waitForSelector('.film'))
})

void t.test('names that hold markup stay text', async (t) => {
  const evil = '</script><img src=x onerror=alert(1)>'
  const { page, complaints } = await signedIn(t, { [`${evil.replaceAll('/', '\u2215')} (1999).mp4`]: 'film-tiny-mp4' })
  let alerted = false
  page.on('dialog', (dialog) => {
    alerted = true
    void dialog.dismiss()
  })
  await openFilm(page)
  await waitForState(page, HAS_PLAYED)
  t.equal(await page.locator('main img[onerror], dialog img[onerror], img[src=x]').count(), 0)
  t.match(await page.textContent('#player-title'), /onerror=alert/)
  t.equal(alerted, false)
  t.same(complaints, [])
})

void t.test('the page is used with the keyboard alone', async (t) => {
  const { page } = await signedIn(t, { 'Alpha (2001).mp4': 'film-tiny-mp4', 'Beta (1999).mp4': 'film-tiny-mp4' })
  await page.waitForFunction(() => document.activeElement?.id === 'query')
  await page.keyboard.type('bet')
  await page.waitForFunction(() => document.querySelectorAll('.film').length === 1)
  t.equal(await page.textContent('.film .title'), 'Beta')
  // Past the buttons for groups, for the profile, for the account and for signing out, and the links to home, all titles and the library.
  for (let press = 0; press < 8; press += 1) await page.keyboard.press('Tab')
  t.equal(await page.evaluate(FOCUSED_CLASS), 'film')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.id === 'list-heading')
  t.equal(await page.textContent('#list-heading'), 'Beta')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog[open]')
  await page.keyboard.press('Escape')
  await page.waitForSelector('#player:not([open])', { state: 'attached' })
  t.equal(await page.evaluate('document.activeElement.id'), 'play', 'the focus is where it was')
  await page.goBack()
  await page.waitForSelector('.film')
  t.equal(await page.evaluate(FOCUSED_CLASS), 'film', 'also after a step back')
})

void t.test('an address with a code makes the first account, and later ones by invite', async (t) => {
  const server = await startPageApp(t)
  const visit = async (fragment: string) => {
    const { page, complaints } = await openPage(t, `${server.baseUrl}/#${fragment}`)
    const fill = async (name: string, password: string) => {
      await page.fill('#new-username', name)
      await page.fill('#new-email', `${name}@example.test`)
      await page.fill('#new-password', password)
      await page.press('#new-password', 'Enter')
    }
    return { page, complaints, fill }
  }
  const first = await visit(`setup=${await readSetupCode(server.services)}`)
  t.match(await first.page.textContent('#register'), /no account yet.*administrator/s)
  t.equal(await first.page.isVisible('#sign-in'), false)
  await first.fill('ada', 'correct horse')
  await first.page.waitForSelector('#empty:not([hidden])')
  t.equal(await first.page.evaluate('location.hash'), '', 'the code does not stay in the address')
  t.strictSame(first.complaints, [])
  await changeSettings(server.services, { 'accounts.registration': 'invite' })
  const stranger = await visit('invite=wrong')
  await stranger.page.waitForFunction(() => document.querySelector('#register-problem')?.textContent !== '')
  t.match(await stranger.page.textContent('#register-problem'), /no such invitation/)
  t.equal(await stranger.page.isVisible('#new-username'), false)
  const { code } = await createInvite(server.services, {
    expiresAt: new Date(server.services.clock.now().getTime() + 60_000),
  })
  const guest = await visit(`invite=${code}`)
  await guest.fill('bob', 'correct horse')
  await guest.page.waitForSelector('#empty:not([hidden])')
})

void t.test('signing in with a wrong password says so; signing out ends the session', async (t) => {
  const server = await startPageApp(t)
  await server.registerUser()
  const { page } = await openPage(t, server.baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'wrong horse')
  await page.press('#password', 'Enter')
  await page.waitForFunction(() => document.querySelector('#sign-in-problem')?.textContent !== '')
  t.equal(await page.textContent('#sign-in-problem'), 'Name or password is not right.')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#empty:not([hidden])')
  t.notMatch(await page.evaluate('JSON.stringify({ ...localStorage })'), /token|eyJ/)
  t.equal(await page.evaluate('document.cookie'), '')
  t.equal(await page.evaluate('sessionStorage.length'), 0)
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  await waitUntil('the server has ended the session', async () => (await page.context().cookies()).length === 0)
  t.match(await page.evaluate('JSON.stringify({ ...localStorage })'), /^\{"phlix\.deviceId":"[0-9a-f]{32}"\}$/)
})
