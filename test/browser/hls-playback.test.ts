import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { fileOfItem, makeSet } from '../core/analysis/trickplay/made-set.ts'
import { pick, scanFilms, startApp } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'
import { unlessInstalled } from '../support/programs.ts'

const HLS_SCRIPT = fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'))

const FILM_SECONDS = 40

/**
 * Forty seconds in Matroska, which no browser plays directly, in three qualities, with two audio tracks, subtitles and pictures of the time
 * line.
 */
async function startFilm(t: Test) {
  const { ask, baseUrl, services, registerUser } = await startApp(t)
  const { items } = await scanFilms(t, services, { 'A film (1999).mkv': 'film-choices-mkv' })
  const { token } = await registerUser()
  const itemId = items[0]?.id ?? ''
  await makeSet(services, await fileOfItem(services, itemId))
  const { json } = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token })
  return { baseUrl, master: `${baseUrl}${String(pick(json, 'master_url'))}` }
}

/**
 * Runs in the page: hls.js and a video element, with their state. `until` waits for a condition, or for a fatal error of the player; after
 * two minutes it fails with the state of the player.
 */
const PLAYER = `(() => {
  const video = document.querySelector('video')
  const hls = new Hls({ backBufferLength: Infinity, maxBufferLength: 12 })
  const fatalErrors = []
  hls.on(Hls.Events.ERROR, (_, { fatal, details }) => { if (fatal) fatalErrors.push(details) })
  const until = (condition) => new Promise((resolve, reject) => {
    const end = performance.now() + 120_000
    const late = () => 'no ' + condition + ': ' + JSON.stringify({
      time: video.currentTime, ended: video.ended, paused: video.paused, seeking: video.seeking, readyState: video.readyState,
      height: video.videoHeight, level: hls.currentLevel, audioTrack: hls.audioTrack, buffered: buffered() })
    const timer = setInterval(() => {
      const problem = fatalErrors[0] ?? video.error?.message ?? (performance.now() > end ? late() : undefined)
      if (problem === undefined && !condition()) return
      clearInterval(timer)
      if (problem === undefined) resolve()
      else reject(new Error(problem))
    }, 20)
  })
  const buffered = () => Array.from({ length: video.buffered.length }, (_, index) => [video.buffered.start(index), video.buffered.end(index)])
  const play = async () => { await video.play(); await until(() => video.currentTime > 0.1 && !video.seeking) }
  const seek = async (to) => {
    video.currentTime = to
    await until(() => !video.seeking && video.readyState >= 3)
    return video.currentTime
  }
  window.player = { video, hls, fatalErrors, until, buffered, play, seek }
})()`

/** A page of the daemon's origin with hls.js and nothing else of the product; `refused` are the stream's failed requests. */
async function openPlayer(t: Test, { baseUrl, master }: { baseUrl: string; master: string }) {
  const { page } = await (await startBrowser(t)).openPage(t, `${baseUrl}/healthz`)
  const refused: string[] = []
  page.on('response', (reply) => {
    if (reply.url().includes('/hls/') && reply.status() >= 400) refused.push(`${reply.status()} ${reply.url()}`)
  })
  await page.setContent('<video></video>')
  await page.addScriptTag({ path: HLS_SCRIPT })
  await page.evaluate(PLAYER)
  await page.evaluate(`player.hls.loadSource(${JSON.stringify(master)}); player.hls.attachMedia(player.video)`)
  const run = <Result>(body: string): Promise<Result> =>
    page.evaluate(`(async () => { const { video, hls, until, buffered, play, seek } = player; ${body} })()`)
  return { page, refused, run }
}

type Ranges = [start: number, end: number][]

/** Watched ranges are far apart; ranges that are closer than this have a gap between them. */
const MIN_DISTANCE_SECONDS = 0.5

function holesIn(ranges: Ranges): Ranges {
  return ranges.slice(1).flatMap(([start], index) => {
    const end = ranges[index]?.[1] ?? 0
    return start - end < MIN_DISTANCE_SECONDS ? [[end, start] as [number, number]] : []
  })
}

/** Pseudo-random positions, the same in every run (Numerical Recipes, 7.1). */
function randomPlaces(count: number): number[] {
  let state = 7
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * (FILM_SECONDS - 2) * 10) / 10
  })
}

void t.test('hls.js in Chromium, and players that get the URL only', async (t) => {
  const film = await startFilm(t)
  const { page, refused, run } = await openPlayer(t, film)

  await t.test('the master playlist that hls.js plays names the pictures of the time line', async (t) => {
    const [, uri = ''] =
      /^#EXT-X-IMAGE-STREAM-INF:.*URI="([^"]+)"$/m.exec(await (await fetch(film.master)).text()) ?? []
    const playlist = await (await fetch(new URL(uri, film.master))).text()
    const grid = playlist.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? ''
    const size = await page.evaluate(`(async () => {
      const { width, height } = await createImageBitmap(await (await fetch(${JSON.stringify(grid)})).blob())
      return [width, height]
    })()`)
    t.strictSame(size, [1280, 360])
  })

  await t.test('hls.js plays a film to its end without an error or a gap', async (t) => {
    const played = await run<{ buffered: Ranges; duration: number; times: number[]; frames: number }>(`
      const times = []
      video.addEventListener('timeupdate', () => times.push(video.currentTime))
      video.playbackRate = 8
      await play()
      await until(() => video.ended)
      return { buffered: buffered(), duration: video.duration, times, frames: video.getVideoPlaybackQuality().totalVideoFrames }`)
    t.ok(
      played.times.every((time, index) => index === 0 || time >= (played.times[index - 1] ?? 0)),
      'the time only goes forwards',
    )
    t.equal(played.buffered.length, 1, 'one range is buffered')
    const [start, end] = played.buffered[0] ?? [Infinity, 0]
    t.ok(start < 0.1, `it begins at ${start}`)
    t.ok(Math.abs(end - FILM_SECONDS) < 0.2, `it ends at ${end}`)
    t.ok(Math.abs(played.duration - FILM_SECONDS) < 0.2, `the film lasts ${played.duration}`)
    t.ok(played.frames > 0, `${played.frames} frames were shown`)
  })

  await t.test('changes the quality at any position and continues', async (t) => {
    const heights = await run<number[]>('return hls.levels.map(({ height }) => height)')
    t.ok(heights.length >= 3, `${heights.length} qualities`)
    // Chromium may show frames of the old level for several segments. The film loops, because it must not end before the new ones.
    await run('video.loop = true; video.playbackRate = 8; await seek(1); await play()')
    for (const level of [...heights.keys(), 0]) {
      const { height, buffered } = await run<{ height: number; buffered: Ranges }>(`
        hls.currentLevel = ${level}
        await until(() => video.videoHeight === hls.levels[${level}].height && hls.currentLevel === ${level})
        const from = video.currentTime
        await until(() => Math.abs(video.currentTime - from) > 0.5 && video.readyState >= 3)
        return { height: video.videoHeight, buffered: buffered() }`)
      t.equal(height, heights[level], `level ${level}`)
      t.strictSame(holesIn(buffered), [])
    }
    await run('hls.currentLevel = -1; video.loop = false; video.playbackRate = 1; await seek(1); await play()')
  })

  await t.test('seeks to thirty positions and continues from each', async (t) => {
    for (const place of randomPlaces(30)) {
      const { position, buffered } = await run<{ position: number; buffered: Ranges }>(`
        const position = await seek(${place})
        await until(() => video.currentTime > ${place} + 0.2)
        return { position, buffered: buffered() }`)
      t.ok(position >= place - 0.01 && position < place + 1, `at ${place}: ${position}`)
      t.strictSame(holesIn(buffered), [], `no hole after ${place}`)
    }
  })

  await t.test('shows subtitles at their time', async (t) => {
    t.match(await run('return hls.subtitleTracks.map(({ name, lang }) => ({ name, lang }))'), [
      { name: 'English', lang: 'en' },
    ])
    await run(`
      hls.subtitleDisplay = true
      hls.subtitleTrack = 0
      video.pause()`)
    for (const place of [3.5, 20.5, 33.5]) {
      const shown = await run<string[]>(`
        await seek(${place})
        const track = () => [...video.textTracks].find(({ mode }) => mode === 'showing')
        await until(() => (track()?.activeCues?.length ?? 0) > 0)
        return [...track().activeCues].map(({ text }) => text)`)
      t.strictSame(shown, [String(Math.floor(place))])
    }
  })

  await t.test('plays the selected audio track', async (t) => {
    t.match(await run('return hls.audioTracks.map(({ lang }) => lang)'), ['en', 'de'])
    await page.evaluate(`(() => {
      const context = new AudioContext()
      const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 })
      context.createMediaElementSource(player.video).connect(analyser)
      player.hertz = () => {
        const levels = new Float32Array(analyser.frequencyBinCount)
        analyser.getFloatFrequencyData(levels)
        const loudest = levels.indexOf(Math.max(...levels))
        return levels[loudest] > -60 ? (loudest * context.sampleRate) / analyser.fftSize : 0
      }
    })()`)
    await run('video.loop = true; await seek(5); await play()')
    for (const [track, hertz] of [
      [1, 880],
      [0, 440],
      [1, 880],
    ] as const) {
      await run(`
        hls.audioTrack = ${track}
        await until(() => Math.abs(player.hertz() - ${hertz}) < 12)`)
      t.equal(await run('return hls.audioTrack'), track)
    }
  })

  await t.test('plays a quality, an audio track and a position that are selected in one tick', async (t) => {
    for (const [level, track, place, hertz] of [
      ['0', 0, 22, 440],
      ['hls.levels.length - 1', 1, 33, 880],
      ['0', 0, 9, 440],
    ] as const) {
      await run(`
        hls.currentLevel = ${level}
        hls.audioTrack = ${track}
        video.currentTime = ${place}
        await until(() => !video.seeking && video.currentTime > ${place} + 0.3 && Math.abs(player.hertz() - ${hertz}) < 12)`)
      t.equal(await run(`return hls.currentLevel === ${level} && hls.audioTrack === ${track}`), true, `at ${place} s`)
    }
  })

  t.strictSame(await run('return player.fatalErrors'), [])
  t.strictSame(refused, [])

  const program = promisify(execFile)

  await t.test('ffmpeg, which sends no header, decodes every frame without a message', async (t) => {
    const words = ['-v', 'error', '-xerror', '-i', film.master, '-map', '0:v:0', '-map', '0:a:0', '-f', 'framemd5', '-']
    const { stdout, stderr } = await program('ffmpeg', words, { maxBuffer: 1 << 24 })
    const frames = stdout.split('\n').filter((line) => line.startsWith('0,'))
    t.equal(frames.length, FILM_SECONDS * 24, 'every frame once')
    t.equal(stderr, '')
  })

  await t.test('mpv plays to the end', { skip: unlessInstalled('mpv') }, async (t) => {
    const words = [
      '--no-config',
      '--vo=null',
      '--ao=null',
      '--ao-null-untimed',
      '--untimed',
      '--no-audio-display',
      '--msg-level=all=warn',
      film.master,
    ]
    const { stdout } = await program('mpv', words)
    t.notMatch(stdout, /error|failed/i)
  })
})
