import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import HLS from 'hls-parser'
import t from 'tap'
import { createAccount, disableAccount } from '../../../../src/core/accounts/index.ts'
import { jobDirectory } from '../../../../src/core/streaming/job/job-directory.ts'
import { mediaPlaylist } from '../../../../src/core/streaming/playlist/playlist-text.ts'
import { insertTranscodeJob } from '../../../../src/core/streaming/job/queries.ts'
import { SegmentServer } from '../../../../src/core/streaming/segments/segment-server.ts'
import { readStreamPlan, writeStreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

const server = await startApp(t)
const { ask, baseUrl, services } = server
const { idOf } = await scanFilms(t, services, {
  'A film (1999).mkv': 'film-mkv',
  'Another (2001).mp4': 'film-tiny-mp4',
  'Tracks (2003).mkv': 'film-tracks-mkv',
})
const { token } = await server.registerUser()

async function start(name: string, profile = 'web') {
  const { json } = await ask('POST', `/api/v1/media/${idOf(name)}/transcode?profile=${profile}`, { token })
  const master = String(pick(json, 'master_url'))
  const jobId = String(pick(json, 'job_id'))
  const directory = jobDirectory(services.config, jobId)
  return { jobId, master, directory, query: master.slice(master.indexOf('?')), json }
}

const { jobId, master, directory, query } = await start('A film')

const addressesIn = (playlist: string) => [
  ...playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
  ...[...playlist.matchAll(/URI="([^"]+)"/g)].map((match) => match[1] ?? ''),
]

void t.test('one signature on the master opens everything below it, as a player resolves it (SU-09)', async (t) => {
  const { master, jobId } = await start('Tracks')
  const first = await ask('GET', master)
  t.equal(first.status, 200)
  t.equal(first.headers.get('content-type'), 'application/vnd.apple.mpegurl')
  t.equal(first.headers.get('cache-control'), 'no-cache')
  const playlists = addressesIn(first.text)
  const names = ['media_v180p', 'media_va2', 'media_voriginal', 'media_vs0']
  t.strictSame(new Set(playlists.map((address) => address.split('.')[0])), new Set(names))
  for (const playlist of playlists) {
    const second = await ask('GET', `/hls/${jobId}/${playlist}`)
    t.equal(second.status, 200, playlist)
    const [segment = ''] = addressesIn(second.text)
    const third = await ask('GET', `/hls/${jobId}/${segment}`)
    t.equal(third.status, 200, segment)
    if (!segment.startsWith('seg-')) continue
    t.equal(third.headers.get('content-type'), 'video/mp2t')
    t.match(third.headers.get('cache-control'), /immutable/)
    t.equal(Number(third.headers.get('content-length')) % 188, 0)
    const since = { 'if-modified-since': third.headers.get('last-modified') ?? '' }
    t.equal((await ask('GET', `/hls/${jobId}/${segment}`, { headers: since })).status, 304)
  }
})

void t.test(
  'the master lists every rendition once, highest bandwidth first, and each list has all its time',
  async (t) => {
    HLS.setOptions({ strictMode: true })
    const { variants } = HLS.parse((await ask('GET', master)).text) as HLS.types.MasterPlaylist
    t.strictSame(
      variants.map(({ uri }) => uri.replace(/\?.*/, '')),
      ['media_voriginal.m3u8', 'media_v360p.m3u8', 'media_v240p.m3u8'],
    )
    for (const { uri } of variants) {
      const list = HLS.parse((await ask('GET', `/hls/${jobId}/${uri}`)).text) as HLS.types.MediaPlaylist
      const seconds = list.segments.reduce((sum, { duration }) => sum + duration, 0)
      t.ok(Math.abs(seconds - 20) < 0.042, `${uri}: ${seconds}`)
      t.ok(list.segments.every(({ duration }) => Math.round(duration) <= list.targetDuration))
    }
  },
)

void t.test('a subtitle segment is text on the clock of the segments', async (t) => {
  const { jobId, query } = await start('Tracks')
  const { status, headers, text } = await ask('GET', `/hls/${jobId}/sub-0.vtt${query}`)
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/vtt; charset=utf-8')
  t.match(text, /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00\.000\n/)
  t.match(text, /Hello/)
  for (const name of ['sub-1.vtt', 'sub-00.vtt', 'sub-x.vtt', 'sub-0.srt', 'media_vs1.m3u8']) {
    t.equal((await ask('GET', `/hls/${jobId}/${name}${query}`)).status, 404, name)
  }
})

void t.test('a playlist contains the signature of its request, and is the same each time', async (t) => {
  for (const file of ['master.m3u8', 'media_v360p.m3u8', 'media_voriginal.m3u8']) {
    const { text, headers } = await ask('GET', `/hls/${jobId}/${file}${query}`)
    t.ok(addressesIn(text).every((address) => address.endsWith(query)))
    t.equal((await ask('GET', `/hls/${jobId}/${file}${query}`)).text, text)
    t.equal(headers.get('last-modified'), null)
    t.equal(headers.get('etag'), null)
    const conditional = { 'if-modified-since': new Date(2_000_000_000_000).toUTCString(), 'if-none-match': '*' }
    t.equal((await ask('GET', `/hls/${jobId}/${file}${query}`, { headers: conditional })).status, 200, 'never 304')
    const head = await ask('HEAD', `/hls/${jobId}/${file}${query}`)
    t.equal(head.status, 200)
    t.equal(Number(head.headers.get('content-length')), Buffer.byteLength(text))
  }
})

void t.test('a bearer opens the same files, and gets playlists that need none', async (t) => {
  const { status, text } = await ask('GET', `/hls/${jobId}/media_v360p.m3u8`, { token })
  t.equal(status, 200)
  const [segment = ''] = addressesIn(text)
  t.match(segment, /^seg-v360p-00000\.ts\?exp=\d+&sig=[\w-]{88}$/)
  t.equal((await ask('GET', `/hls/${jobId}/${segment}`)).status, 200)
  t.equal((await ask('GET', `/hls/${jobId}/seg-v360p-00000.ts`, { token })).status, 200)
})

void t.test('the requests of the existing clients lead to playable segments', async (t) => {
  // 1. The playable sources.
  const itemId = idOf('Another')
  const info = await ask('GET', `/api/v1/media/${itemId}/playback-info`, { token })
  t.match(info, { status: 200, json: { item_id: itemId, quality_ladder: Array } })
  // 2. Start a job; both keys of the URL are read.
  const body = {}
  const headers = { 'x-phlix-device-type': 'web' }
  const started = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token, body, headers })
  t.match(started.json, { job_id: String, master_url: String, hls_url: String, status: 'running', reused: false })
  t.match(started.json, { subtitles: Array, variants: Array })
  // 3. Poll until it is ready, which is immediately.
  const job = String(pick(started.json, 'job_id'))
  const status = await ask('GET', `/api/v1/transcode/${job}/status`, { token })
  t.match(status.json, { job_id: job, status: 'running', playlist_ready: true, segments: 0, progress: 0 })
  // 4. The master playlist by signed URL, also with the bearer token, as hls.js sends it.
  const address = String(pick(status.json, 'master_url'))
  const master = await ask('GET', address, { token })
  t.equal(master.status, 200)
  // 5. A media playlist by its entry, and by replacing the file name of the master's URL, which drops the signature.
  const [entry = ''] = addressesIn(master.text)
  t.equal((await ask('GET', `/hls/${job}/${entry}`, { token })).status, 200)
  const bare = address.replace(/\?.*/, '').replace('master.m3u8', 'media_v180p.m3u8')
  const level = await ask('GET', bare, { token })
  t.equal(level.status, 200)
  t.equal((await ask('GET', bare)).status, 401, 'neither bearer nor signature')
  const signedLevel = await ask('GET', address.replace('master.m3u8', 'media_v180p.m3u8'))
  t.equal(signedLevel.status, 200)
  // 6. Its segments: with the bearer token only, and with the signature only.
  const [segment = ''] = addressesIn(level.text)
  t.equal((await ask('GET', `/hls/${job}/${segment.replace(/\?.*/, '')}`, { token })).status, 200)
  t.equal((await ask('GET', `/hls/${job}/${segment}`)).status, 200)
  // 7. Afterwards a segment exists, and another start returns the same job.
  const after = await ask('GET', `/api/v1/transcode/${job}/status`, { token })
  t.match(after.json, { segments: 1, status: 'completed', progress: 100 })
  const again = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token, headers })
  t.match(again.json, { job_id: job, reused: true })
})

void t.test('segments answer ranges and conditions (RG-01, RG-03, RG-05, RG-07)', async (t) => {
  const path = `/hls/${jobId}/seg-v360p-00003.ts${query}`
  const whole = await ask('GET', path)
  const size = Number(whole.headers.get('content-length'))
  const part = await ask('GET', path, { headers: { range: 'bytes=-188' } })
  t.equal(part.status, 206)
  t.equal(part.headers.get('content-range'), `bytes ${size - 188}-${size - 1}/${size}`)
  t.equal((await ask('GET', path, { headers: { range: `bytes=${size}-` } })).status, 416)
  t.equal((await ask('GET', path, { headers: { range: 'bytes=abc' } })).status, 200)
  const since = { 'if-modified-since': whole.headers.get('last-modified') ?? '' }
  t.equal((await ask('GET', path, { headers: since })).status, 304)
  const old = { range: 'bytes=0-9', 'if-range': new Date(0).toUTCString() }
  t.equal((await ask('GET', path, { headers: old })).status, 200)
  const head = await ask('HEAD', path, { headers: { range: 'bytes=0-9' } })
  t.equal(head.status, 200)
  t.equal(Number(head.headers.get('content-length')), size)
})

void t.test(
  'names of any other form, and segments after the last, are 404 with a signature and refused without; nothing is encoded (SU-05, SU-06)',
  async (t) => {
    const { jobId, query, directory } = await start('A film', 'mobile-low')
    const hostile = [
      'seg-v720P-00001.ts',
      'seg-v-00001.ts',
      'seg-v360p-1.ts',
      'seg-v360p-000001.ts',
      'seg-v360p-00004.ts',
      'seg-v360p-99999.ts',
      'seg-voriginal-00004.ts',
      'seg-v720p-00000.ts',
      'seg-va1-00000.ts',
      'media_v720p.m3u8',
      '..%2fmaster.m3u8',
      '..%2f..%2f..%2fconfig.toml',
      'master.m3u8%00.ts',
      '.part',
      'job.json',
    ]
    const before = (await readdir(directory)).toSorted()
    for (const name of hostile) {
      t.equal((await ask('GET', `/hls/${jobId}/${name}${query}`)).status, 404, name)
      t.equal((await ask('GET', `/hls/${jobId}/${name}`)).status, 401, `${name} unsigned`)
    }
    t.equal((await ask('GET', `/hls/${jobId}/media_v360p.m3u8/${query}`)).status, 404)
    t.strictSame((await readdir(directory)).toSorted(), before)
  },
)

/** A job of a release without renditions ladders: one rendition, whose files have no id in their names. */
async function legacyJob() {
  const plan = await readStreamPlan(directory)
  const rendition = plan?.renditions.find(({ id }) => id === '240p')
  if (plan === undefined || rendition === undefined) throw new Error('the job has no such rendition')
  const id = randomUUID()
  const folder = jobDirectory(services.config, id)
  const mediaItemId = idOf('A film')
  const createdAt = services.clock.now()
  await insertTranscodeJob(services.db, {
    id,
    mediaItemId,
    profile: 'generic',
    status: 'running',
    variants: null,
    createdAt,
  })
  await mkdir(folder, { recursive: true })
  await writeStreamPlan(folder, { ...plan, renditions: [rendition] })
  await writeFile(join(folder, 'media_0.m3u8'), mediaPlaylist(plan, rendition, { id: null }))
  await writeFile(join(folder, 'master.m3u8'), '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=700000\nmedia_0.m3u8\n')
  return { id, rendition }
}

void t.test(
  'a job without a ladder is served under names without ids, and names of the other kind are 404 (SU-07)',
  async (t) => {
    const { id } = await legacyJob()
    const master = await ask('GET', `/hls/${id}/master.m3u8`, { token })
    const [media = ''] = addressesIn(master.text)
    t.match(media, /^media_0\.m3u8\?exp=/)
    const list = await ask('GET', `/hls/${id}/${media}`)
    const [segment = ''] = addressesIn(list.text)
    t.match(segment, /^seg-00000\.ts\?exp=/)
    t.equal((await ask('GET', `/hls/${id}/${segment}`)).status, 200)
    const status = await ask('GET', `/api/v1/transcode/${id}/status`, { token })
    t.match(status.json, { variants: null, playlist_ready: true, segments: 1 })
    for (const name of ['seg-v240p-00000.ts', 'media_v240p.m3u8', 'seg-voriginal-00000.ts']) {
      t.equal((await ask('GET', `/hls/${id}/${name}`, { token })).status, 404, `${name} of a job without a ladder`)
    }
    for (const name of ['seg-00000.ts', 'media_0.m3u8']) {
      t.equal((await ask('GET', `/hls/${jobId}/${name}${query}`)).status, 404, `${name} of a job with a ladder`)
    }
  },
)

void t.test('a signature is good for its own job, kind of file and time only (SU-01 to SU-04)', async (t) => {
  const other = await start('Another')
  const item = idOf('A film')
  const refused = [
    `/hls/${other.jobId}/master.m3u8${query}`,
    `/hls/${jobId}/master.m3u8${other.query}`,
    `/hls/${jobId.slice(0, -1)}/master.m3u8${query}`,
    `/hls/${jobId}x/master.m3u8${query}`,
    `/hls/${other.jobId}%2f..%2f${jobId}/master.m3u8${query}`,
    `/media/${item}/stream${query}`,
    `/dash/${jobId}/manifest${query}`,
    `/hls/${jobId}/master.m3u8${query.replace(/exp=(\d+)/, (_, exp: string) => `exp=${Number(exp) + 1}`)}`,
    `/hls/${jobId}/master.m3u8${query}&${query.slice(1)}`,
    `/hls/${jobId}/master.m3u8${query.slice(0, -1)}`,
    `/hls/${jobId}/master.m3u8${query}A`,
    `/hls/${jobId}/master.m3u8${services.signer.signUrl(`/media/${item}/stream`).replace(/^[^?]*/, '')}`,
  ]
  for (const path of refused) {
    t.match(await ask('GET', path), { status: 403, json: { code: 'signature.invalid' } }, path)
  }
  const resource = `/hls/${jobId}/`
  const past = services.signer.sign(resource, -1)
  const late = await ask('GET', `${resource}master.m3u8?exp=${past.exp}&sig=${past.sig}`)
  t.match(late, { status: 403, json: { code: 'signature.expired' } })
})

void t.test('a signed URL of a disabled user ends with the account, as the bearer token does (SU-12)', async (t) => {
  const input = { username: 'leaver', email: 'leaver@example.test', password: 'correct horse', isAdmin: false }
  const token = await server.signIn((await createAccount(services, input)).id)
  const { json } = await ask('POST', `/api/v1/media/${idOf('A film')}/transcode`, { token })
  const address = String(pick(json, 'master_url'))
  t.equal((await ask('GET', address)).status, 200)
  await disableAccount(services, { usernameOrEmail: 'leaver' })
  t.match(await ask('GET', address), { status: 403, json: { code: 'signature.invalid' } })
  t.equal((await ask('GET', `/hls/${jobId}/master.m3u8`, { token })).status, 401)
})

void t.test('the pointer names the signed master playlist', async (t) => {
  const { status, json } = await ask('GET', `/hls/${jobId}/playlist${query}`)
  t.equal(status, 200)
  t.equal((await fetch(`${baseUrl}${String(pick(json, 'playlist_url'))}`)).status, 200)
  const unknown = await ask('GET', '/hls/00000000-0000-4000-8000-000000000000/playlist', { token })
  t.match(unknown, { status: 404, json: { code: 'transcode_job_not_found' } })
})

void t.test('DASH has a pointer, and nothing behind it', async (t) => {
  const pointer = await ask('GET', `/dash/${jobId}/manifest`, { token })
  t.equal(pointer.status, 200)
  const address = String(pick(pointer.json, 'manifest_url'))
  t.match(address, new RegExp(`^/dash/${jobId}/manifest\\.mpd\\?exp=`))
  t.match(await ask('GET', address), { status: 404, json: { code: 'dash_not_produced' } })
  t.equal((await ask('HEAD', address)).status, 404)
  for (const file of ['manifest.mpd', 'anything']) {
    t.match(await ask('GET', `/dash/${jobId}/${file}`, { token }), { status: 404, json: { code: 'dash_not_produced' } })
    t.equal((await ask('GET', `/dash/${jobId}/${file}`)).status, 401)
  }
  t.equal((await ask('GET', `/dash/${jobId}/manifest`)).status, 401)
  const unknown = await ask('GET', '/dash/00000000-0000-4000-8000-000000000000/manifest', { token })
  t.match(unknown, { status: 404, json: { code: 'transcode_job_not_found' } })
})

void t.test('a job whose files were removed is gone', async (t) => {
  const { jobId, query, directory } = await start('A film', 'tv-4k')
  await rm(directory, { recursive: true })
  t.match(await ask('GET', `/hls/${jobId}/master.m3u8${query}`), {
    status: 404,
    json: { code: 'stream_file_not_found' },
  })
  t.match(await ask('GET', `/hls/${jobId}/seg-v360p-00000.ts${query}`), {
    status: 404,
    json: { code: 'transcode_job_not_found' },
  })
})

void t.test('a job directory that became a link out of the cache is not followed (SU-08)', async (t) => {
  const { jobId, query, directory } = await start('Another', 'tv-4k')
  const outside = join(services.config.dataDirectory, 'outside')
  await rm(directory, { recursive: true })
  await symlink('/etc', outside)
  await symlink(outside, directory)
  t.equal((await ask('GET', `/hls/${jobId}/master.m3u8${query}`)).status, 404)
  await rm(directory)
  await symlink(services.config.dataDirectory, directory)
  await symlink('/etc/hostname', join(services.config.dataDirectory, 'master.m3u8'))
  const { status, text } = await ask('GET', `/hls/${jobId}/master.m3u8${query}`)
  t.equal(status, 403)
  t.notOk(text.includes((await readFile('/etc/hostname', 'utf8')).trim()))
})

void t.test('a busy encoder and a full disk are 503 with Retry-After, and are not cached', async (t) => {
  const options = { ...services.config.options, 'hls.min_disk_space_bytes': Number.MAX_SAFE_INTEGER }
  const cases = [
    { segments: new SegmentServer(services, { wantedSegments: 0 }), code: 'segment_busy', seconds: '2' },
    {
      segments: new SegmentServer({ ...services, config: { ...services.config, options } }),
      code: 'disk_space_low',
      seconds: '3',
    },
  ]
  for (const { segments, code, seconds } of cases) {
    const openSegment: typeof services.openSegment = (request, signal) => segments.open(request, signal)
    const { ask } = await startApp(t, { services: { ...services, openSegment } })
    const reply = await ask('GET', `/hls/${jobId}/seg-v240p-00002.ts${query}`)
    t.match(reply, { status: 503, json: { code } })
    t.equal(reply.headers.get('cache-control'), 'no-store')
    t.equal(reply.headers.get('retry-after'), seconds)
  }
})
