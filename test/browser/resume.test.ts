import type { Page } from 'playwright-core'
import t from 'tap'
import { pick, scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { openFilm } from '../support/open-film.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { fitsWindow, signIn, SIZES } from './signed-in-page.ts'

/** One is played as the file itself, the other by HLS. */
const FILMS = { Direct: ['Direct (1999).mp4', 'film-long-mp4'], HLS: ['HLS (1999).mkv', 'film-long-mkv'] } as const

const TICKS_PER_SECOND = 10_000_000

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { idOf } = await scanFilms(t, server.services, Object.fromEntries(Object.values(FILMS)))
const { token } = await server.registerUser()
await server.registerAdmin()

const run = <Result>(page: Page, text: string): Promise<Result> =>
  page.evaluate(`{ const video = document.querySelector('video'); ${text} }`)
const seconds = (page: Page): Promise<number> => run(page, 'video.currentTime')
const filmOf = (name: string): string => `#views .film[data-id="${idOf(name)}"]`
const BEGUN = '.card-row:has(h3:text-is("Continue watching"))'
const plays = (page: Page): Promise<void> =>
  waitUntil('it plays', () => run<boolean>(page, '!video.paused && !video.seeking && video.currentTime > 0'))

/** Clears what the user has played, so that films begin at their start. */
async function forget(): Promise<void> {
  await server.ask('DELETE', '/api/v1/users/me/history', { token })
  for (const name of Object.keys(FILMS)) await server.ask('POST', `/api/v1/media/${idOf(name)}/unwatched`, { token })
}

/** The position that the server has, in seconds; undefined if the film is not in the list of what can be continued. */
async function stored(name: string): Promise<number | undefined> {
  const { json } = await server.ask('GET', '/api/v1/users/me/continue-watching', { token })
  const rows = pick(json, 'items') as { id: string; position_ticks: number }[]
  const row = rows.find(({ id }) => id === idOf(name))
  return row === undefined ? undefined : row.position_ticks / TICKS_PER_SECOND
}

const isStored = (name: string, from: number): Promise<void> =>
  waitUntil(`the server knows about ${from} s`, async () => {
    const position = await stored(name)
    return position !== undefined && position >= from && position < from + 15
  })

async function playTo(page: Page, name: string, to: number): Promise<void> {
  await openFilm(page, filmOf(name))
  await plays(page)
  await run(page, `video.currentTime = ${to}`)
  await waitUntil('it plays there', async () => (await seconds(page)) > to)
}

for (const [name, viewport] of Object.entries(SIZES))
  for (const mode of Object.keys(FILMS)) {
    void t.test(`a film goes on where its viewer has stopped (${mode}, ${name})`, async (t) => {
      await forget()
      const { page, complaints } = await openPage(t, server.baseUrl, (opened) => opened.setViewportSize(viewport))
      const positions: number[] = []
      page.on('request', (request) => {
        const body = request.postDataJSON() as { position_ticks?: number } | null
        if (request.url().endsWith('/progress')) positions.push((body?.position_ticks ?? 0) / TICKS_PER_SECOND)
      })
      await signIn(page, 'user')
      await page.waitForSelector(filmOf(mode))
      t.ok(await page.isHidden(BEGUN))
      await playTo(page, mode, 100)
      t.equal(await page.textContent('#player-mode'), mode)
      t.ok(await page.isHidden('#resume'), 'who begins a film is not asked')
      await page.click('#player-close')
      t.match(await page.textContent('#item-state'), '3 minutes left', 'its page says it at once')
      await isStored(mode, 100)
      await page.click('#list-back')
      await page.waitForSelector(BEGUN)
      t.equal(await page.locator(`${BEGUN} li`).count(), 1)
      t.ok(await fitsWindow(page))

      await page.reload()
      await page.waitForSelector(BEGUN)
      t.ok((await page.locator(`${filmOf(mode)} .seen`).count()) > 0)
      positions.length = 0
      await page.click(`${BEGUN} .film`)
      await page.waitForSelector('#resume:not([hidden])')
      t.match(await page.textContent('#resume-go'), /^Resume at 1:4\d$/)
      t.equal(await page.evaluate('document.activeElement.id'), 'resume-go')
      const together = page.locator('#watch-start')
      t.ok(await together.isDisabled())
      for (const name of ['title', 'aria-description'])
        t.equal(await together.getAttribute(name), 'Choose first where the film begins.', 'the button says why')
      await page.keyboard.press('Enter')
      await plays(page)
      t.ok(await together.isEnabled())
      t.equal(await together.getAttribute('title'), '')
      t.ok((await seconds(page)) >= 99, 'it goes on there')
      t.equal(await page.evaluate('document.activeElement.id'), 'video', 'the keys of the player work')
      await run(page, 'video.pause()')
      await waitUntil('it is reported', () => positions.length > 0)
      t.ok(
        positions.every((position) => position >= 99),
        `nothing before it is reported: ${positions.join()}`,
      )
      await page.keyboard.press('Escape')

      await page.click(`${BEGUN} .film`)
      await page.click('#restart')
      await plays(page)
      t.ok((await seconds(page)) < 60, 'it begins again')
      t.strictSame(complaints, [])
    })
  }

void t.test('the position is stored when the tab is closed, and in a group', async (t) => {
  await forget()
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page, 'user')
  await playTo(page, 'Direct', 60)
  await isStored('Direct', 60)
  await run(page, 'video.currentTime = 150')
  await waitUntil('it plays there', async () => (await seconds(page)) > 150)
  await page.close({ runBeforeUnload: true })
  await isStored('Direct', 150)

  const { page: host } = await openPage(t, server.baseUrl)
  await signIn(host, 'admin')
  await openFilm(host, filmOf('Direct'))
  await plays(host)
  await host.click('#watch-start')
  await host.click('#new-group [type=submit]')
  await host.waitForSelector('#watch:not([hidden])')
  const link = ((await host.getAttribute('#watch-link', 'href')) ?? '').slice(1)
  const { page: member } = await openPage(t, `${server.baseUrl}/${link}`)
  const positions: number[] = []
  member.on('request', (request) => {
    const body = request.postDataJSON() as { position_ticks?: number } | null
    if (request.url().endsWith('/progress')) positions.push((body?.position_ticks ?? 0) / TICKS_PER_SECOND)
  })
  await host.evaluate(`document.querySelector('video').currentTime = 200`)
  await signIn(member, 'user')
  await member.waitForSelector('#watch:not([hidden])')
  t.ok(await member.isHidden('#resume'), 'the group decides where it plays')
  await waitUntil('the member is with the group', async () => (await seconds(member)) > 195)
  await run(host, 'void video.play()')
  await isStored('Direct', 199)
  t.ok(
    positions.every((position) => position > 190),
    `where the group is not is not reported: ${positions.join()}`,
  )
})

void t.test('a film that was played to its end is watched, and has no place', async (t) => {
  await forget()
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page, 'user')
  await playTo(page, 'Direct', 100)
  await isStored('Direct', 100)
  await run(page, 'video.currentTime = video.duration - 1')
  await waitUntil('it has ended', () => run<boolean>(page, 'video.ended'))
  await waitUntil('it is watched', async () => {
    const { json } = await server.ask('GET', `/api/v1/media/${idOf('Direct')}`, { token })
    return pick(json, 'item', 'user_data', 'watched') === true
  })
  await page.click('#player-close')
  t.equal(await page.textContent('#item-state'), 'Watched')
  await waitUntil('it is not offered any more', async () => (await stored('Direct')) === undefined)
  await page.click('#list-back')
  await page.waitForSelector(BEGUN, { state: 'detached' })
  const { json } = await server.ask('GET', '/api/v1/me/history', { token })
  t.match(pick(json, 'items', 0), { id: idOf('Direct'), progress: 1 })
  await page.reload()
  await waitUntil('the list says it', async () =>
    ((await page.textContent(filmOf('Direct'))) ?? '').includes('Watched'),
  )
})
