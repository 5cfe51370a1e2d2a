import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import t from 'tap'
import { revokeDevices } from '../../src/core/accounts/index.ts'
import { scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { items } = await scanFilms(t, server.services, {
  'A film (1999).mp4': 'film-long-mp4',
  'Another film (2001).mp4': 'film-mp4',
})
const admin = await server.registerAdmin()
const { token } = await server.registerUser()
const idOf = (name: string): string => items.find((item) => item.name === name)?.id ?? ''

const SCREENS = {
  phone: [390, 844],
  'phone on its side': [844, 390],
  laptop: [1280, 800],
  monitor: [1920, 1080],
} as const

async function openSignedIn(username: string, fragment = ''): Promise<Page> {
  const { page } = await openPage(t, `${server.baseUrl}/${fragment}`)
  await page.fill('#username', username)
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  return page
}

const film = (page: Page, name: string): Promise<void> => openFilm(page, `.film[data-id="${idOf(name)}"]`)

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement?.id ?? ""')

const isPaused = (page: Page): Promise<boolean> => page.evaluate(`document.querySelector('video').paused`)

const says = (page: Page, selector: string, text: string | RegExp): Promise<void> =>
  waitUntil(`${selector} says ${text}`, async () => {
    const content = (await page.textContent(selector)) ?? ''
    return typeof text === 'string' ? content === text : text.test(content)
  })

/** The parts of the player that are not completely visible. */
const OUTSIDE = `['video', 'watch-title', 'watch-state', 'watch-link', 'chat-text', 'player-close', 'position'].filter((id) => {
  const { top, bottom, left, right, height } = document.getElementById(id).getBoundingClientRect()
  return height === 0 || top < 0 || left < 0 || bottom > innerHeight || right > innerWidth
})`

type Wishes = { name?: string; password?: string; everyone?: boolean }

/** Opens a film and begins a group with it. @returns the part of its link after the address */
async function begin(
  page: Page,
  { name = 'Film night', password = '', everyone = false }: Wishes = {},
): Promise<string> {
  await film(page, 'A film')
  await waitUntil('the film plays', async () => !(await isPaused(page)))
  await page.click('#watch-start')
  await page.fill('#new-group [name=name]', name)
  await page.fill('#new-group [name=password]', password)
  if (everyone) await page.check('#new-group [name=everyone]')
  await page.click('#new-group [type=submit]')
  await page.waitForSelector('#watch:not([hidden])')
  return ((await page.getAttribute('#watch-link', 'href')) ?? '').slice(1)
}

async function leave(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.context().close()
}

void t.test('the keys of the player work after opening, creating, joining and leaving', async (t) => {
  const host = await openSignedIn('admin')
  await film(host, 'A film')
  t.equal(await focused(host), 'video')
  await waitUntil('it plays', async () => !(await isPaused(host)))
  await host.keyboard.press(' ')
  await waitUntil('space pauses', () => isPaused(host))
  t.ok(await host.isHidden('#watch'), 'and creates no group')
  await host.click('#watch-start')
  await waitUntil('the name says who makes it', async () =>
    (await host.inputValue('#new-group [name=name]')).endsWith(' · admin'),
  )
  await host.keyboard.press('Enter')
  await host.waitForSelector('#watch:not([hidden])')
  t.equal(await host.textContent('#watch-title'), 'A film · admin', 'its name says who made it')
  await waitUntil('the focus is on the picture', async () => (await focused(host)) === 'video')
  const guest = await openSignedIn('user', ((await host.getAttribute('#watch-link', 'href')) ?? '').slice(1))
  await guest.waitForSelector('#watch:not([hidden])')
  t.equal(await focused(guest), 'video')
  await guest.fill('#chat-text', 'A draft')
  await guest.keyboard.press('Escape')
  t.ok(await guest.isVisible('#watch'), 'Escape in the message does not leave')
  t.equal(await guest.inputValue('#chat-text'), 'A draft')
  t.equal(await focused(guest), 'video')
  await guest.click('#watch-leave')
  await guest.waitForSelector('#watch[hidden]', { state: 'attached' })
  t.equal(await focused(guest), 'video')
  await leave(host, guest)
})

void t.test('the whole group is visible on every screen, also with a long log', async (t) => {
  const host = await openSignedIn('admin')
  await begin(host)
  for (let line = 0; line < 12; line += 1) {
    await host.fill('#chat-text', `Message ${line} with some more words than fit into one line of a narrow column`)
    await host.press('#chat-text', 'Enter')
    await says(host, '#chat li:last-child', new RegExp(`Message ${line} `))
  }
  for (const [name, [width, height]] of Object.entries(SCREENS)) {
    await host.setViewportSize({ width, height })
    const outside = await host.evaluate<string[]>(OUTSIDE)
    t.strictSame(outside, [], name)
    if (process.env['SCREENSHOTS'] !== undefined) {
      mkdirSync(process.env['SCREENSHOTS'], { recursive: true })
      await host.screenshot({ path: `${process.env['SCREENSHOTS']}/${name}.png` })
    }
  }
  await leave(host)
})

void t.test('the link is copied, also where pages have no clipboard', async (t) => {
  const host = await openSignedIn('admin')
  await begin(host)
  const address = await host.evaluate<string>(`document.getElementById('watch-link').href`)
  await host.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const url = host.url()
  for (const prepare of ['', `Object.defineProperty(navigator.clipboard, 'writeText', { value: undefined })`]) {
    await host.evaluate(`navigator.clipboard.writeText('').then(() => { ${prepare} })`)
    await host.click('#watch-link')
    await says(host, '#watch-notice', /is copied/)
    t.equal(await host.evaluate('navigator.clipboard.readText()'), address)
    t.equal(host.url(), url)
  }
  await leave(host)
})

void t.test('a group with a password and shared control is made on the page; the prompt names the group', async (t) => {
  const host = await openSignedIn('admin')
  const link = await begin(host, { name: 'Secret night', password: 'sesame', everyone: true })
  t.equal(await host.textContent('#watch-control'), 'Everybody controls playback.')
  const guest = await openSignedIn('user', link)
  await guest.waitForSelector('#group-password:not([hidden])')
  t.equal(await guest.textContent('#groups-problem'), '', 'no password was sent yet')
  await guest.fill('#group-password-text', 'wrong')
  await guest.press('#group-password-text', 'Enter')
  await says(guest, '#groups-problem', 'The password is not right.')
  await guest.click('#groups-close')
  await guest.click('#groups-open')
  await guest.click('#group-list button:has-text("Secret night")')
  t.equal(await guest.textContent('#group-password-of'), 'Password of “Secret night”')
  const entry = await guest.textContent('#group-list button:has-text("Secret night")')
  t.equal(entry, 'Secret night · 1 member · password', 'its members are not listed')
  await guest.fill('#group-password-text', 'sesame')
  await guest.press('#group-password-text', 'Enter')
  await guest.waitForSelector('#watch:not([hidden])')
  await waitUntil('the guest is ready', async () => (await host.locator('#members li[data-state=ready]').count()) === 2)
  await guest.evaluate(`document.querySelector('video').playbackRate = 1.5`)
  await waitUntil('the speed is that of the group', () =>
    host.evaluate<boolean>(`Math.abs(document.querySelector('video').playbackRate - 1.5) < 0.1`),
  )
  await leave(host, guest)
})

void t.test('the host hands the role over, chooses another film without leaving, and fills the queue', async (t) => {
  const host = await openSignedIn('admin')
  const link = await begin(host)
  const guest = await openSignedIn('user', link)
  await guest.waitForSelector('#watch:not([hidden])')
  t.ok(await guest.isHidden('#watch-choose'))
  t.equal(await guest.textContent('#watch-control'), 'The host controls playback.')
  await host.click('[aria-label="Make user the host"]')
  await says(guest, '#watch-notice', 'You are the host now.')
  await says(host, '#watch-notice', 'user is the host now.')
  await guest.waitForSelector('#watch-choose:not([hidden])')
  await guest.click('#watch-choose')
  await guest.click(`[aria-label="Add A film to the queue"]`)
  await says(host, '#queue', /A film/)
  await film(guest, 'Another film')
  for (const page of [host, guest]) await says(page, '#player-title', 'Another film')
  t.equal(await guest.locator('#members li').count(), 2, 'nobody has left')
  await guest.click('[aria-label="Remove A film from the queue"]')
  await host.waitForSelector('#queue-frame[hidden]', { state: 'attached' })
  await guest.click('#watch-choose')
  await guest.click('#choosing-back')
  t.ok(await guest.isVisible('#watch'))
  await leave(host, guest)
})

void t.test('a group without a film is shown, and its first film is chosen there', async (t) => {
  const created = await server.ask('POST', '/api/v1/syncplay/groups', { token, body: { name: 'Empty night' } })
  t.equal(created.status, 201)
  const page = await openSignedIn('user')
  await page.click('#groups-open')
  await page.click('#group-list button:has-text("Empty night")')
  await page.waitForSelector('#watch:not([hidden])')
  t.equal(await page.textContent('#player-title'), 'Nothing selected yet')
  t.equal(await page.textContent('#watch-state'), 'Nothing selected')
  await page.click('#watch-leave')
  await page.waitForSelector('#player:not([open])', { state: 'attached' })
  await leave(page)
})

void t.test('at the end of the film play begins again', async () => {
  const host = await openSignedIn('admin')
  await begin(host)
  await host.evaluate(`{ const video = document.querySelector('video'); video.currentTime = video.duration - 2 }`)
  // The group answers the seek with a pause, which must not come in the moment in which the key is pressed.
  await waitUntil('the group has sought', () =>
    host.evaluate<boolean>(
      `document.querySelector('video').readyState > 2 && !document.querySelector('video').seeking`,
    ),
  )
  await host.focus('#video')
  await host.keyboard.press(' ')
  await says(host, '#watch-state', 'Playing')
  await says(host, '#watch-state', 'Paused')
  // The pause of the group can arrive a few milliseconds before the element is at its own end.
  await waitUntil('the film is at its end', () =>
    host.evaluate<boolean>(
      `document.querySelector('video').paused && document.querySelector('video').duration - document.querySelector('video').currentTime < 0.1`,
    ),
  )
  await host.keyboard.press(' ')
  await waitUntil('it plays from the start', async () => {
    const seconds = await host.evaluate<number>(`document.querySelector('video').currentTime`)
    return seconds > 0.5 && seconds < 60 && !(await isPaused(host))
  })
  await leave(host)
})

void t.test('a remote control is told what the group refuses, and a duplicate of the tab stops this one', async (t) => {
  const host = await openSignedIn('admin')
  const link = await begin(host)
  const guest = await openSignedIn('user', link)
  await guest.waitForSelector('#watch:not([hidden])')
  const list = await server.ask('GET', '/api/v1/me/players', { token })
  const { players } = list.json as { players: { id: string }[] }
  for (const body of [{ command: 'pause' }, { command: 'seek', position: 1000 }]) {
    const reply = await server.ask('POST', `/api/v1/me/players/${players[0]?.id}/command`, { token, body })
    t.equal(reply.status, 409)
    t.match(JSON.stringify(reply.json), /Only the host controls playback/)
  }
  const copy = await guest.context().newPage()
  await copy.goto(`${server.baseUrl}/${link}`)
  await copy.waitForSelector('#watch:not([hidden])')
  await guest.waitForSelector('#watch[hidden]', { state: 'attached' })
  await waitUntil('it is silent', () => isPaused(guest))
  t.not(await guest.textContent('#player-problem'), '')
  await leave(host, guest)
})

void t.test('a link that was cut says so', async (t) => {
  const page = await openSignedIn('user', '#watch=0000')
  await says(page, '#list-problem', 'This link to a group is not complete.')
  t.notOk(page.url().includes('#'))
  await leave(page)
})

void t.test('a member whose session is ended elsewhere is signed out, and does not try to join again', async (t) => {
  const host = await openSignedIn('admin')
  await begin(host)
  // A paused film sends its position once, and nothing else.
  const report = host.waitForResponse(/\/progress$/)
  await host.evaluate(`document.querySelector('video').play()`)
  await waitUntil('the film plays', async () => !(await isPaused(host)))
  await host.evaluate(`document.querySelector('video').pause()`)
  await report
  await revokeDevices(server.services, { accountId: admin.account.id })
  await host.waitForSelector('#sign-in:not([hidden])')
  t.match(await host.textContent('#sign-in-problem'), /session has ended/)
  await leave(host)
})
