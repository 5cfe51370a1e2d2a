import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createOutbound } from '../../../src/core/platform/outbound/index.ts'
import type { RequestedTitle } from '../../../src/core/requests/acquisition/acquirer.ts'
import { openAcquirer } from '../../../src/core/requests/acquisition/open-acquirer.ts'
import { startFakeRadarr } from '../../support/fake-radarr.ts'
import { startFakeSonarr } from '../../support/fake-sonarr.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const MOVIE: RequestedTitle = {
  type: 'movie',
  catalogId: 603,
  title: 'as the user wrote it',
  tvdbId: null,
  seasonNumber: null,
  episodeNumber: null,
}
const SERIES: RequestedTitle = { ...MOVIE, type: 'series', catalogId: 1396 }
const SEASON: RequestedTitle = { ...SERIES, seasonNumber: 2 }
const EPISODE: RequestedTitle = { ...SERIES, seasonNumber: 1, episodeNumber: 3 }
const soon = (): AbortSignal => AbortSignal.timeout(60_000)

function configFor(
  fake: { url: string; apiKey: string },
  name: 'radarr' | 'sonarr',
  more: Record<string, string> = {},
) {
  const flags = { [`acquisition.${name}.url`]: fake.url, [`acquisition.${name}.api_key`]: fake.apiKey, ...more }
  return loadConfig({ environment: {}, flags })
}

async function setUp(t: Test, name: 'radarr' | 'sonarr', more: Record<string, string> = {}) {
  const radarr = await startFakeRadarr(t)
  const sonarr = await startFakeSonarr(t)
  const outbound = createOutbound({ log })
  t.teardown(() => outbound.close())
  const config = configFor(name === 'radarr' ? radarr : sonarr, name, more)
  const acquirer = openAcquirer({ config, outbound }, name === 'radarr' ? 'movie' : 'series')
  if (acquirer === undefined) throw new Error('not configured')
  return { radarr, sonarr, acquirer, outbound }
}

void t.test('without address or key no acquirer is used', async (t) => {
  const { outbound, radarr } = await setUp(t, 'radarr')
  for (const flags of [{}, { 'acquisition.radarr.url': radarr.url }, { 'acquisition.radarr.api_key': 'k' }]) {
    t.equal(openAcquirer({ config: loadConfig({ environment: {}, flags }), outbound }, 'movie'), undefined)
  }
})

void t.test(
  'a movie is added to Radarr with the first profile and the first folder that it can write to',
  async (t) => {
    const { radarr, acquirer } = await setUp(t, 'radarr')
    t.strictSame(await acquirer.add(MOVIE, soon()), { tvdbId: null })
    t.match(radarr.movies, [
      {
        tmdbId: 603,
        title: 'The Matrix',
        year: 1999,
        monitored: true,
        qualityProfileId: 1,
        rootFolderPath: '/movies',
        minimumAvailability: 'released',
        addOptions: { searchForMovie: true },
      },
    ])
  },
)

void t.test('profile and folder are the configured ones, by name or number', async (t) => {
  for (const [profile, folder] of [
    ['hd-1080P', '/movies/'],
    ['4', '/movies'],
  ] as const) {
    const more = { 'acquisition.radarr.quality_profile': profile, 'acquisition.radarr.root_folder': folder }
    const { radarr, acquirer } = await setUp(t, 'radarr', more)
    await acquirer.add(MOVIE, soon())
    t.match(radarr.movies, [{ qualityProfileId: 4, rootFolderPath: '/movies' }])
  }
  for (const [option, value] of [
    ['quality_profile', 'Ultra'],
    ['root_folder', '/films'],
  ] as const) {
    const { radarr, acquirer } = await setUp(t, 'radarr', { [`acquisition.radarr.${option}`]: value })
    await t.rejects(acquirer.add(MOVIE, soon()), { message: new RegExp(`${value}\\.$`) })
    t.strictSame(radarr.movies, [])
  }
})

void t.test('a movie that Radarr has is accepted; an unmonitored one is monitored again', async (t) => {
  const { radarr, acquirer } = await setUp(t, 'radarr')
  radarr.has(603)
  radarr.has(604, { monitored: false })
  radarr.has(62, { monitored: false, hasFile: true })
  for (const catalogId of [603, 604, 62]) await acquirer.add({ ...MOVIE, catalogId }, soon())
  t.strictSame(
    radarr.movies.map(({ monitored }) => monitored),
    [true, true, false],
    'a movie with a file needs no monitoring',
  )
  t.strictSame(radarr.searches, [{ name: 'MoviesSearch', movieIds: [2] }])
  t.notOk(radarr.calls.includes('POST /movie'))
})

void t.test('a movie that is added concurrently is accepted', async (t) => {
  const { radarr, acquirer } = await setUp(t, 'radarr')
  radarr.beforeAnswer = ({ method, path }) => {
    if (method === 'POST' && path === '/movie' && radarr.movies.length === 0) radarr.has(603)
  }
  await acquirer.add(MOVIE, soon())
  t.equal(radarr.movies.length, 1)
})

void t.test('a movie that Radarr does not know or accept is an error with the reason, without the key', async (t) => {
  const { radarr, acquirer, outbound } = await setUp(t, 'radarr')
  await t.rejects(acquirer.add({ ...MOVIE, catalogId: 999 }, soon()), {
    message: 'Radarr finds no movie with TMDB id 999.',
  })
  radarr.beforeAnswer = ({ body, method, path }) => {
    if (method === 'POST' && path === '/movie') Object.assign(body as object, { rootFolderPath: '/gone' })
  }
  await t.rejects(acquirer.add(MOVIE, soon()), {
    message: "Radarr refused and says: Root folder '/gone' does not exist",
  })
  const config = configFor({ url: radarr.url, apiKey: 'wrong' }, 'radarr')
  const stranger = openAcquirer({ config, outbound }, 'movie')
  await t.rejects(async () => stranger?.add(MOVIE, soon()), { message: 'Radarr refuses the API key.' })
  for (const [behaviour, message] of [
    ['failing', 'Radarr answered with status 500.'],
    ['rubbish', 'Radarr answered something that is not its interface.'],
    ['foreign', 'Radarr answered something that is not its interface.'],
    ['redirecting', /redirects/],
  ] as const) {
    radarr.behaviour = behaviour
    await t.rejects(acquirer.add(MOVIE, soon()), { message }, behaviour)
    await t.rejects(acquirer.isImported(MOVIE, soon()), { message }, behaviour)
  }
  radarr.behaviour = 'silent'
  await t.rejects(acquirer.add(MOVIE, AbortSignal.timeout(300)), { name: 'TimeoutError' })
})

void t.test('a movie is imported when Radarr has a file of it', async (t) => {
  const { radarr, acquirer } = await setUp(t, 'radarr')
  t.equal(await acquirer.isImported(MOVIE, soon()), false)
  const movie = radarr.has(603)
  t.equal(await acquirer.isImported(MOVIE, soon()), false)
  movie.hasFile = true
  t.equal(await acquirer.isImported(MOVIE, soon()), true)
})

void t.test('a whole series is added to Sonarr with all its seasons but the specials', async (t) => {
  const { sonarr, acquirer } = await setUp(t, 'sonarr')
  t.strictSame(await acquirer.add(SERIES, soon()), { tvdbId: 81_189 }, 'found by its TMDB number')
  t.match(sonarr.series, [{ tvdbId: 81_189, title: 'Breaking Bad', monitored: true, qualityProfileId: 6 }])
  t.strictSame(
    sonarr.series[0]?.seasons.map(({ monitored }) => monitored),
    [false, true, true],
  )
  t.match(sonarr.series[0]?.addOptions, { searchForMissingEpisodes: true, ignoreEpisodesWithFiles: true })
})

void t.test('one season is added alone, and specials when they are requested', async (t) => {
  for (const [seasonNumber, expected] of [
    [2, [false, false, true]],
    [0, [true, false, false]],
  ] as const) {
    const { sonarr, acquirer } = await setUp(t, 'sonarr')
    await acquirer.add({ ...SEASON, seasonNumber }, soon())
    t.strictSame(
      sonarr.series[0]?.seasons.map(({ monitored }) => monitored),
      expected,
    )
  }
  const { sonarr, acquirer } = await setUp(t, 'sonarr')
  await t.rejects(acquirer.add({ ...SEASON, seasonNumber: 9 }, soon()), {
    message: 'Sonarr knows no season 9 of this series.',
  })
  t.strictSame(sonarr.series, [])
})

void t.test(
  'only the requested episode of a new series is monitored and searched for, after Sonarr has refreshed the series',
  async (t) => {
    const { sonarr, acquirer } = await setUp(t, 'sonarr')
    sonarr.refreshSteps = 3
    await acquirer.add(EPISODE, soon())
    const watched = sonarr.episodes.filter(({ monitored }) => monitored)
    t.match(watched, [{ seasonNumber: 1, episodeNumber: 3 }])
    t.equal(watched.length, 1)
    t.match(sonarr.series, [{ monitored: true }])
    t.strictSame(sonarr.searches, [{ name: 'EpisodeSearch', episodeIds: [watched[0]?.id] }])
  },
)

void t.test('an unknown episode is an error, and so is an endless refresh', async (t) => {
  const { sonarr, acquirer } = await setUp(t, 'sonarr')
  await t.rejects(acquirer.add({ ...EPISODE, episodeNumber: 99 }, soon()), {
    message: 'Sonarr knows no episode 99 of season 1.',
  })
  sonarr.refreshSteps = 1_000_000
  await t.rejects(acquirer.add({ ...EPISODE, catalogId: 70_523 }, AbortSignal.timeout(1200)))
})

void t.test(
  'missing parts of a series that Sonarr has are monitored and searched for, monitored parts are unchanged',
  async (t) => {
    const { sonarr, acquirer } = await setUp(t, 'sonarr')
    const unwatched = [0, 1, 2].map((seasonNumber) => ({ seasonNumber, monitored: false }))
    const series = sonarr.has(1396, { monitored: false, seasons: unwatched })
    await acquirer.add(EPISODE, soon())
    await acquirer.add(SEASON, soon())
    await acquirer.add(SERIES, soon())
    const episodeId = sonarr.episodes.find((one) => one.seasonNumber === 1 && one.episodeNumber === 3)?.id
    t.strictSame(sonarr.searches, [
      { name: 'EpisodeSearch', episodeIds: [episodeId] },
      { name: 'SeasonSearch', seasonNumber: 2, seriesId: series.id },
      { name: 'SeriesSearch', seriesId: series.id },
    ])
    t.strictSame(
      series.seasons.map(({ monitored }) => monitored),
      [false, true, true],
    )
    const before = sonarr.calls.length
    for (const title of [EPISODE, SEASON, SERIES]) await acquirer.add(title, soon())
    t.strictSame(
      sonarr.calls.slice(before).filter((call) => !call.startsWith('GET')),
      [],
      'a repeated call sends nothing',
    )
    t.equal(sonarr.series.length, 1)
  },
)

void t.test('a series that is added concurrently is accepted', async (t) => {
  const { sonarr, acquirer } = await setUp(t, 'sonarr')
  sonarr.beforeAnswer = ({ method, path }) => {
    if (method === 'POST' && path === '/series' && sonarr.series.length === 0) sonarr.has(1396)
  }
  await acquirer.add(EPISODE, soon())
  t.equal(sonarr.series.length, 1)
})

void t.test('an older Sonarr, which interprets the TMDB id as a title, adds no wrong series', async (t) => {
  const { sonarr, acquirer } = await setUp(t, 'sonarr')
  sonarr.isOld = true
  await t.rejects(acquirer.add(SERIES, soon()), { message: 'Sonarr finds no series with TMDB id 1396.' })
  t.strictSame(sonarr.series, [])
})

void t.test('an episode, a season and a series are imported when all their files exist', async (t) => {
  const { sonarr, acquirer } = await setUp(t, 'sonarr')
  const arrived = async (): Promise<boolean[]> => [
    await acquirer.isImported(EPISODE, soon()),
    await acquirer.isImported({ ...SEASON, tvdbId: 81_189 }, soon()),
    await acquirer.isImported(SERIES, soon()),
  ]
  t.strictSame(await arrived(), [false, false, false], 'before Sonarr has the series')
  const series = sonarr.has(1396)
  t.strictSame(await arrived(), [false, false, false])
  sonarr.imports(series.id, 1, [3])
  sonarr.imports(series.id, 2, [1, 2, 3])
  t.strictSame(await arrived(), [true, false, false])
  sonarr.imports(series.id, 2, [4])
  t.strictSame(await arrived(), [true, true, false])
  sonarr.imports(series.id, 1, [1, 2])
  t.strictSame(await arrived(), [true, true, true])
})
