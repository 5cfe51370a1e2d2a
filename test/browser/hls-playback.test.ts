import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { pick, scanFilms, startApp } from '../support/app.ts'
import { openPage } from '../support/browser.ts'

const HLS_SCRIPT = fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'))

/** Twenty seconds of H.264 with AC-3 in Matroska, which no browser plays by itself. */
async function startFilm(t: Test) {
  const { ask, baseUrl, services, registerUser } = await startApp(t)
  const { items } = await scanFilms(t, services, { 'A film (1999).mkv': 'film-mkv' })
  const { token } = await registerUser()
  const { json } = await ask('POST', `/api/v1/media/${items[0]?.id ?? ''}/transcode`, { token })
  return { baseUrl, master: `${baseUrl}${String(pick(json, 'master_url'))}` }
}

/**
 * A page of the daemon's origin with hls.js and nothing else of the product; `refused` are the stream's failed
 * requests.
 */
async function openPlayer(t: Test, baseUrl: string): Promise<{ page: Page; refused: string[] }> {
  const { page } = await openPage(t, `${baseUrl}/healthz`)
  const refused: string[] = []
  page.on('response', (reply) => {
    if (reply.url().includes('/hls/') && reply.status() >= 400) refused.push(`${reply.status()} ${reply.url()}`)
  })
  await page.setContent('<video muted></video>')
  await page.addScriptTag({ path: HLS_SCRIPT })
  return { page, refused }
}

/** What the page noted while it played. */
type Playback = {
  ended: boolean
  times: number[]
  fatalErrors: string[]
  mediaError: string | null
  buffered: [start: number, end: number][]
  frames: number
  duration: number
}

/**
 * Runs in the page: plays the address with hls.js and looks at the video until it has ended or failed. Self-contained.
 */
const PLAY = `async (url) => {
  const video = document.querySelector('video')
  const fatalErrors = []
  const times = []
  const hls = new Hls({ backBufferLength: Infinity })
  hls.on(Hls.Events.ERROR, (_, { fatal, details }) => { if (fatal) fatalErrors.push(details) })
  hls.loadSource(url)
  hls.attachMedia(video)
  video.playbackRate = 4
  video.addEventListener('timeupdate', () => times.push(video.currentTime))
  await video.play()
  await new Promise((resolve) => {
    video.addEventListener('ended', resolve)
    video.addEventListener('error', resolve)
    hls.on(Hls.Events.ERROR, (_, { fatal }) => { if (fatal) resolve() })
  })
  const ranges = video.buffered
  return {
    ended: video.ended,
    times,
    fatalErrors,
    mediaError: video.error === null ? null : video.error.message,
    buffered: Array.from({ length: ranges.length }, (_, index) => [ranges.start(index), ranges.end(index)]),
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    duration: video.duration,
  }
}`

void t.test('hls.js in Chromium plays a film to its end without a fault or a hole', async (t) => {
  const { baseUrl, master } = await startFilm(t)
  const { page, refused } = await openPlayer(t, baseUrl)
  const played = await page.evaluate<Playback>(`(${PLAY})(${JSON.stringify(master)})`)
  t.match(played, { ended: true, fatalErrors: [], mediaError: null })
  t.ok(played.times.length > 5, `the time was told ${played.times.length} times`)
  t.ok(
    played.times.every((time, index) => index === 0 || time >= (played.times[index - 1] ?? 0)),
    'the time only goes forwards',
  )
  t.equal(played.buffered.length, 1, 'one range is buffered')
  const [start, end] = played.buffered[0] ?? [Infinity, 0]
  t.ok(start < 0.1, `it begins at ${start}`)
  t.ok(end > 19.9 && end < 20.2, `it ends at ${end}`)
  t.ok(Math.abs(played.duration - 20) < 0.2, `the film lasts ${played.duration}`)
  t.ok(played.frames > 0, `${played.frames} frames were shown`)
  t.strictSame(refused, [])
})

void t.test('a seek into the middle plays from there to the end', async (t) => {
  const { baseUrl, master } = await startFilm(t)
  const { page, refused } = await openPlayer(t, baseUrl)
  const seek = PLAY.replace('await video.play()', 'await video.play(); video.currentTime = 14.5')
  const played = await page.evaluate<Playback>(`(${seek})(${JSON.stringify(master)})`)
  t.match(played, { ended: true, fatalErrors: [], mediaError: null })
  t.strictSame(refused, [])
})

void t.test(
  'programs that send no header play the address alone: ffmpeg decodes every frame without a word',
  async (t) => {
    const { master } = await startFilm(t)
    const words = ['-v', 'warning', '-xerror', '-i', master, '-map', '0', '-f', 'framemd5', '-']
    const { stdout, stderr } = await promisify(execFile)('ffmpeg', words, { maxBuffer: 1 << 24 })
    const frames = stdout.split('\n').filter((line) => line.startsWith('0,'))
    t.equal(frames.length, 480, 'every frame once')
    t.equal(stderr, '')
  },
)
