import { basename } from 'node:path'
import t from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

const server = await startApp(t)
const { ask, baseUrl, services } = server
const { items } = await scanFilms(t, services, {
  'A film (1999).mkv': 'film-tracks-mkv',
  'Long (2000).mkv': 'film-mkv',
  'Empty (2002).mp4': 'empty-mp4',
})
const { token } = await server.registerUser()
const itemOf = (name: string) => items.find((item) => item.name === name)
const id = itemOf('A film')?.id ?? ''

const get = (path: string, headers: Record<string, string> = {}, name = 'A film') =>
  ask('GET', `/api/v1/media/${itemOf(name)?.id ?? ''}/${path}`, { token, headers })

const NO_MARKERS = { skip_intro_start: null, skip_intro_end: null, skip_outro_start: null, skip_outro_end: null }

const SUBTITLE = {
  index: 0,
  stream_index: 3,
  language: 'en',
  codec: 'subrip',
  source: 'embedded',
  hearing_impaired: false,
  url: /^\/api\/v1\/media\/[0-9a-f-]{36}\/subtitles\/0\?exp=\d+&sig=[\w-]{88}$/,
}

void t.test('playback-info previews the renditions without URLs and without a job', async (t) => {
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
    storyboard_url: null,
    max_kbps: null,
    file_kbps: Number,
    resume_position_ticks: 0,
    quality_ladder: [
      { id: 'original', width: 320, height: 180, url: null, is_original: true, is_copy: true },
      { id: '180p', width: 320, height: 180, url: null, is_original: false, is_copy: false },
    ],
    subtitle_tracks: [SUBTITLE],
    crossfade: { enabled: false, duration: 0, fade_out: 0, fade_in: 0 },
  })
  t.match(pick(json, 'audio_tracks'), [
    { index: 0, stream_index: 1, codec: 'aac', language: 'en', channels: 2, title: 'Stereo', default: true },
    { index: 1, stream_index: 2, codec: 'aac', language: 'de', channels: 2, default: false },
  ])
  const jobs = await services.segments.segment({ jobId: id, rendition: '180p', index: 0 }).catch(() => 'none')
  t.equal(jobs, 'none')
})

void t.test('playback-info has the position at which the viewer can go on', async (t) => {
  const { json } = await ask('POST', '/api/v1/sessions', { token, body: {} })
  const session = `/api/v1/sessions/${String(pick(json, 'session_id'))}`
  const position = async () => pick((await get('playback-info')).json, 'resume_position_ticks')
  const report = async (ticks: number) => {
    const body = { media_item_id: id, position_ticks: ticks, duration_ticks: 40_000_000 }
    t.equal((await ask('POST', `${session}/progress`, { token, body })).status, 200)
    return position()
  }
  t.equal(await report(12_000_000), 12_000_000)
  t.equal(await report(37_000_000), 37_000_000, 'it counts as watched, and can be continued')
  t.equal(await report(38_000_000), 0, 'the credits')
  t.equal(await report(12_000_000), 12_000_000)
  await ask('POST', `${session}/complete`, { token, body: { media_item_id: id } })
  t.equal(await position(), 0, 'after its end')
})

void t.test('the preview equals the renditions of the job, except for the unmeasured bit rate of a copy', async (t) => {
  const known = (rungs: unknown) =>
    (rungs as { is_copy: boolean; bitrate: number }[]).map((rung) =>
      Object.assign({}, rung, { bitrate: rung.is_copy ? null : rung.bitrate }),
    )
  for (const query of ['', '?profile=mobile-low']) {
    const preview = pick((await get(`playback-info${query}`, {}, 'Long')).json, 'quality_ladder')
    const itemId = itemOf('Long')?.id
    const { json } = await ask('POST', `/api/v1/media/${itemId}/transcode${query}`, { token })
    const variants = pick(json, 'variants') as { url: string | null }[]
    for (const variant of variants) variant.url = null
    t.strictSame(known(variants), known(preview))
    t.strictSame(pick((await get(`playback-info${query}`, {}, 'Long')).json, 'quality_ladder'), variants, 'afterwards')
  }
})

void t.test('the ladder follows the device profile', async (t) => {
  const bitrate = async (query: string, headers = {}) =>
    pick((await get(`playback-info${query}`, headers)).json, 'quality_ladder', 0, 'bitrate')
  t.ok(Number(await bitrate('?profile=mobile-low')) <= 2_000_000)
  t.equal(await bitrate('', { 'x-service-device-type': 'roku' }), await bitrate('?profile=tv-4k'))
})

void t.test('an item that could not be read has no ladder', async (t) => {
  const { status, json } = await get('playback-info', {}, 'Empty')
  t.equal(status, 200)
  t.match(json, { quality_ladder: null, audio_tracks: [] })
})

void t.test('playback names the file, how to get it, and its tracks', async (t) => {
  const { status, json } = await get('playback')
  t.equal(status, 200)
  const path = basename(itemOf('A film')?.path ?? '')
  t.match(json, {
    playback_info: {
      id,
      name: 'A film',
      type: 'movie',
      media_sources: [{ id: 'default', container: 'mkv', path, direct_play: true, size: Number, streams: Array }],
      markers: NO_MARKERS,
      audio_tracks: [{ default: true }, { default: false }],
      subtitle_tracks: [SUBTITLE],
    },
  })
  const url = String(pick(json, 'playback_info', 'media_sources', 0, 'stream_url'))
  t.equal((await fetch(`${baseUrl}${url}`, { method: 'HEAD' })).status, 200)
})

void t.test('direct play is off only when the client rules out the first sound codec', async (t) => {
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
  for (const path of ['playback', 'playback-info']) {
    t.match(await ask('GET', `/api/v1/media/${id}/${path}`), { status: 401, json: { code: 'auth.required' } })
    const unknown = await ask('GET', `/api/v1/media/nope/${path}`, { token })
    t.match(unknown, { status: 404, json: { code: 'media_item_not_found' } })
  }
})
