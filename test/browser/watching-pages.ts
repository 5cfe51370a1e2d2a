import { mkdirSync, rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { startBrowser } from '../support/browser.ts'
import { killDaemon, registerAdmin, scanLibrary, startDaemon, type AdminApi, type Daemon } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { siblingOfDataDirectory, temporaryDataDirectory } from '../support/phlix.ts'
import { putSample } from '../support/scanning.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openFilm } from '../support/open-film.ts'

/** A film that browsers play directly, and one that they play by HLS. */
const FILMS = { direct: ['A film (1999).mp4', 'film-long-mp4'], hls: ['A film (1999).mkv', 'film-long-mkv'] } as const

/** The part of the film to which the host seeks: it does not end meanwhile. */
const [FIRST_SECONDS, RANGE_SECONDS] = [20, 160]

/** The clock of a page as a machine has it that is ten minutes ahead. */
const WRONG_CLOCK = `{
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...values) { if (values.length === 0) super(RealDate.now() + 600_000); else super(...values) }
    static now() { return RealDate.now() + 600_000 }
  }
}`

const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 150_000, uploadThroughput: 50_000 }
const SLOW_PROCESSOR = { rate: 2 }

export type Watching = {
  random: SeededRandom
  kind: keyof typeof FILMS
  /** Number of pages: the first is the host, the second has a wrong clock, the third has a slow network and processor. */
  pages: number
  /**
   * Called after the start and after each change.
   * @param spread reads the milliseconds between the first and the last page; Infinity while not all are in the same state
   */
  check: (claim: string, spread: () => Promise<number>) => Promise<void>
}

type Server = { daemon: Daemon; api: AdminApi; restart: () => Promise<void> }

async function startServer(t: Test, kind: Watching['kind']): Promise<Server> {
  const data = await temporaryDataDirectory(t)
  const folder = siblingOfDataDirectory(data, 'films')
  mkdirSync(folder)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [name, sample] = FILMS[kind]
  await putSample(folder, name, sample)
  const { environment } = await testDatabase(t)
  const options = { port: String(await freePort()) }
  const start = () => startDaemon(data, { ...environment, RATE_LIMIT_WS_CONNECT_MAX: '1000' }, options)
  let daemon = await start()
  t.teardown(() => killDaemon(daemon))
  const api = await registerAdmin(daemon)
  await scanLibrary(api, folder)
  return {
    daemon,
    api,
    async restart() {
      await killDaemon(daemon)
      daemon = await start()
    },
  }
}

async function makeWrong(page: Page): Promise<void> {
  await page.addInitScript(WRONG_CLOCK)
}

async function makeSlow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', SLOW_PROCESSOR)
}

const PREPARATIONS = [undefined, makeWrong, makeSlow]

type Place = { isPaused: boolean; seconds: number; at: number }

/** The clock of the machine is read with the position, so the time between the readings of two pages does not count. */
const placeOf = (page: Page): Promise<Place> =>
  page.evaluate(`{
    const video = document.querySelector('video')
    ;({ isPaused: video.paused || video.seeking, seconds: video.currentTime, at: (performance.timeOrigin + performance.now()) / 1000 })
  }`)

async function spreadOf(pages: readonly Page[]): Promise<number> {
  const places = await Promise.all(pages.map(placeOf))
  const isPaused = places[0]?.isPaused === true
  if (places.some((place) => place.isPaused !== isPaused)) return Infinity
  const starts = places.map(({ seconds, at }) => (isPaused ? seconds : seconds - at))
  return (Math.max(...starts) - Math.min(...starts)) * 1000
}

/**
 * Browsers watch one film together: start, seek, pause, a reload, and the end of the server by SIGKILL with a new one on the same port.
 * @param check fails if the pages are not together
 */
export async function watchOnPages(t: Test, { random, kind, pages: count, check }: Watching): Promise<void> {
  const server = await startServer(t, kind)
  const { openPage } = await startBrowser(t)
  const openSignedIn = async (fragment: string, index: number): Promise<Page> => {
    const { page } = await openPage(t, `${server.daemon.address}/${fragment}`, PREPARATIONS[index])
    await page.fill('#username', 'ann')
    await page.fill('#password', 'correct horse')
    await page.press('#password', 'Enter')
    return page
  }
  const host = await openSignedIn('', 0)
  await openFilm(host)
  await waitUntil('the film plays', async () => (await placeOf(host)).seconds > 0)
  await host.click('#watch-start')
  await host.click('#new-group [type=submit]')
  await host.waitForSelector('#watch:not([hidden])')
  const link = (await host.getAttribute('#watch-link', 'href')) ?? ''
  const pages = [host]
  while (pages.length < count) pages.push(await openSignedIn(link.slice(1), pages.length))

  const spread = (): Promise<number> => spreadOf(pages)
  const run = (text: string): Promise<void> =>
    host.evaluate(`{ const video = document.querySelector('video'); ${text} }`)
  const reach = (claim: string, condition: (place: Place) => boolean): Promise<void> =>
    waitUntil(claim, async () => (await Promise.all(pages.map(placeOf))).every(condition))
  const isPlaying = ({ isPaused }: Place): boolean => !isPaused
  const seek = async (): Promise<void> => {
    const to = FIRST_SECONDS + random.below(RANGE_SECONDS)
    await run(`video.currentTime = ${to}`)
    await reach('all are there', ({ seconds }) => Math.abs(seconds - to) < 20)
  }

  const groupId = link.split('=')[1] ?? ''
  await waitUntil('all have joined', async () => (await connectedIn(server.api, groupId)).members === count)
  await run('void video.play()')
  await reach('all play', isPlaying)
  for (const page of pages) t.equal(await page.textContent('#player-mode'), kind === 'direct' ? 'Direct' : 'HLS')
  await check('after the start', spread)
  await seek()
  await reach('all play', isPlaying)
  await check('after a seek', spread)
  await run('video.pause()')
  await reach('all are paused', ({ isPaused }) => isPaused)
  await check('in a pause', spread)
  await seek()
  await check('after a seek in a pause', spread)
  await run('void video.play()')
  await reach('all play', isPlaying)
  await check('after a pause', spread)
  const reloaded = pages[1 + random.below(count - 1)] ?? host
  await reloaded.reload()
  await reloaded.waitForSelector('#watch:not([hidden])')
  await reach('all play', isPlaying)
  await check('after a reload', spread)
  const { seq } = await connectedIn(server.api, groupId)
  await server.restart()
  await waitUntil('all are back', async () => {
    const group = await connectedIn(server.api, groupId)
    // Until somebody is back it is the stored state of the former server.
    return group.seq > seq && group.members === count
  })
  await reach('all play', isPlaying)
  await check('after the end of the server', spread)
  await seek()
  await reach('all play', isPlaying)
  await check('after a seek on the new server', spread)
}

type StoredGroup = { timeline: { seq: number }; members: Record<string, { is_connected: boolean }> }

/** The number of connected members of a group, and the sequence number of its timeline. */
async function connectedIn(api: AdminApi, groupId: string): Promise<{ members: number; seq: number }> {
  const { group } = (await api('GET', `/syncplay/groups/${groupId}`)) as { group: StoredGroup }
  const members = Object.values(group.members).filter(({ is_connected: isConnected }) => isConnected)
  return { members: members.length, seq: group.timeline.seq }
}
