import { sql } from 'slonik'
import t from 'tap'
import { createLibrary } from '../../../../src/core/libraries/index.ts'
import { findLatestScan } from '../../../../src/core/scanning/index.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { startFakeRadarr } from '../../../support/fake-radarr.ts'
import { startFakeSonarr } from '../../../support/fake-sonarr.ts'
import { testServices } from '../../../support/services.ts'

const SECRET = 'a secret of sixteen: öäü'
const films = reachableDirectory(t)
const shows = reachableDirectory(t)
const radarr = await startFakeRadarr(t)
const sonarr = await startFakeSonarr(t)
const services = await testServices(t, {
  flags: {
    'acquisition.radarr.url': radarr.url,
    'acquisition.radarr.api_key': radarr.apiKey,
    'acquisition.radarr.path_map': `/movies=${films}`,
    'acquisition.sonarr.url': sonarr.url,
    'acquisition.sonarr.api_key': sonarr.apiKey,
    'acquisition.sonarr.path_map': `T:\\TV=${shows}`,
    'acquisition.webhook_secret': SECRET,
    'requests.allow_whole_series': 'on',
  },
})
const { ask, registerAdmin, registerUser } = await startApp(t, { services })
const admin = await registerAdmin()
const owner = await registerUser()

const basic = (password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`phlix:${password}`).toString('base64')}`,
})

const send = (name: string, body: unknown, headers: Record<string, string> = basic(SECRET)): Promise<Answer> =>
  ask('POST', `/api/v1/integrations/${name}/webhook`, { body, headers })

async function approved(body: object): Promise<string> {
  const answer = await ask('POST', '/api/v1/me/requests', { token: owner.token, body })
  const id = String(pick(answer.json, 'request', 'id'))
  const { status } = await ask('POST', `/api/v1/admin/requests/${id}/approve`, { token: admin.token })
  if (status !== 200) throw new Error(`approving answered ${status}`)
  return id
}

async function statusOf(id: string): Promise<unknown> {
  return pick((await ask('GET', `/api/v1/me/requests/${id}`, { token: owner.token })).json, 'request', 'status')
}

const MOVIE = { type: 'movie', catalog_id: 603, title: 'The Matrix' }

/** The webhook body of Radarr 5 for an imported file. */
const MOVIE_IMPORT = {
  eventType: 'Download',
  instanceName: 'Radarr',
  applicationUrl: '',
  movie: {
    id: 1,
    title: 'The Matrix',
    year: 1999,
    folderPath: '/movies/The Matrix (1999)',
    tmdbId: 603,
    imdbId: 'tt0133093',
    tags: [],
  },
  remoteMovie: { tmdbId: 603, imdbId: 'tt0133093', title: 'The Matrix', year: 1999 },
  movieFile: {
    id: 1,
    relativePath: 'The Matrix (1999).mkv',
    path: '/downloads/x.mkv',
    quality: 'Bluray-1080p',
    size: 9,
  },
  isUpgrade: false,
}

const SERIES = { id: 1, title: 'Breaking Bad', path: 'T:\\TV\\Breaking Bad', tvdbId: 81_189, tmdbId: 0 }

const EPISODE_IMPORT = {
  eventType: 'Download',
  series: SERIES,
  episodes: [
    { id: 5, seasonNumber: 1, episodeNumber: 2, title: 'x' },
    { id: 6, seasonNumber: 1, episodeNumber: 3, title: 'y' },
  ],
  episodeFile: { id: 1, relativePath: 'Season 01/x.mkv', path: 'T:\\TV\\Breaking Bad\\Season 01\\x.mkv' },
  isUpgrade: false,
}

void t.test(
  'a movie request changes from pending to approved to available when Radarr reports the import',
  async (t) => {
    const library = await createLibrary(services, { name: 'Films', type: 'movie', path: films })
    const id = await approved(MOVIE)
    const other = await approved({ ...MOVIE, catalog_id: 604 })
    t.equal(await statusOf(id), 'approved')
    const answer = await send('radarr', MOVIE_IMPORT)
    t.equal(answer.status, 200)
    t.strictSame(answer.json, { event: 'Download', available: 1, library_id: library.id })
    t.equal(await statusOf(id), 'available')
    t.equal(await statusOf(other), 'approved')
    const scan = await findLatestScan(services, library.id)
    t.match(scan, { type: 'scan' }, 'the library that holds the folder is scanned')
    t.match(await send('radarr', MOVIE_IMPORT), { status: 200, json: { available: 0 } }, 'told twice, it is the same')
  },
)

void t.test(
  'an episode is available when Sonarr reports it, a season or series when Sonarr has all of it',
  async (t) => {
    const library = await createLibrary(services, { name: 'Shows', type: 'series', path: shows })
    const wish = { type: 'series', catalog_id: 1396, title: 'Breaking Bad' }
    const episode = await approved({ ...wish, season: 1, episode: 3 })
    const season = await approved({ ...wish, season: 1 })
    const whole = await approved(wish)
    sonarr.imports(1, 1, [2, 3])
    const answer = await send('sonarr', EPISODE_IMPORT)
    t.strictSame(answer.json, { event: 'Download', available: 1, library_id: library.id }, 'found by its TVDB number')
    t.strictSame(
      [await statusOf(episode), await statusOf(season), await statusOf(whole)],
      ['available', 'approved', 'approved'],
    )
    sonarr.imports(1, 1, [1])
    const first = { ...EPISODE_IMPORT, episodes: [{ seasonNumber: 1, episodeNumber: 1 }] }
    t.match((await send('sonarr', first)).json, { available: 1 })
    t.strictSame([await statusOf(season), await statusOf(whole)], ['available', 'approved'])
    sonarr.imports(1, 2, [1, 2, 3, 4])
    const last = { ...first, series: { ...SERIES, tmdbId: 1396 }, episodes: [{ seasonNumber: 2, episodeNumber: 4 }] }
    t.match((await send('sonarr', last)).json, { available: 1 })
    t.equal(await statusOf(whole), 'available')
  },
)

void t.test(
  'an import is recorded even if Sonarr cannot be queried about the rest, and no library contains it',
  async (t) => {
    const wish = { type: 'series', catalog_id: 70_523, title: 'Dark' }
    const [episode, season] = [
      await approved({ ...wish, season: 1, episode: 1 }),
      await approved({ ...wish, season: 1 }),
    ]
    sonarr.behaviour = 'failing'
    const message = {
      eventType: 'Download',
      series: { ...SERIES, tvdbId: 334_824, path: `${shows}-elsewhere/Dark` },
      episodes: [{ seasonNumber: 1, episodeNumber: 1 }],
    }
    t.strictSame((await send('sonarr', message)).json, { event: 'Download', available: 1, library_id: null })
    t.strictSame([await statusOf(episode), await statusOf(season)], ['available', 'approved'])
    sonarr.behaviour = 'well'
  },
)

void t.test('Test and all other events are answered, and change nothing', async (t) => {
  const id = await approved({ ...MOVIE, catalog_id: 62 })
  const test = { eventType: 'Test', movie: { id: 1, title: 'Test Title', tmdbId: 62, folderPath: 'C:\\testpath' } }
  for (const name of ['radarr', 'sonarr']) {
    const receipt = { event: 'Test', available: 0, library_id: null }
    t.match(await send(name, test), { status: 200, json: receipt }, name)
    for (const eventType of ['Grab', 'Rename', 'MovieAdded', 'SeriesAdd', 'MovieDelete', 'Health', 'Tomorrow']) {
      t.match(await send(name, { ...MOVIE_IMPORT, eventType }), {
        status: 200,
        json: { event: eventType, available: 0 },
      })
    }
  }
  t.equal(await statusOf(id), 'approved')
})

void t.test('a path that leads out of the mapped folder names no library', async (t) => {
  const movie = { ...MOVIE_IMPORT.movie, folderPath: '/movies/../../../etc' }
  t.match((await send('radarr', { ...MOVIE_IMPORT, movie })).json, { library_id: null })
  const file = { path: '/movies/A film/x.mkv' }
  const bare = { eventType: 'Download', movie: { tmdbId: 1 }, movieFile: file }
  t.match((await send('radarr', bare)).json, { library_id: String }, 'without a folder the file’s folder is taken')
  t.match((await send('radarr', { eventType: 'Download', movie: { tmdbId: 1 } })).json, { library_id: null })
})

void t.test('a message without the secret is refused before it is read', async (t) => {
  const refused = { status: 401, json: { error: 'Unauthorized', code: 'webhook_refused' } }
  const wrong: Record<string, string>[] = [
    {},
    basic(''),
    basic(`${SECRET} `),
    basic(SECRET.toUpperCase()),
    { authorization: `Bearer ${admin.token}` },
    { authorization: 'Basic !!!' },
    { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
    { authorization: `Basic ${'A'.repeat(8000)}` },
    { 'x-webhook-secret': 'another secret' },
    { 'x-webhook-secret': '' },
  ]
  for (const headers of wrong) {
    t.match(await send('radarr', MOVIE_IMPORT, headers), refused)
    t.match(await send('sonarr', '{ not JSON', headers), refused)
  }
  const own = { 'x-webhook-secret': Buffer.from(SECRET).toString('latin1') }
  t.match(await send('radarr', { eventType: 'Test' }, { 'x-webhook-secret': 'x', ...basic(SECRET) }), refused)
  t.equal((await send('radarr', { eventType: 'Test' }, own)).status, 200)
})

void t.test('a body of another form is 400 and is not logged as a failure', async (t) => {
  const bodies: unknown[] = [
    {},
    [],
    'null',
    '5',
    { eventType: 5 },
    { eventType: 'Download' },
    { eventType: 'Download', movie: {}, series: {} },
    { eventType: 'Download', movie: { tmdbId: '603' }, series: { tvdbId: null }, episodes: [] },
    { eventType: 'Download', series: { tvdbId: 1 }, episodes: { length: 1 } },
  ]
  for (const body of bodies) {
    for (const name of ['radarr', 'sonarr']) {
      t.match(await send(name, body), { status: 400, json: { code: 'invalid_request' } }, JSON.stringify(body))
    }
  }
  for (const tmdbId of [1e300, -1, 0.5, 2 ** 53]) {
    const { status } = await send('radarr', { eventType: 'Download', movie: { tmdbId } })
    t.equal(status, 200, `no such title: ${tmdbId}`)
    const series = { tvdbId: tmdbId, tmdbId }
    t.equal((await send('sonarr', { eventType: 'Download', series, episodes: [] })).status, 200)
  }
  t.equal((await send('lidarr', { eventType: 'Test' })).status, 404)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*)::int from media_requests where status = 'pending'`), 0)
})

void t.test('without a configured secret every message is refused', async (t) => {
  const closed = await startApp(t)
  for (const headers of [{}, basic(''), basic('undefined')]) {
    const answer = await closed.ask('POST', '/api/v1/integrations/radarr/webhook', { body: {}, headers })
    t.match(answer, { status: 401, json: { code: 'webhook_refused' } })
  }
})
