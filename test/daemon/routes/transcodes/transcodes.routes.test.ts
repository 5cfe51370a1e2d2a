import t, { type Test } from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import type { SampleKind } from '../../../support/media.ts'

async function setUp(t: Test, kind: SampleKind = 'film-mkv') {
  const server = await startApp(t)
  const { items } = await scanFilms(t, server.services, { 'A film (1999).mkv': kind })
  const { token } = await server.registerUser()
  return { ...server, itemId: items[0]?.id ?? '', token }
}

void t.test('starting a film answers a job that can be played at once', async (t) => {
  const { ask, itemId, token } = await setUp(t)
  const { status, json } = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token })
  t.equal(status, 200)
  const jobId = String(pick(json, 'job_id'))
  t.match(json, {
    job_id: /^[0-9a-f-]{36}$/,
    status: 'running',
    reused: false,
    playlist_ready: true,
    segments: 0,
    progress: 0,
    subtitles: [],
    variants: [
      {
        id: '360p',
        label: '360p',
        width: 640,
        height: 360,
        bitrate: Number,
        video_bitrate: Number,
        codecs: 'avc1.640016,mp4a.40.2',
        is_original: false,
        is_copy: false,
      },
    ],
  })
  const signed = (file: string) => new RegExp(String.raw`^/hls/${jobId}/${file}\?exp=\d+&sig=[\w-]{43}$`)
  t.match(pick(json, 'master_url'), signed('master.m3u8'))
  t.equal(pick(json, 'hls_url'), pick(json, 'master_url'))
  t.match(pick(json, 'variants', 0, 'url'), signed('media_v360p.m3u8'))
  t.notOk('dash_url' in Object(json), 'no DASH address')
  const again = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token, body: {} })
  t.match(again.json, { job_id: jobId, reused: true })
})

void t.test('the status of a job has the same form', async (t) => {
  const { ask, itemId, token } = await setUp(t)
  const { json: started } = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token })
  const { status, json } = await ask('GET', `/api/v1/transcode/${String(pick(started, 'job_id'))}/status`, { token })
  t.equal(status, 200)
  const { reused: _, ...rest } = Object(started) as Record<string, unknown>
  t.strictSame(Object.keys(Object(json)).toSorted(), Object.keys(rest).toSorted())
  t.match(json, { job_id: pick(started, 'job_id'), status: 'running', playlist_ready: true })
})

void t.test('the device profile comes from the query, else from either header', async (t) => {
  const { ask, itemId, token } = await setUp(t)
  const start = async (query: string, headers: Record<string, string> = {}) =>
    pick((await ask('POST', `/api/v1/media/${itemId}/transcode${query}`, { token, headers })).json, 'job_id')
  const television = await start('?profile=tv-4k')
  t.equal(await start('', { 'x-service-device-type': 'roku' }), television)
  t.equal(await start('', { 'x-phlix-device-type': 'samsung-tizen' }), television)
  const web = await start('')
  t.not(web, television)
  t.equal(await start('?profile=web', { 'x-service-device-type': 'roku' }), web)
  t.equal(await start('?profile=nonsense'), web)
})

void t.test('what cannot be transcoded is 422 or 404 with a clear code', async (t) => {
  const { ask, token, itemId } = await setUp(t, 'empty-mp4')
  const unreadable = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token })
  t.match(unreadable, { status: 422, json: { error: 'Item cannot be transcoded', code: 'not_transcodable' } })
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nope', "' or 1=1", '..%2f..']) {
    const unknown = await ask('POST', `/api/v1/media/${encodeURI(id)}/transcode`, { token })
    t.match(unknown, { status: 404, json: { code: 'media_item_not_found' } }, id)
    const status = await ask('GET', `/api/v1/transcode/${encodeURI(id)}/status`, { token })
    t.match(status, { status: 404, json: { code: 'transcode_job_not_found' } }, id)
  }
})

void t.test('starting and asking need a user', async (t) => {
  const { ask, itemId } = await setUp(t, 'film-tiny-mp4')
  t.match(await ask('POST', `/api/v1/media/${itemId}/transcode`), { status: 401, json: { code: 'auth.required' } })
  t.match(await ask('GET', '/api/v1/transcode/x/status'), { status: 401, json: { code: 'auth.required' } })
})
