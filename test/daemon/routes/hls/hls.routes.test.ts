import { once } from 'node:events'
import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { SegmentServer } from '../../../../src/core/streaming/segment-server.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

async function setUp(t: Test) {
  const server = await startApp(t)
  const films = { 'A film (1999).mkv': 'film-mkv', 'Another (2001).mp4': 'film-tiny-mp4' } as const
  const { items } = await scanFilms(t, server.services, films)
  const { token } = await server.registerUser()
  const start = async (name: string) => {
    const id = items.find((item) => item.name === name)?.id ?? ''
    const { json } = await server.ask('POST', `/api/v1/media/${id}/transcode`, { token })
    const url = String(pick(json, 'master_url'))
    return { jobId: String(pick(json, 'job_id')), master: url, query: url.slice(url.indexOf('?')) }
  }
  const job = await start('A film')
  const directory = join(server.services.config.dataDirectory, 'cache', 'transcodes', job.jobId)
  return { ...server, token, start, ...job, directory }
}

const addressesIn = (playlist: string) => playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

void t.test('one signature on the master opens everything below it, as a player resolves it (SU-09)', async (t) => {
  const { ask, jobId, master } = await setUp(t)
  const first = await ask('GET', master)
  t.equal(first.status, 200)
  t.equal(first.headers.get('content-type'), 'application/vnd.apple.mpegurl')
  t.equal(first.headers.get('cache-control'), 'no-cache')
  const [media = ''] = addressesIn(first.text)
  const second = await ask('GET', `/hls/${jobId}/${media}`)
  t.equal(second.status, 200)
  const segments = addressesIn(second.text)
  t.equal(segments.length, 4)
  const third = await ask('GET', `/hls/${jobId}/${segments[3] ?? ''}`)
  t.equal(third.status, 200)
  t.equal(third.headers.get('content-type'), 'video/mp2t')
  t.match(third.headers.get('cache-control'), /immutable/)
  t.equal(Number(third.headers.get('content-length')) % 188, 0)
})

void t.test('a playlist hands on the signature that it was asked with, and is the same bytes each time', async (t) => {
  const { ask, jobId, query } = await setUp(t)
  for (const file of ['master.m3u8', 'media_v360p.m3u8']) {
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
  const { ask, jobId, token } = await setUp(t)
  const { status, text } = await ask('GET', `/hls/${jobId}/media_v360p.m3u8`, { token })
  t.equal(status, 200)
  const [segment = ''] = addressesIn(text)
  t.match(segment, /^seg-v360p-00000\.ts\?exp=\d+&sig=[\w-]{43}$/)
  t.equal((await ask('GET', `/hls/${jobId}/${segment}`)).status, 200)
  t.equal((await ask('GET', `/hls/${jobId}/seg-v360p-00000.ts`, { token })).status, 200)
})

void t.test('segments answer ranges and conditions', async (t) => {
  const { ask, jobId, query } = await setUp(t)
  const path = `/hls/${jobId}/seg-v360p-00003.ts${query}`
  const whole = await ask('GET', path)
  const size = Number(whole.headers.get('content-length'))
  const part = await ask('GET', path, { headers: { range: 'bytes=-188' } })
  t.equal(part.status, 206)
  t.equal(part.headers.get('content-range'), `bytes ${size - 188}-${size - 1}/${size}`)
  t.equal((await ask('GET', path, { headers: { range: `bytes=${size}-` } })).status, 416)
  const since = { 'if-modified-since': whole.headers.get('last-modified') ?? '' }
  t.equal((await ask('GET', path, { headers: since })).status, 304)
  const head = await ask('HEAD', path)
  t.equal(head.status, 200)
  t.equal(Number(head.headers.get('content-length')), size)
})

void t.test(
  'names of any other form are 404 with a signature and refused without, and nothing is encoded',
  async (t) => {
    const { ask, jobId, query, directory } = await setUp(t)
    const hostile = [
      'seg-v720P-00001.ts',
      'seg-v-00001.ts',
      'seg-v360p-1.ts',
      'seg-v360p-000001.ts',
      'seg-v360p-00004.ts',
      'seg-v360p-99999.ts',
      'seg-v720p-00000.ts',
      'seg-00000.ts',
      'media_0.m3u8',
      'media_v720p.m3u8',
      '..%2fmaster.m3u8',
      '..%2f..%2f..%2fconfig.toml',
      'master.m3u8%00.ts',
      '.part',
      'job.json',
    ]
    for (const name of hostile) {
      t.equal((await ask('GET', `/hls/${jobId}/${name}${query}`)).status, 404, name)
      t.equal((await ask('GET', `/hls/${jobId}/${name}`)).status, 401, `${name} unsigned`)
    }
    t.equal((await ask('GET', `/hls/${jobId}/media_v360p.m3u8/${query}`)).status, 404)
    t.strictSame((await readdir(directory)).toSorted(), ['job.json', 'master.m3u8', 'media_v360p.m3u8'])
  },
)

void t.test('a signature is good for its own job only (SU-01, SU-02)', async (t) => {
  const { ask, start, jobId, query } = await setUp(t)
  const other = await start('Another')
  t.equal((await ask('GET', `/hls/${other.jobId}/master.m3u8${query}`)).status, 403)
  t.equal((await ask('GET', `/hls/${jobId}/master.m3u8${other.query}`)).status, 403)
  t.equal((await ask('GET', `/hls/${jobId.slice(0, -1)}/master.m3u8${query}`)).status, 403)
  t.equal((await ask('GET', `/hls/${jobId}x/master.m3u8${query}`)).status, 403)
  t.equal((await ask('GET', `/hls/${other.jobId}%2f..%2f${jobId}/master.m3u8${query}`)).status, 403)
  t.equal((await ask('GET', `/media/${jobId}/stream${query}`)).status, 403)
  t.equal((await ask('GET', `/dash/${jobId}/manifest${query}`)).status, 403)
  t.match(
    await ask(
      'GET',
      `/hls/${jobId}/master.m3u8${query.replace(/sig=./, (start) => (start === 'sig=A' ? 'sig=B' : 'sig=A'))}`,
    ),
    {
      status: 403,
      json: { code: 'signature.invalid' },
    },
  )
})

void t.test('the pointer names the signed master playlist', async (t) => {
  const { ask, baseUrl, jobId, query, token } = await setUp(t)
  const { status, json } = await ask('GET', `/hls/${jobId}/playlist${query}`)
  t.equal(status, 200)
  t.equal((await fetch(`${baseUrl}${String(pick(json, 'playlist_url'))}`)).status, 200)
  const unknown = await ask('GET', '/hls/00000000-0000-4000-8000-000000000000/playlist', { token })
  t.match(unknown, { status: 404, json: { code: 'transcode_job_not_found' } })
})

void t.test('DASH is not there', async (t) => {
  const { ask, jobId, token } = await setUp(t)
  for (const file of ['manifest', 'manifest.mpd', 'anything']) {
    t.match(await ask('GET', `/dash/${jobId}/${file}`, { token }), { status: 404, json: { code: 'dash_not_produced' } })
    t.equal((await ask('GET', `/dash/${jobId}/${file}`)).status, 401)
  }
})

void t.test('a job whose item was removed is gone', async (t) => {
  const { ask, jobId, query, directory } = await setUp(t)
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
  const { ask, jobId, query, directory, services } = await setUp(t)
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

void t.test('a full house is 503 with the time to wait, and no cache keeps that', async (t) => {
  const { services, jobId, query } = await setUp(t)
  const segments = new SegmentServer(services, { wantedSegments: 0 })
  const { ask } = await startApp(t, { services: { ...services, segments } })
  const reply = await ask('GET', `/hls/${jobId}/seg-v360p-00000.ts${query}`)
  t.match(reply, { status: 503, json: { code: 'segment_busy' } })
  t.equal(reply.headers.get('cache-control'), 'no-store')
  t.equal(reply.headers.get('retry-after'), '2')
})

void t.test('a full disk is 503 with the time to wait, and no cache keeps that', async (t) => {
  const { services, jobId, query } = await setUp(t)
  const options = { ...services.config.options, 'hls.min_disk_space_bytes': Number.MAX_SAFE_INTEGER }
  const segments = new SegmentServer({ ...services, config: { ...services.config, options } })
  const { ask } = await startApp(t, { services: { ...services, segments } })
  const reply = await ask('GET', `/hls/${jobId}/seg-v360p-00000.ts${query}`)
  t.match(reply, { status: 503, json: { code: 'disk_space_low' } })
  t.equal(reply.headers.get('cache-control'), 'no-store')
  t.equal(reply.headers.get('retry-after'), '3')
})

void t.test('a client that goes away while it waits stops the encoder', async (t) => {
  const { services, jobId, query } = await setUp(t)
  const began = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const encode: MediaTools['encode'] = async (what, options) => {
    began.resolve()
    if (options.signal?.aborted === false) await once(options.signal, 'abort')
    const result = await services.mediaTools.encode(what, options)
    ended.resolve(result.outcome)
    return result
  }
  const segments = new SegmentServer({ ...services, mediaTools: { encode } }, { abandonedMilliseconds: 0 })
  const { baseUrl, ask } = await startApp(t, { services: { ...services, segments } })
  const leaver = new AbortController()
  const reply = fetch(`${baseUrl}/hls/${jobId}/seg-v360p-00000.ts${query}`, { signal: leaver.signal })
  await began.promise
  leaver.abort()
  await t.rejects(reply)
  t.equal(await ended.promise, 'aborted')
  t.equal((await ask('GET', '/healthz')).status, 200)
})
