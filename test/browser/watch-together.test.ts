import type { Page } from 'playwright-core'
import t from 'tap'
import { scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-long-mp4' })
await server.registerAdmin()
await server.registerUser()

const MARKER = { type: 'intro', start_seconds: 2, end_seconds: 9, title: null }

async function openSignedIn(username: string, fragment = '') {
  const { page, complaints } = await openPage(t, `${server.baseUrl}/${fragment}`)
  await page.route('**/playback-info', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), markers: [MARKER] } })
  })
  await page.fill('#username', username)
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  return { page, complaints }
}

const position = (page: Page): Promise<number> => page.evaluate(`document.querySelector('video').currentTime`)

const isPaused = (page: Page): Promise<boolean> => page.evaluate(`document.querySelector('video').paused`)

const both = (claim: string, condition: (page: Page) => Promise<boolean>): Promise<void> =>
  waitUntil(claim, async () => (await condition(host.page)) && condition(guest.page))

const host = await openSignedIn('admin')
await openFilm(host.page)
await waitUntil('the film plays', async () => (await position(host.page)) > 0)
await host.page.click('#watch-start')
await host.page.fill('#new-group [name=name]', 'A film')
await host.page.click('#new-group [type=submit]')
await host.page.waitForSelector('#watch:not([hidden])')
const link = (await host.page.getAttribute('#watch-link', 'href')) ?? ''
const guest = await openSignedIn('user', link.slice(1))
await guest.page.waitForSelector('#watch:not([hidden])')

const run = (page: Page, text: string): Promise<void> =>
  page.evaluate(`{ const video = document.querySelector('video'); ${text} }`)

void t.test('the link of a group leads to its film, its members and its host', async (t) => {
  t.equal(await guest.page.textContent('#watch-title'), 'A film')
  await both('both members are shown as ready', async (page) => {
    const members = await page.locator('#members li[data-state=ready]').allTextContents()
    return members.length === 2 && members.some((text) => text.startsWith('admin · host'))
  })
  t.equal(await guest.page.textContent('#player-title'), 'A film')
})

void t.test('the address of a link is used once, and a link to a group that has ended says so', async (t) => {
  t.notOk(guest.page.url().includes('#'))
  const late = await openSignedIn('user', '#watch=00000000-0000-4000-8000-000000000000')
  await waitUntil(
    'the problem is shown',
    async () => (await late.page.textContent('#list-problem')) === 'Group not found',
  )
  t.notOk(late.page.url().includes('#'))
  await late.page.close()
})

void t.test('what the host does happens on both pages; the other page follows the host', async (t) => {
  await both('both are paused', isPaused)
  await run(host.page, 'void video.play()')
  await both('both play', async (page) => !(await isPaused(page)))
  await run(host.page, 'video.currentTime = 4')
  await both('both play behind the seek', async (page) => (await position(page)) > 4.1)
  // The pages have one clock, so the time between the two readings does not count.
  const start = (page: Page): Promise<number> =>
    page.evaluate(`document.querySelector('video').currentTime - Date.now() / 1000`)
  await waitUntil(
    'both are at one place',
    async () => Math.abs((await start(host.page)) - (await start(guest.page))) < 0.08,
  )
  t.notOk(await isPaused(guest.page))
  await run(guest.page, 'video.pause()')
  await waitUntil(
    'the pause of a guest is refused',
    async () => (await guest.page.textContent('#watch-notice')) === 'Only the host controls playback',
  )
  await waitUntil('the guest plays on', async () => !(await isPaused(guest.page)))
  t.notOk(await isPaused(host.page))
})

void t.test('the button that skips the intro moves the whole group', async () => {
  await run(host.page, 'video.currentTime = 3')
  await host.page.waitForSelector('#skip:not([hidden])')
  await host.page.click('#skip')
  await both('both play behind the intro', async (page) => (await position(page)) > 9.1)
  await run(host.page, 'video.pause()')
  await both(
    'the group is paused',
    async (page) => (await isPaused(page)) && (await page.textContent('#watch-state')) === 'Paused',
  )
  await waitUntil(
    'at the same picture',
    async () => Math.abs((await position(host.page)) - (await position(guest.page))) < 0.05,
  )
})

void t.test('messages are shown as text', async (t) => {
  await guest.page.fill('#chat-text', '<i>hello</i>')
  await guest.page.press('#chat-text', 'Enter')
  await both(
    'both see it',
    async (page) => (await page.locator('#chat').textContent())?.includes('user<i>hello</i>') === true,
  )
  t.equal(await host.page.locator('#chat i').count(), 0)
})

void t.test('a page that is reloaded is back in the group, at the position of the others', async (t) => {
  const before = await position(host.page)
  await guest.page.reload()
  await guest.page.waitForSelector('#watch:not([hidden])')
  await waitUntil('it is at the position', async () => Math.abs((await position(guest.page)) - before) < 0.05)
  t.equal(await guest.page.locator('#members li').count(), 2, 'with its old seat')
  await guest.page.click('#watch-leave')
  await waitUntil('the host is alone', async () => (await host.page.locator('#members li').count()) === 1)
  // The refused messages of the test are no complaints of the page.
  t.strictSame([...host.complaints, ...guest.complaints], [])
})
