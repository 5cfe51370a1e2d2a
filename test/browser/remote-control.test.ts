import type { Page } from 'playwright-core'
import t from 'tap'
import { scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const files = {
  'Show (2010)/Season 01/Show S01E01.mp4': 'film-long-mp4',
  'Show (2010)/Season 01/Show S01E02.mp4': 'film-mp4',
} as const
const { items } = await scanFilms(t, server.services, files, 'series')
await server.registerAdmin()
const { token } = await server.registerUser()
const [first = '', second = ''] = items
  .filter(({ type }) => type === 'episode')
  .toSorted((a, b) => (a.episodeNumber ?? 0) - (b.episodeNumber ?? 0))
  .map(({ id }) => id)

async function openSignedIn(fragment = '') {
  const { page } = await openPage(t, `${server.baseUrl}/${fragment}`)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  return page
}

type Player = { id: string; media_item_id: string | null; is_paused: boolean }

const players = async () =>
  ((await server.ask('GET', '/api/v1/me/players', { token })).json as { players: Player[] }).players

const page = await openSignedIn()
await waitUntil('the page is a player', async () => (await players()).length === 1)
const [{ id } = { id: '' }] = await players()

const tell = (body: object) => server.ask('POST', `/api/v1/me/players/${id}/command`, { token, body })

const source = (of: Page): Promise<string> => of.evaluate(`document.querySelector('video').currentSrc`)

const plays = (of: Page, itemId: string): Promise<void> =>
  waitUntil(`${itemId} plays`, async () => {
    const isPaused: boolean = await of.evaluate(`document.querySelector('video').paused`)
    return !isPaused && (await source(of)).includes(itemId)
  })

void t.test('the page plays what it is told to, and goes on to the next episode', async (t) => {
  t.match(await tell({ command: 'next' }), { status: 409, json: { code: 'command_refused' } }, 'nothing is open')
  t.match(await tell({ command: 'play', media_item_id: first, position: 5000 }), { status: 200 })
  await plays(page, first)
  await waitUntil('from the position on', async () =>
    Boolean(await page.evaluate(`document.querySelector('video').currentTime >= 5`)),
  )
  t.match(await tell({ command: 'next' }), { status: 200 })
  await plays(page, second)
  t.match(await tell({ command: 'next' }), { status: 409, json: { code: 'command_refused' } }, 'it is the last one')
  await plays(page, second)
})

void t.test('the page refuses an item that it cannot find, and plays on', async (t) => {
  await page.route(`**/api/v1/media/${first}`, (route) => route.fulfill({ status: 404, json: { error: 'Not found' } }))
  t.match(await tell({ command: 'play', media_item_id: first }), { status: 409, json: { code: 'command_refused' } })
  await page.unroute(`**/api/v1/media/${first}`)
  await plays(page, second)
})

void t.test('the button goes on to the next episode, and is shown only if there is one', async (t) => {
  t.equal(await page.isVisible('#next'), false)
  await tell({ command: 'play', media_item_id: first })
  await page.click('#next')
  await plays(page, second)
})

void t.test('in a group next and play move the whole group', async (t) => {
  await tell({ command: 'play', media_item_id: first })
  await plays(page, first)
  await page.click('#watch-start')
  await page.click('#new-group [type=submit]')
  await page.waitForSelector('#watch:not([hidden])')
  const link = (await page.getAttribute('#watch-link', 'href')) ?? ''
  const guest = await openSignedIn(link.slice(1))
  await waitUntil('the guest has the episode', async () => (await source(guest)).includes(first))
  t.match(await tell({ command: 'next' }), { status: 200 })
  for (const one of [page, guest]) await waitUntil('the next one', async () => (await source(one)).includes(second))
  t.match(await tell({ command: 'play', media_item_id: first }), { status: 200 })
  for (const one of [page, guest]) await waitUntil('the first one', async () => (await source(one)).includes(first))
  t.equal(await guest.isVisible('#next'), false, 'a guest cannot go on')
  await page.click('#next')
  for (const one of [page, guest]) await waitUntil('the next one', async () => (await source(one)).includes(second))
})
