import { join } from 'node:path'
import t from 'tap'
import { pick } from '../support/app.ts'
import { waitUntil } from '../support/wait-until.ts'
import { startWebClient } from '../support/web-client.ts'

const PASSWORD = 'correct horse'

const client = await startWebClient(t)
const { folder, send, load } = client

void t.test('the first visitor registers, logs in and is shown as the signed-in user', async (t) => {
  const account = { username: 'ann', email: 'ann@example.test', password: PASSWORD }
  await client.open(t, 'sign up', [
    { ask: 'POST /auth/register', body: account, reads: ['access_token', 'refresh_token'] },
  ])
  const [signedIn] = await client.open(t, 'log in', [
    {
      ask: 'POST /auth/login',
      body: { username: 'ann', password: PASSWORD },
      reads: ['access_token', 'refresh_token'],
    },
  ])
  client.signIn(String(pick(signedIn, 'access_token')))
  await client.open(t, 'log in', [
    { ask: 'GET /auth/me', reads: ['user.id', 'user.username', 'user.email', 'user.is_admin', 'user.status'] },
  ])
})

/** Ids of the libraries of films and of series. */
const libraries: string[] = []

void t.test('libraries are created from folders and scanned while the page polls', async (t) => {
  for (const [name, type] of [
    ['Films', 'movie'],
    ['Shows', 'series'],
  ]) {
    const [created] = await client.open(t, 'libraries', [
      {
        ask: 'POST /libraries',
        body: { name, type, paths: [join(folder, name ?? '')] },
        reads: ['library_id', 'job_id', 'status', 'message'],
      },
    ])
    const id = String(pick(created, 'library_id'))
    libraries.push(id)
    await waitUntil(`${name} is scanned`, async () => {
      const { json } = await send({ ask: `GET /libraries/${id}/scan-status` })
      return pick(json, 'scan_status', 'status') === 'completed'
    })
  }
  const [filmLibrary = ''] = libraries
  await client.open(t, 'libraries', [
    {
      ask: 'GET /libraries',
      reads: [
        'libraries.id',
        'libraries.name',
        'libraries.type',
        'libraries.paths',
        'libraries.item_count',
        'libraries.options',
        'libraries.display_order',
        'libraries.auto_collections',
      ],
    },
    { ask: `GET /libraries/${filmLibrary}/scan-history`, reads: ['history.id', 'history.status'] },
    { ask: `GET /admin/libraries/${filmLibrary}/duplicates`, reads: ['groups'] },
  ])
})

let [heat, ran] = ['', '']

void t.test('the page of a library has its index and its posters', async (t) => {
  const [filmLibrary = ''] = libraries
  const [, , films] = await client.open(t, 'library', [
    { ask: `GET /media/facets?libraryId=${filmLibrary}`, reads: ['genres'] },
    {
      ask: `GET /media/index?libraryId=${filmLibrary}&topLevel=1&field=name&order=asc`,
      reads: ['field', 'buckets.key', 'buckets.label', 'buckets.offset', 'buckets.count', 'total'],
    },
    {
      ask: `GET /media?libraryId=${filmLibrary}&topLevel=1&sort=name&order=asc&limit=50&offset=0`,
      reads: [
        'items.id',
        'items.name',
        'items.type',
        'items.poster_url',
        'items.year',
        'items.runtime',
        'items.genres',
        'total',
      ],
    },
  ])
  const [first, second] = pick(films, 'items') as { id: string; name: string; poster_url: string | null }[]
  t.strictSame([first?.name, second?.name], ['Heat', 'Ran'])
  const poster = await load(first?.poster_url)
  t.match([poster.status, poster.headers.get('content-type')], [200, 'image/jpeg'], 'an element shows the poster')
  heat = String(first?.id)
  ran = String(second?.id)
})

void t.test('the page of a film has all that it shows, and its file plays', async (t) => {
  const [detail] = await client.open(t, 'detail', [
    {
      ask: `GET /media/${heat}`,
      reads: [
        'item.id',
        'item.type',
        'item.path',
        'item.stream_url',
        'item.streams.stream_type',
        'item.streams.codec',
        'item.cast',
        'item.crew',
        'item.user_data.favorite',
        'item.user_data.watched',
        'item.files.path',
        'item.external_ids',
        'item.library_id',
      ],
    },
    { ask: `GET /media/${heat}/similar`, reads: ['items'] },
    { ask: `POST /media/${heat}/favorite`, reads: ['message'] },
    { ask: `PUT /media/${heat}/rating`, body: { rating: 8 }, reads: ['message'] },
  ])
  const bytes = await load(pick(detail, 'item', 'stream_url'), 'bytes=0-99')
  t.match([bytes.status, (await bytes.arrayBuffer()).byteLength], [206, 100], 'a player element plays the file')
})

let session = ''

void t.test('the player streams, shows subtitles and reports the place', async (t) => {
  const [, started] = await client.open(t, 'player', [
    {
      ask: `GET /media/${ran}/playback-info`,
      reads: [
        'item_id',
        'intro_marker',
        'outro_marker',
        'chapters',
        'skip_button_spec',
        'audio_tracks.index',
        'subtitle_tracks.url',
        'quality_ladder',
      ],
    },
    {
      ask: `POST /media/${ran}/transcode`,
      body: {},
      reads: [
        'job_id',
        'master_url',
        'status',
        'reused',
        'subtitles.index',
        'subtitles.language',
        'subtitles.label',
        'subtitles.url',
        'variants',
      ],
    },
  ])
  await client.open(t, 'player', [
    {
      ask: `GET /transcode/${String(pick(started, 'job_id'))}/status`,
      reads: ['job_id', 'status', 'playlist_ready', 'progress', 'master_url'],
    },
  ])
  const master = await load(pick(started, 'master_url'))
  t.match(await master.text(), /^#EXTM3U\n/)
  t.match(await (await load(pick(started, 'subtitles', 0, 'url'))).text(), /^WEBVTT/)
  const [made] = await client.open(t, 'player', [
    { ask: 'POST /sessions', body: { device_id: 'browser' }, reads: ['session_id'] },
  ])
  const place = { media_item_id: ran, position_ticks: 50_000_000, duration_ticks: 100_000_000, is_paused: false }
  session = String(pick(made, 'session_id'))
  await client.open(t, 'player', [{ ask: `POST /sessions/${session}/progress`, body: place, reads: ['message'] }])
})

void t.test('the pages of a series and of its seasons list existing and missing episodes', async (t) => {
  const [, showLibrary = ''] = libraries
  const [, , series] = await client.open(t, 'series', [
    { ask: `GET /media/facets?libraryId=${showLibrary}`, reads: ['genres'] },
    { ask: `GET /media/index?libraryId=${showLibrary}&topLevel=1&field=name`, reads: ['buckets.key'] },
    {
      ask: `GET /media?libraryId=${showLibrary}&topLevel=1&limit=50&offset=0`,
      reads: ['items.id', 'items.name', 'total'],
    },
  ])
  const seriesId = String(pick(series, 'items', 0, 'id'))
  const [, seasons] = await client.open(t, 'series', [
    { ask: `GET /media/${seriesId}`, reads: ['item.id', 'item.name', 'item.user_data'] },
    { ask: `GET /media?parentId=${seriesId}&limit=100`, reads: ['items.id', 'items.season_number'] },
    { ask: `GET /media/${seriesId}/missing-episodes`, reads: ['missing_episodes.episode_number'] },
  ])
  const [episodes] = await client.open(t, 'season', [
    {
      ask: `GET /media?parentId=${String(pick(seasons, 'items', 0, 'id'))}&limit=100`,
      reads: ['items.id', 'items.episode_number', 'items.season_number'],
    },
  ])
  await client.open(t, 'season', [
    { ask: `POST /media/${String(pick(episodes, 'items', 0, 'id'))}/watched`, reads: ['message'] },
  ])
})

void t.test('home, history, search and settings show playback and user data', async (t) => {
  await client.open(t, 'home', [
    { ask: 'GET /libraries', reads: ['libraries.id'] },
    {
      ask: 'GET /users/me/continue-watching',
      reads: ['items.id', 'items.media_item_id', 'items.position_ticks', 'items.duration_ticks', 'items.metadata'],
    },
    { ask: 'GET /users/me/next-up?limit=20', reads: ['items.id', 'items.series_id', 'items.series_name'] },
    { ask: 'GET /media/most-watched?limit=20', reads: ['items'] },
    { ask: 'GET /me/recommendations?limit=20', reads: ['recommendations'] },
    { ask: 'GET /users/me/favorites?limit=20&offset=0', reads: ['items.id', 'limit', 'offset'] },
    { ask: 'GET /themes', reads: ['themes'] },
    { ask: 'GET /health/relay', reads: ['data.relay.connected', 'data.hub.isEnrolled'] },
    { ask: 'GET /health/network', reads: ['data.status', 'data.latencyMs', 'data.measuredAt'] },
  ])
  await client.open(t, 'player', [
    {
      ask: `POST /sessions/${session}/complete`,
      body: { media_item_id: ran, reached_end: true },
      reads: ['message', 'reached_end'],
    },
  ])
  await client.open(t, 'history', [
    { ask: 'GET /me/history', reads: ['items.id', 'items.progress', 'items.updated_at', 'items.media.name'] },
    {
      ask: 'GET /users/me/recently-watched',
      reads: ['items.media_item_id', 'items.playback_status', 'items.progress_percent'],
    },
  ])
  await client.open(t, 'search', [{ ask: 'GET /media/search?q=heat', reads: ['items.id', 'query', 'total'] }])
  await client.open(t, 'requests', [{ ask: 'GET /me/requests', reads: ['requests'] }])
  await client.open(t, 'settings', [{ ask: 'GET /me/webauthn/credentials', reads: ['credentials'] }])
})

void t.test('the pages of administrators have their fields', async (t) => {
  await client.open(t, 'dashboard', [
    { ask: 'GET /admin/dashboard/now-playing', reads: ['success', 'data'] },
    { ask: 'GET /admin/dashboard/top-users?limit=5&days=30', reads: ['success', 'data'] },
    { ask: 'GET /admin/dashboard/top-media?limit=5&days=30', reads: ['success', 'data'] },
    { ask: 'GET /admin/dashboard/storage', reads: ['success', 'data'] },
    { ask: 'GET /admin/dashboard/activity?limit=20', reads: ['success', 'data'] },
  ])
  await client.open(t, 'administration', [
    { ask: 'GET /admin/users', reads: ['users.id', 'users.username', 'users.email', 'users.is_admin', 'users.status'] },
    {
      ask: 'GET /admin/settings',
      reads: ['data.settings', 'data.overridden', 'data.types', 'data.meta', 'data.secretStatus'],
    },
    { ask: 'GET /admin/webhooks', reads: ['webhooks'] },
    { ask: 'GET /admin/requests', reads: ['requests'] },
    { ask: 'GET /admin/logs', reads: ['files'] },
    {
      ask: `GET /admin/fs/browse?path=${encodeURIComponent(folder)}`,
      reads: ['data.path', 'data.entries.name', 'data.entries.path'],
    },
    { ask: 'GET /collections', reads: ['collections'] },
    { ask: 'GET /admin/metadata/sources', reads: ['sources'] },
  ])
})
