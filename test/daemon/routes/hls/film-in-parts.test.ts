import { execFile } from 'node:child_process'
import { copyFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import HLS from 'hls-parser'
import t from 'tap'
import { getItem, listItemParts } from '../../../../src/core/catalogue/index.ts'
import { queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { cancelTranscode } from '../../../../src/core/streaming/index.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

const server = await startApp(t)
const { ask, baseUrl, services } = server
const { folder, library, idOf } = await scanFilms(t, services, {
  // 4 s of 320x180 at 25 fps, English and German audio.
  'Das Boot (1981) cd1.mkv': 'film-tracks-mkv',
  'Das Boot (1981) cd2.mkv': 'film-tracks-mkv',
  // 20 s of 640x360 with AC-3; then 4 s of 320x180 with two tracks of AAC.
  'Mixed (1990) cd1.mkv': 'film-mkv',
  'Mixed (1990) cd2.mkv': 'film-tracks-mkv',
  // The second file cannot be copied.
  'Recut (1991) cd1.mkv': 'film-tracks-mkv',
  'Recut (1991) cd2.mkv': 'film-hevc-mkv',
  // English at 440 Hz and German at 660 Hz; the second file is replaced below.
  'Tongues (1992) cd1.mkv': 'film-tracks-mkv',
  'Tongues (1992) cd2.mkv': 'film-tracks-mkv',
})
const { token } = await server.registerUser()

const subRip = (word: string) => `1\n00:00:01,000 --> 00:00:02,000\n${word}\n`
await writeFile(join(folder, 'Das Boot (1981) cd1.de.srt'), subRip('Tiefer'))
await writeFile(join(folder, 'Das Boot (1981) cd2.de.srt'), subRip('Höher'))
// Subtitles of the whole film, beside its first file.
const french = `${subRip('Plongez')}\n2\n00:00:05,000 --> 00:00:06,000\nRemontez\n`
await writeFile(join(folder, 'Das Boot (1981) cd1.fr.srt'), french)
// German first and default.
const germanFirst = '-map 0:v -map 0:a:1 -map 0:a:0 -c copy -disposition:a:0 default -disposition:a:1 0'.split(' ')
const tongues = [1, 2].map((disc) => join(folder, `Tongues (1992) cd${disc}.mkv`))
await promisify(execFile)('ffmpeg', [
  '-y',
  '-loglevel',
  'error',
  '-i',
  tongues[0] ?? '',
  ...germanFirst,
  tongues[1] ?? '',
])
await scan()

async function scan() {
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
}

async function start(name: string) {
  const { json, status } = await ask('POST', `/api/v1/media/${idOf(name)}/transcode?profile=web`, { token })
  return { status, json, master: String(pick(json, 'master_url')), jobId: String(pick(json, 'job_id')) }
}

async function playlistOf(jobId: string, master: string, name: string) {
  const { text, status } = await ask('GET', `/hls/${jobId}/${name}${master.slice(master.indexOf('?'))}`)
  if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
  return { text, list: HLS.parse(text) as HLS.types.MediaPlaylist }
}

const secondsOf = ({ segments }: HLS.types.MediaPlaylist) => segments.reduce((sum, { duration }) => sum + duration, 0)

/** Times in seconds of the decoded video and audio frames of a URL, as this machine's ffmpeg decodes it. */
async function decode(address: string, ...options: string[]) {
  const words = ['-nostdin', '-loglevel', 'error', ...options, '-i', `${baseUrl}${address}`]
  const output = ['-map', '0:v:0', '-map', '0:a:0', '-fps_mode', 'passthrough', '-f', 'framecrc', '-']
  const { stdout, stderr } = await promisify(execFile)('ffmpeg', [...words, ...output], { maxBuffer: 1 << 28 })
  const bases = new Map(
    [...stdout.matchAll(/^#tb (\d): (\d+)\/(\d+)$/gm)].map(([, n, a, b]) => [n, Number(a) / Number(b)]),
  )
  const rows = stdout.split('\n').filter((line) => /^\d,/.test(line))
  const frames = rows.map((line) => {
    const [stream = '', , pts, duration] = line.split(',').map((word) => word.trim())
    const base = bases.get(stream) ?? 0
    return { stream, at: Number(pts) * base, seconds: Number(duration) * base }
  })
  const ofStream = (wanted: string) => frames.filter(({ stream }) => stream === wanted)
  return { video: ofStream('0'), sound: ofStream('1'), complaints: stderr }
}

/** Frequency in Hz of the tone of a URL, measured over two seconds. */
async function hertz(address: string, from: number) {
  const cut = ['-af', `atrim=${from}:${from + 2}`, '-ac', '1', '-ar', '48000', '-f', 's16le', '-']
  const words = ['-nostdin', '-loglevel', 'error', '-i', `${baseUrl}${address}`, '-map', '0:a:0', ...cut]
  const { stdout } = await promisify(execFile)('ffmpeg', words, { encoding: 'buffer', maxBuffer: 1 << 28 })
  const samples = Array.from({ length: Math.floor(stdout.length / 2) }, (_, index) => stdout.readInt16LE(index * 2))
  const rises = samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length
  return rises / (samples.length / 48_000)
}

/** The longest gap between the end of one frame and the start of the next. */
function largestGap(frames: readonly { at: number; seconds: number }[]) {
  return Math.max(
    ...frames.slice(1).map(({ at }, place) => Math.abs(at - (frames[place]?.at ?? 0) - (frames[place]?.seconds ?? 0))),
  )
}

void t.test('a film in two files has one time line in every quality, track and text', async (t) => {
  const { jobId, master, json } = await start('Das Boot')
  HLS.setOptions({ strictMode: true })
  const { text } = await ask('GET', master)
  const names = [...text.matchAll(/media_v\w+\.m3u8/g)].map(([name]) => name)
  t.strictSame(
    new Set(names),
    new Set([
      'media_voriginal.m3u8',
      'media_v180p.m3u8',
      'media_va2.m3u8',
      'media_vs0.m3u8',
      'media_vs1.m3u8',
      'media_vs2.m3u8',
    ]),
  )
  for (const name of names) {
    const { text: playlist, list } = await playlistOf(jobId, master, name)
    t.equal(playlist.match(/#EXT-X-DISCONTINUITY\n/g)?.length, 1, name)
    t.ok(Math.abs(secondsOf(list) - 8) < 0.05, `${name}: ${secondsOf(list)}`)
    t.ok(
      list.segments.every(({ duration }) => Math.round(duration) <= list.targetDuration),
      name,
    )
    const [own, seam] = list.segments
    t.ok(Math.abs((own?.duration ?? 0) - 4) < 0.05, name)
    t.equal(seam?.discontinuity, true, name)
    for (const { uri } of list.segments) {
      const path = new URL(uri, `${baseUrl}/hls/${jobId}/${name}`)
      t.equal((await ask('GET', path.pathname + path.search)).status, 200, uri)
      t.equal((await ask('GET', path.pathname)).status, 401, uri)
    }
  }
  t.equal(pick(json, 'variants', 0, 'is_copy'), true)
})

void t.test('ffmpeg plays it from the first file into the second without a gap, picture and sound', async (t) => {
  const { master } = await start('Das Boot')
  for (const rendition of ['media_v180p', 'media_voriginal']) {
    const { video, sound, complaints } = await decode(master.replace('master', rendition))
    t.equal(complaints, '', rendition)
    t.equal(video.length, 200, rendition)
    t.ok(largestGap(video) < 0.002, `${rendition}: ${largestGap(video)}`)
    t.ok(largestGap(sound) < 0.03, `${rendition}: ${largestGap(sound)}`)
    const heard = sound.reduce((sum, { seconds }) => sum + seconds, 0)
    t.ok(Math.abs(heard - 8) < 0.1, `${rendition}: ${heard}`)
  }
})

void t.test('a player that opens the master list finds the second file by its place in the film', async (t) => {
  const { master } = await start('Das Boot')
  // ffmpeg seeks to a key frame at or after the position; each file has one at 0 and one at 3.84 s.
  const from = async (seconds: string) => (await decode(master, '-ss', seconds)).video.length
  const near = await from('3.95')
  t.ok(near >= 100 && near <= 104, `${near} frames from just before the seam`)
  t.equal(await from('5'), 4)
})

void t.test('a signature keeps its expiry in derived URLs', async (t) => {
  const { jobId, master } = await start('Das Boot')
  const { text } = await playlistOf(jobId, master, 'media_v180p.m3u8')
  const exp = new URL(master, baseUrl).searchParams.get('exp')
  t.strictSame(new Set([...text.matchAll(/exp=(\d+)/g)].map((match) => match[1])), new Set([exp]))
  t.equal(new Set([...text.matchAll(/sig=([\w-]+)/g)].map((match) => match[1])).size, 2)
  const byToken = await ask('GET', `/hls/${jobId}/media_v180p.m3u8`, { token })
  const [, part = ''] = /\n(\.\.\/.*)\n/.exec(byToken.text) ?? []
  t.equal((await ask('GET', `/hls/${jobId}/${part}`.replace(`${jobId}/../`, ''))).status, 200)
})

// The video of these files starts 21 ms after the audio.
void t.test('subtitles of the second file follow those of the first, in the whole text and in segments', async (t) => {
  const { jobId, master, json } = await start('Das Boot')
  const german = (pick(json, 'subtitles') as { language: string; index: number; url: string }[]).find(
    ({ language }) => language === 'de',
  )
  const whole = await ask('GET', german?.url ?? '')
  t.match(whole.text, /MPEGTS:900000[^]*00:00:00\.9[^]*Tiefer[^]*00:00:04\.9\d\d --> 00:00:05\.9\d\d\nHöher\n/)
  const query = master.slice(master.indexOf('?'))
  const piece = async (part: number) =>
    (await ask('GET', `/hls/${jobId}/sub-${german?.index}-${part}.vtt${query}`)).text
  t.match(await piece(0), /Tiefer/)
  t.notMatch(await piece(0), /Höher/)
  t.match(await piece(1), /MPEGTS:900000[^]*00:00:04\.9\d\d --> [^]*Höher/)
  t.notMatch(await piece(1), /Tiefer/)
  t.equal((await ask('GET', `/hls/${jobId}/sub-${german?.index}-2.vtt${query}`)).status, 404)
  const texts = pick(json, 'subtitles') as { language: string; index: number }[]
  const frenchTrack = texts.find(({ language }) => language === 'fr')
  const later = await ask('GET', `/hls/${jobId}/sub-${frenchTrack?.index}-1.vtt${query}`)
  t.match(
    later.text,
    /\n\n00:00:04\.9\d\d --> [^]*\nRemontez\n$/,
    'a track that continues where the second file has no text',
  )
  t.notMatch(later.text, /Plongez/)
  const { json: list } = await ask('GET', `/api/v1/media/${idOf('Das Boot')}/subtitles`, { token })
  const direct = (pick(list, 'tracks') as { language: string; url: string }[]).find(({ language }) => language === 'de')
  t.match((await ask('GET', direct?.url ?? '')).text, /^WEBVTT\n\n00:00:01[^]*Tiefer[^]*00:00:05[^]*Höher\n$/)
})

void t.test('a subtitle segment reads its own file only', async (t) => {
  const { jobId, master, json } = await start('Das Boot')
  const texts = pick(json, 'subtitles') as { language: string; index: number }[]
  const german = texts.find(({ language }) => language === 'de')?.index
  const piece = async (part: number) =>
    ask('GET', `/hls/${jobId}/sub-${german}-${part}.vtt${master.slice(master.indexOf('?'))}`)
  for (const gone of [0, 1]) {
    const path = join(folder, `Das Boot (1981) cd${gone + 1}.de.srt`)
    await rename(path, `${path}.gone`)
    t.equal((await piece(gone)).status, 404, `${gone}`)
    t.match((await piece(1 - gone)).text, gone === 0 ? /Höher/ : /Tiefer/)
    await rename(`${path}.gone`, path)
  }
})

void t.test('the audio keeps the language of the first file, whatever the default of the next one', async (t) => {
  const film = await getItem(services, idOf('Tongues'))
  const [part] = await listItemParts(services, film.id)
  const alone = await ask('POST', `/api/v1/media/${part?.id}/transcode?profile=web`, { token })
  t.notMatch((await ask('GET', String(pick(alone.json, 'master_url')))).text, /media_va1\.m3u8/, 'alone: its default')
  const heard = async (master: string, name: string) =>
    Promise.all([1, 5].map(async (from) => Math.round((await hertz(master.replace('master', name), from)) / 20) * 20))
  const { master } = await start('Tongues')
  t.match((await ask('GET', master)).text, /LANGUAGE="en"[^]*LANGUAGE="de"/)
  t.strictSame(await heard(master, 'media_v180p'), [440, 440])
  t.strictSame(await heard(master, 'media_voriginal'), [440, 440])
  t.strictSame(await heard(master, 'media_va2'), [660, 660])
  t.match((await start('Tongues')).json, { reused: true })
  // Same length, so that the part's job still begins at the right time, but with English audio.
  await copyFile(tongues[1] ?? '', tongues[0] ?? '')
  await scan()
  t.strictSame(await heard((await start('Tongues')).master, 'media_v180p'), [660, 660])
})

void t.test(
  'files of different size, rate and audio continue with the nearest track, and offer what all have',
  async (t) => {
    const { jobId, master } = await start('Mixed')
    const { text } = await ask('GET', master)
    t.notMatch(text, /TYPE=AUDIO/)
    t.match(text, /FRAME-RATE=25\.000/)
    const { text: playlist, list } = await playlistOf(jobId, master, 'media_v360p.m3u8')
    t.match(
      playlist,
      /seg-v360p-00003\.ts\?[^]*DISCONTINUITY\n#EXTINF:4\.0\d+,\n\.\.\/[0-9a-f-]{36}\/seg-v180p-00000\.ts/,
    )
    t.ok(Math.abs(secondsOf(list) - 24) < 0.1)
    const { video, sound } = await decode(master.replace('master', 'media_v360p'))
    t.equal(video.length, 20 * 24 + 4 * 25)
    t.ok(largestGap(video) < 0.05 && largestGap(sound) < 0.03)
  },
)

void t.test('video is copied in all files or in none, as the preview reports', async (t) => {
  const { json } = await start('Recut')
  const ladder = (variants: unknown) =>
    (variants as { id: string; is_copy: boolean }[]).map(({ id, is_copy }) => ({ id, is_copy }))
  t.strictSame(ladder(pick(json, 'variants')), [{ id: '180p', is_copy: false }])
  const { json: facts } = await ask('GET', `/api/v1/media/${idOf('Recut')}/playback-info?profile=web`, { token })
  t.strictSame(ladder(pick(facts, 'quality_ladder')), [{ id: '180p', is_copy: false }])
})

void t.test('progress counts the segments of all files, and the end of the job is that of all', async (t) => {
  const { jobId, master } = await start('Recut')
  const status = async () => (await ask('GET', `/api/v1/transcode/${jobId}/status`, { token })).json
  const { list } = await playlistOf(jobId, master, 'media_v180p.m3u8')
  const [own, part] = list.segments.map(({ uri }) => new URL(uri, `${baseUrl}/hls/${jobId}/x`))
  await ask('GET', (own?.pathname ?? '') + (own?.search ?? ''))
  t.match(await status(), { status: 'running', segments: 1, progress: 50 })
  await ask('GET', (part?.pathname ?? '') + (part?.search ?? ''))
  t.match(await status(), { status: 'completed', segments: 2, progress: 100 })
  await cancelTranscode(services, jobId)
  t.equal((await ask('GET', (part?.pathname ?? '') + (part?.search ?? ''))).status, 404)
})

void t.test('the same job is returned until a part is removed', async (t) => {
  const { jobId } = await start('Mixed')
  const again = await start('Mixed')
  t.match(again.json, { job_id: jobId, reused: true })
  await rename(join(folder, 'Mixed (1990) cd2.mkv'), join(folder, '.gone.mkv'))
  await scan()
  const alone = await start('Mixed')
  t.match(alone.json, { reused: false })
  const { text } = await playlistOf(alone.jobId, alone.master, 'media_v360p.m3u8')
  t.notMatch(text, /DISCONTINUITY/)
  await rename(join(folder, '.gone.mkv'), join(folder, 'Mixed (1990) cd2.mkv'))
  await scan()
  const whole = await start('Mixed')
  t.match((await playlistOf(whole.jobId, whole.master, 'media_v360p.m3u8')).text, /DISCONTINUITY/)
})
