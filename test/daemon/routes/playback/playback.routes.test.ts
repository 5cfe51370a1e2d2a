import t, { type Test } from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import type { SampleKind } from '../../../support/media.ts'

async function setUp(t: Test, kind: SampleKind = 'film-tracks-mkv') {
  const server = await startApp(t)
  const { items } = await scanFilms(t, server.services, { 'A film (1999).mkv': kind })
  const { token } = await server.registerUser()
  const id = items[0]?.id ?? ''
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.ask('GET', `/api/v1/media/${id}/${path}`, { token, headers })
  return { ...server, id, path: items[0]?.path ?? '', token, get }
}

const NO_MARKERS = { skip_intro_start: null, skip_intro_end: null, skip_outro_start: null, skip_outro_end: null }

void t.test('playback-info previews the ladder without an address and without a job', async (t) => {
  const { get, id, services } = await setUp(t)
  const { status, json } = await get('playback-info')
  t.equal(status, 200)
  t.match(json, {
    item_id: id,
    intro_marker: null,
    outro_marker: null,
    chapters: [
      { start_seconds: 0, end_seconds: 1.5, title: 'Opening' },
      { start_seconds: 1.5, end_seconds: 4, title: 'The rest' },
    ],
    skip_button_spec: NO_MARKERS,
    quality_ladder: [{ id: '180p', width: 320, height: 180, url: null, is_original: false, is_copy: false }],
    subtitle_tracks: [],
    crossfade: { enabled: false, duration: 0, fade_out: 0, fade_in: 0 },
  })
  t.match(pick(json, 'audio_tracks'), [
    { index: 0, stream_index: 1, codec: 'aac', language: 'eng', channels: 2, title: 'Stereo', default: true },
    { index: 1, stream_index: 2, codec: 'aac', language: 'ger', channels: 2, default: false },
  ])
  const jobs = await services.segments.segment({ jobId: id, rendition: '180p', index: 0 }).catch(() => 'none')
  t.equal(jobs, 'none')
})

void t.test('the ladder follows the device profile', async (t) => {
  const { get } = await setUp(t, 'film-mkv')
  const heights = async (query: string, headers = {}) =>
    pick((await get(`playback-info${query}`, headers)).json, 'quality_ladder', 0, 'bitrate')
  t.ok(Number(await heights('?profile=mobile-low')) <= 2_000_000)
  t.equal(await heights('', { 'x-service-device-type': 'roku' }), await heights('?profile=tv-4k'))
})

void t.test('an item that could not be read has no ladder', async (t) => {
  const { get } = await setUp(t, 'empty-mp4')
  const { status, json } = await get('playback-info')
  t.equal(status, 200)
  t.match(json, { quality_ladder: null, audio_tracks: [] })
})

void t.test('playback names the file, how to get it, and its tracks', async (t) => {
  const { get, id, path, baseUrl } = await setUp(t)
  const { status, json } = await get('playback')
  t.equal(status, 200)
  t.match(json, {
    playback_info: {
      id,
      name: 'A film',
      type: 'movie',
      media_sources: [{ id: 'default', container: 'mkv', path, direct_play: true, size: Number, streams: Array }],
      markers: NO_MARKERS,
      audio_tracks: [{ default: true }, { default: false }],
      subtitle_tracks: [],
    },
  })
  const url = String(pick(json, 'playback_info', 'media_sources', 0, 'stream_url'))
  t.equal((await fetch(`${baseUrl}${url}`, { method: 'HEAD' })).status, 200)
})

void t.test('direct play is off only when the client rules out the first sound codec', async (t) => {
  const { get } = await setUp(t)
  const directPlay = async (capabilities: string) => {
    const { json } = await get('playback', { 'x-phlix-client-capabilities': capabilities })
    return pick(json, 'playback_info', 'media_sources', 0, 'direct_play')
  }
  t.equal(await directPlay('{"aac":false}'), false)
  t.equal(await directPlay('{"AAC":false}'), false)
  for (const harmless of ['{"aac":true}', '{"dts":false}', '{"aac":"no"}', '{}', '[]', 'null', '{', '1']) {
    t.equal(await directPlay(harmless), true, harmless)
  }
})

void t.test('both need a user and an item', async (t) => {
  const { ask, id, token } = await setUp(t, 'film-tiny-mp4')
  for (const path of ['playback', 'playback-info']) {
    t.match(await ask('GET', `/api/v1/media/${id}/${path}`), { status: 401, json: { code: 'auth.required' } })
    const unknown = await ask('GET', `/api/v1/media/nope/${path}`, { token })
    t.match(unknown, { status: 404, json: { code: 'media_item_not_found' } })
  }
})
