import t from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

const server = await startApp(t)
const { ask } = server
const { idOf } = await scanFilms(t, server.services, {
  'A film (1999).mkv': 'film-mkv',
  'Tracks (2001).mkv': 'film-tracks-mkv',
  'Empty (2002).mp4': 'empty-mp4',
})
const { token } = await server.registerUser()
const itemId = idOf('A film')

const signed = (jobId: unknown, file: string) =>
  new RegExp(String.raw`^/hls/${String(jobId)}/${file}\?exp=\d+&sig=[\w-]{88}$`)

void t.test('starting a film returns a job that can be played at once', async (t) => {
  const { status, json } = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token })
  t.equal(status, 200)
  const jobId = pick(json, 'job_id')
  const row = { bitrate: Number, video_bitrate: Number, codecs: /^avc1\.64[0-9A-F]{4},mp4a\.40\.2$/ }
  t.match(json, {
    job_id: /^[0-9a-f-]{36}$/,
    status: 'running',
    reused: false,
    playlist_ready: true,
    segments: 0,
    progress: 0,
    subtitles: [],
    variants: [
      { ...row, id: 'original', label: 'Original (360p)', width: 640, height: 360, is_original: true, is_copy: true },
      { ...row, id: '360p', label: '360p', width: 640, height: 360, is_original: false, is_copy: false },
      { ...row, id: '240p', label: '240p', width: 426, height: 240, is_original: false, is_copy: false },
    ],
  })
  t.match(pick(json, 'master_url'), signed(jobId, 'master.m3u8'))
  t.equal(pick(json, 'hls_url'), pick(json, 'master_url'))
  t.match(pick(json, 'variants', 0, 'url'), signed(jobId, 'media_voriginal.m3u8'))
  const keys = ['bitrate', 'codecs', 'height', 'id', 'is_copy', 'is_original', 'label', 'url', 'video_bitrate', 'width']
  t.strictSame(Object.keys(Object(pick(json, 'variants', 0))).toSorted(), keys)
  t.notOk('dash_url' in Object(json), 'no DASH address')
  const again = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token, body: {} })
  t.match(again.json, { job_id: jobId, reused: true })
})

void t.test('the status of a job has the same form', async (t) => {
  const { json: started } = await ask('POST', `/api/v1/media/${itemId}/transcode`, { token })
  const { status, json } = await ask('GET', `/api/v1/transcode/${String(pick(started, 'job_id'))}/status`, { token })
  t.equal(status, 200)
  const { reused: _, ...rest } = Object(started) as Record<string, unknown>
  t.strictSame(Object.keys(Object(json)).toSorted(), Object.keys(rest).toSorted())
  t.match(json, { job_id: pick(started, 'job_id'), status: 'running', playlist_ready: true })
})

void t.test('text tracks are listed under both names, with an address inside the job', async (t) => {
  const { json } = await ask('POST', `/api/v1/media/${idOf('Tracks')}/transcode`, { token })
  const row = { index: 0, language: 'en', label: String, default: false, forced: true, hearing_impaired: false }
  t.match(pick(json, 'subtitles'), [{ ...row, url: signed(pick(json, 'job_id'), 'sub-0.vtt') }])
  t.strictSame(pick(json, 'subtitle_tracks'), pick(json, 'subtitles'))
  t.notOk(JSON.stringify(pick(json, 'variants')).includes('"a2"'), 'sound tracks are no variants')
})

void t.test('the device profile comes from the query, else from either header', async (t) => {
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
  const unreadable = await ask('POST', `/api/v1/media/${idOf('Empty')}/transcode`, { token })
  t.match(unreadable, { status: 422, json: { error: 'Item cannot be transcoded', code: 'not_transcodable' } })
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nope', "' or 1=1", '..%2f..']) {
    const unknown = await ask('POST', `/api/v1/media/${encodeURI(id)}/transcode`, { token })
    t.match(unknown, { status: 404, json: { code: 'media_item_not_found' } }, id)
    const status = await ask('GET', `/api/v1/transcode/${encodeURI(id)}/status`, { token })
    t.match(status, { status: 404, json: { code: 'transcode_job_not_found' } }, id)
  }
})

void t.test('starting and asking need a user', async (t) => {
  t.match(await ask('POST', `/api/v1/media/${itemId}/transcode`), { status: 401, json: { code: 'auth.required' } })
  t.match(await ask('GET', '/api/v1/transcode/x/status'), { status: 401, json: { code: 'auth.required' } })
})
