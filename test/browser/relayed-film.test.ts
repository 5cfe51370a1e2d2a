import { fileURLToPath } from 'node:url'
import t from 'tap'
import { pick, scanFilms } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { startTestHub } from '../support/hub.ts'
import { unlessInstalled } from '../support/programs.ts'
import { startPairedServer } from '../support/relay/paired-server.ts'
import { waitUntil } from '../support/wait-until.ts'

const HLS_SCRIPT = fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'))

/** Runs in the page: hls.js, which sends the token of the hub, and a wait that ends with a fatal error of the player. */
const PLAYER = (token: string): string => `(() => {
  const video = document.querySelector('video')
  const hls = new Hls({ maxBufferLength: 6, xhrSetup: (xhr) => xhr.setRequestHeader('authorization', 'Bearer ${token}') })
  const fatalErrors = []
  hls.on(Hls.Events.ERROR, (_, { fatal, details }) => { if (fatal) fatalErrors.push(details) })
  const until = (condition) => new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (fatalErrors[0] === undefined && !condition()) return
      clearInterval(timer)
      if (fatalErrors[0] === undefined) resolve()
      else reject(new Error(fatalErrors[0]))
    }, 20)
  })
  const playsFrom = (time) => until(() => !video.seeking && video.readyState >= 3 && video.currentTime > time + 0.2)
  window.player = { video, hls, playsFrom }
})()`

void t.test(
  'an mkv film plays through the relay in Chromium, with a seek and a restart of the hub',
  {
    skip: unlessInstalled('chromium'),
  },
  async (t) => {
    const hub = await startTestHub(t)
    const { token, ...owner } = await hub.addUser('ada')
    const { services, serverId } = await startPairedServer(t, hub, { ...owner, token })
    const { items } = await scanFilms(t, services, { 'A film (1999).mkv': 'film-choices-mkv' })
    const proxy = `/api/v1/servers/${serverId}/proxy`
    const started = await hub.ask('POST', `${proxy}/api/v1/media/${items[0]?.id ?? ''}/transcode`, { token, body: {} })
    const master = `${hub.url}${proxy}${String(pick(started.json, 'master_url'))}`
    const { page } = await (await startBrowser(t)).openPage(t, `${hub.url}/healthz`)
    await page.setContent('<video muted></video>')
    await page.addScriptTag({ path: HLS_SCRIPT })
    await page.evaluate(PLAYER(token))
    const run = (body: string): Promise<unknown> =>
      page.evaluate(`(async () => { const { video, hls, playsFrom } = player; ${body} })()`)
    await run(
      `hls.loadSource(${JSON.stringify(master)}); hls.attachMedia(video); await video.play(); await playsFrom(0)`,
    )
    await run('video.currentTime = 20; await playsFrom(20)')
    const { sentBytes } = hub.relay().counts()
    t.ok(sentBytes > 0, `${sentBytes} bytes came through the relay`)
    await hub.down()
    await hub.up()
    await run('video.currentTime = 32; await playsFrom(32)')
    await waitUntil('the bytes come through the new process', () => hub.relay().counts().sentBytes > 0)
  },
)
