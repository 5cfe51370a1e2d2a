import t from 'tap'
import { addSchedule, setStreamLimits } from '../../src/core/playback-limits/index.ts'
import { createProfile } from '../../src/core/profiles/index.ts'
import { pick, scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'
import { signIn } from './signed-in-page.ts'

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
const { services } = server
const { account, token } = await server.registerUser()
const { idOf } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-mp4', 'Long (2001).mp4': 'film-long-mp4' })

type Rung = { id: string; bitrate: number; is_original: boolean; is_copy: boolean }

void t.test('qualities above the bandwidth of the viewer are not offered', async (t) => {
  const info = async () => (await server.ask('GET', `/api/v1/media/${idOf('A film')}/playback-info`, { token })).json
  t.match(await info(), { max_kbps: null })
  const ladder = pick(await info(), 'quality_ladder') as Rung[]
  const [highest, lowest] = [ladder[0], ladder.at(-1)]
  t.ok(highest !== undefined && lowest !== undefined && highest.bitrate > lowest.bitrate)
  const open = async () => {
    const { page, complaints } = await openPage(t, server.baseUrl)
    await signIn(page, 'user')
    await openFilm(page, `.film[data-id="${idOf('A film')}"]`)
    await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
    t.strictSame(complaints, [])
    const values = (id: string): Promise<string[]> =>
      page.evaluate(`[...document.getElementById('${id}').options].map(({ value }) => value)`)
    return {
      mode: await page.textContent('#player-mode'),
      qualities: await values('quality'),
      downloads: await values('download'),
    }
  }
  const free = await open()
  t.equal(free.mode, 'Direct')
  t.ok(free.qualities.includes('file'))
  // The lowest quality is offered always.
  const maxKbps = Number(pick(await info(), 'file_kbps')) - 1
  await setStreamLimits(services, { owner: { accountId: account.id }, accountId: account.id, changes: { maxKbps } })
  t.match(await info(), { max_kbps: maxKbps })
  const limited = await open()
  t.equal(limited.mode, 'HLS', 'the file needs more')
  t.strictSame(
    limited.qualities.filter((value) => value !== 'auto'),
    lowest?.is_copy ? [] : [lowest?.id],
  )
  t.strictSame(limited.downloads.slice(2), [lowest?.id])
  await setStreamLimits(services, {
    owner: { accountId: account.id },
    accountId: account.id,
    changes: { maxKbps: null },
  })
})

void t.test('another bandwidth during a film changes the qualities at once, and the film goes on', async (t) => {
  const setKbps = (maxKbps: number | null) =>
    setStreamLimits(services, { owner: { accountId: account.id }, accountId: account.id, changes: { maxKbps } })
  const info = (await server.ask('GET', `/api/v1/media/${idOf('Long')}/playback-info`, { token })).json
  const lowest = (pick(info, 'quality_ladder') as Rung[]).at(-1)
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page, 'user')
  await waitUntil('the page listens', async () => (await services.players.list(account.id)).length > 0)
  await openFilm(page, `.film[data-id="${idOf('Long')}"]`)
  const seconds = () => page.evaluate<number>(`document.querySelector('video').currentTime`)
  const qualities = (): Promise<string[]> =>
    page.evaluate(`[...document.getElementById('quality').options].map(({ value }) => value)`)
  await waitUntil('it plays', async () => (await seconds()) > 1)
  const before = await qualities()
  t.ok(before.includes('file'))
  await setKbps(100)
  await waitUntil('only the lowest quality is offered', async () => String(await qualities()) === `auto,${lowest?.id}`)
  t.equal(await page.textContent('#player-mode'), 'HLS')
  const at = await seconds()
  await waitUntil('it goes on', async () => (await seconds()) > Math.max(at, 1) + 1)
  await setKbps(null)
  await waitUntil('all are offered again', async () => String(await qualities()) === String(before))
})

void t.test('a segment that a slow server makes for long is waited for', async (t) => {
  await setStreamLimits(services, {
    owner: { accountId: account.id },
    accountId: account.id,
    changes: { maxKbps: 100 },
  })
  const { page } = await openPage(t, server.baseUrl, (opened) => opened.clock.install())
  const [asked, abandoned]: [string[], string[]] = [[], []]
  const { promise: isMade, resolve: make } = Promise.withResolvers<void>()
  page.on('requestfailed', (request) => abandoned.push(request.url()))
  await page.route(/\/hls\/.*\/seg-/, async (route) => {
    asked.push(route.request().url())
    await isMade
    await route.continue()
  })
  await signIn(page, 'user')
  await openFilm(page, `.film[data-id="${idOf('Long')}"]`)
  await waitUntil('a segment is asked for', () => asked.length > 0)
  await page.clock.fastForward(30_000)
  t.strictSame(abandoned, [], 'after 30 s the page still waits')
  make()
  await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
  await setStreamLimits(services, {
    owner: { accountId: account.id },
    accountId: account.id,
    changes: { maxKbps: null },
  })
})

void t.test('what plays stops at once when the times of the profile end, and the player says until when', async (t) => {
  const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Kim', mayDownload: true } })
  const { page } = await openPage(t, server.baseUrl)
  await signIn(page, 'user')
  await page.click('#profile-open')
  await page.click('.profile-choice:has-text("Kim")')
  await waitUntil('Kim watches', async () => (await page.textContent('#profile-open')) === 'Kim')
  await waitUntil('the page listens', async () => (await services.players.list(profile.id)).length > 0)
  await openFilm(page, `.film[data-id="${idOf('Long')}"]`)
  await waitUntil('it plays', () => page.evaluate<boolean>(`document.querySelector('video').currentTime > 0`))
  const hour = services.clock.now().getUTCHours()
  const text = (hours: number): string => `${String(hours % 24).padStart(2, '0')}:00`
  const fields = { startTime: text(hour + 2), endTime: text(hour + 3), zone: 'UTC' }
  await addSchedule(services, { profile, fields })
  await waitUntil('the player says it', async () =>
    /^Not at this time\. Again from \S+,? (?:at )?\d{1,2}:00\s[AP]M\.$/.test(
      (await page.textContent('#player-problem')) ?? '',
    ),
  )
  t.equal(await page.textContent('#times'), '', 'without a film there is no position')
  t.equal(await page.evaluate(`document.querySelector('video').readyState`), 0, 'nothing is buffered any more')
})
