import { sql } from 'slonik'
import t from 'tap'
import { addFilm, addSeries, emptyLibrary, picturesOf, rowOf, runJob, tmdbFlags } from '../../../support/metadata.ts'
import { startFakeTmdb, TMDB_TOKEN, type FakeTitle, type FakeTmdb } from '../../../support/fake-tmdb.ts'
import { listScanFailures } from '../../../../src/core/scanning/index.ts'
import { PROVIDER_KEYS } from '../../../../src/core/metadata/metadata-keys.ts'
import { testServices } from '../../../support/services.ts'

const heist: FakeTitle = {
  id: 603,
  kind: 'movie',
  title: 'Amélie & the Heist',
  originalTitle: 'Le Casse',
  date: '2001-04-25',
  imdb: 'tt0211915',
  collection: { id: 86, name: 'Heist Collection' },
}

const show: FakeTitle = {
  id: 1399,
  kind: 'tv',
  title: 'The Show',
  date: '2011-04-17',
  imdb: 'tt0944947',
  tvdb: 121361,
  seasons: {
    0: [{ number: 1, name: 'Making of', airDate: '2010-12-05' }],
    1: [
      { number: 1, name: 'Winter', airDate: '2011-04-17' },
      { number: 2, name: 'The Road', airDate: '2011-04-24' },
    ],
    2: [{ number: 1, name: 'The North', airDate: '2012-04-01' }],
  },
}

/** Requests except those for the configuration. */
const asked = (fake: FakeTmdb): string[] => fake.requests.filter((request) => !request.includes('/configuration'))

void t.test('match, refresh and clear on one server', async (t) => {
  const fake = await startFakeTmdb(t, [heist, show])
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db } = services

  await t.test('a film gets all facts of the provider, in two requests', async (t) => {
    const films = await emptyLibrary(t, db, { name: 'Films' })
    const id = await addFilm(db, films, {
      name: 'amelie and the heist',
      year: 2002,
      metadata: { title: 'amelie and the heist', year: 2002, source: { width: 320 }, edition: 'Cut' },
    })
    fake.requests.length = 0
    t.match(await runJob(services, films.id, 'metadata'), {
      type: 'metadata',
      status: 'completed',
      error: null,
      itemsFound: 1,
      itemsUpdated: 1,
      itemsFailed: 0,
    })
    t.match(asked(fake), [/^GET \/search\/movie\?.*year=2002/, /^GET \/search\/movie\?/, /^GET \/movie\/603\?/])
    t.equal(fake.requests.filter((request) => request.includes('api_key')).length, 0)
    const row = await rowOf(db, id)
    t.match(row, {
      name: 'Amélie & the Heist',
      sortTitle: 'Amélie & the Heist',
      year: 2001,
      nameSource: 'provider',
      namingBefore: { name: 'amelie and the heist', year: 2002 },
      metadata: {
        title: 'amelie and the heist',
        year: 2002,
        source: { width: 320 },
        edition: 'Cut',
        original_title: 'Le Casse',
        overview: 'About Amélie & the Heist.',
        tagline: 'The tagline of Amélie & the Heist',
        release_date: '2001-04-25',
        genres: ['Drama', 'Mystery'],
        tags: ['heist'],
        rating: 'PG-13',
        vote_average: 7.5,
        vote_count: 120,
        actors: ['First Actor', 'Second Actor'],
        cast: [
          { name: 'First Actor', role: 'Hero', profile_url: 'https://image.example.test/t/p/w185/actor1.jpg' },
          { name: 'Second Actor', role: 'Friend', profile_url: null },
        ],
        crew: [{ name: 'The Director', job: 'Director' }],
        director: 'The Director',
        production_companies: [{ name: 'Studio Nine', origin_country: 'FR' }],
        studio: 'Studio Nine',
        trailer_url: 'https://www.youtube.com/watch?v=officialKey',
        trailer_key: 'officialKey',
        trailer_site: 'YouTube',
        external_ids: { tmdb: '603', imdb: 'tt0211915' },
        collection: { id: '86', name: 'Heist Collection' },
      },
    })
    t.ok(row['metadataRefreshedAt'] instanceof Date)
    t.strictSame(await picturesOf(db, id), {
      poster: 'https://image.example.test/t/p/w780/poster603.jpg',
      backdrop: 'https://image.example.test/t/p/w1280/backdrop603.jpg',
      logo: 'https://image.example.test/t/p/w500/logo603.png',
    })

    fake.requests.length = 0
    t.match(await runJob(services, films.id, 'metadata'), { status: 'completed', itemsFound: 1, itemsUpdated: 1 })
    t.strictSame(fake.requests, [], 'matched items are skipped')
  })

  await t.test('a series with its seasons and episodes costs one request each season', async (t) => {
    const shows = await emptyLibrary(t, db, { name: 'Shows', type: 'series' })
    const id = await addSeries(db, shows, {
      name: 'Show',
      year: 2011,
      seasons: { 0: [1], 1: [1, 2, 3], 2: [1], 7: [1] },
    })
    fake.requests.length = 0
    t.match(await runJob(services, shows.id, 'metadata'), { status: 'completed', itemsFound: 1, itemsUpdated: 1 })
    t.match(asked(fake), [
      /^GET \/search\/tv\?/,
      /^GET \/tv\/1399\?/,
      /^GET \/tv\/1399\/season\/0\?/,
      /^GET \/tv\/1399\/season\/1\?/,
      /^GET \/tv\/1399\/season\/2\?/,
    ])
    t.equal(asked(fake).length, 5, 'a season that the provider does not have is not requested')
    t.match(await rowOf(db, id), {
      name: 'The Show',
      sortTitle: 'Show',
      metadata: {
        air_date: '2011-04-17',
        rating: 'TV-14',
        studio: 'Network Five',
        director: 'A Creator',
        external_ids: { tmdb: '1399', imdb: 'tt0944947', tvdb: '121361' },
      },
    })
    const below = (await db.any(sql.unsafe`
      select type, season_number, episode_number, name, sort_title, episode_title, metadata->>'overview' as overview,
        metadata->>'air_date' as air_date, metadata_refreshed_at is not null as is_stamped from media_items
      where library_id = ${shows.id} and type <> 'series' order by season_number, episode_number nulls first`)) as unknown[]
    t.match(below, [
      { type: 'season', name: 'Season 0', sortTitle: 'Season 0000', overview: 'Season 0 tells more.', isStamped: true },
      { type: 'episode', name: 'Making of', episodeTitle: 'Making of', airDate: '2010-12-05', isStamped: true },
      { type: 'season', name: 'Season 1', isStamped: true },
      { type: 'episode', name: 'Winter', sortTitle: 'Winter', overview: 'About Winter.', airDate: '2011-04-17' },
      { type: 'episode', name: 'The Road', sortTitle: 'Road', episodeTitle: 'The Road' },
      { type: 'episode', name: 'Episode 3', episodeTitle: null, overview: null, isStamped: false },
      { type: 'season', name: 'Season 2' },
      { type: 'episode', name: 'The North' },
      { type: 'season', name: 'Season 7', isStamped: false },
      { type: 'episode', name: 'Episode 1', isStamped: false },
    ])
    const still = await db.oneFirst(sql.unsafe`
      select a.url from provider_artwork a join media_items i on i.id = a.media_item_id
      where i.library_id = ${shows.id} and i.name = 'Winter' and a.kind = 'still'`)
    t.equal(still, 'https://image.example.test/t/p/original/still1x1.jpg')

    show.seasons?.[1]?.push({ number: 3, name: 'Lord Snow', airDate: '2011-05-01' })
    await db.query(sql.unsafe`delete from provider_replies`)
    await runJob(services, shows.id, 'metadata')
    t.equal(
      await db.oneFirst(sql.unsafe`
        select episode_title from media_items where library_id = ${shows.id} and season_number = 1 and episode_number = 3`),
      'Lord Snow',
      'items that the provider did not know are searched again',
    )
  })

  await t.test('ids in NFO files and names match without a search; local texts are kept', async (t) => {
    const films = await emptyLibrary(t, db, { name: 'Named' })
    const byFolder = await addFilm(db, films, { name: 'Whatever', file: 'Whatever [tmdbid-603]/w.mkv' })
    const byImdb = await addFilm(db, films, { name: 'Else', file: 'Else {imdb-tt0211915}.mkv' })
    const byNfo = await addFilm(db, films, {
      name: 'My own title',
      year: 1955,
      nameSource: 'local',
      localMetadata: { title: 'My own title', overview: 'My own words.', external_ids: { tmdb: '603' } },
    })
    fake.requests.length = 0
    await runJob(services, films.id, 'metadata')
    t.strictSame(
      asked(fake).filter((request) => request.includes('/search/')),
      [],
    )
    t.equal((await rowOf(db, byFolder))['name'], 'Amélie & the Heist')
    t.equal((await rowOf(db, byImdb))['name'], 'Amélie & the Heist')
    const nfo = await rowOf(db, byNfo)
    t.match(nfo, { name: 'My own title', year: 1955, nameSource: 'local', namingBefore: null })
    t.match(nfo['localMetadata'], { overview: 'My own words.' })
    t.match(nfo['metadata'], { overview: 'About Amélie & the Heist.' })
  })

  await t.test('clear removes exactly the provider’s keys, names and pictures', async (t) => {
    const films = await emptyLibrary(t, db, { name: 'Cleared' })
    const kept = {
      title: 'amelie and the heist',
      name: 'n',
      year: 2001,
      season: 1,
      episode: 2,
      canonical_key: 'k',
      source: { width: 320 },
      duration: 100,
      streams: [{ codec: 'h264' }],
      edition: 'Cut',
    }
    const id = await addFilm(db, films, { name: 'amelie and the heist', year: 2001, metadata: kept })
    const before = await rowOf(db, id)
    await runJob(services, films.id, 'metadata')
    const given = {
      ...Object.fromEntries(PROVIDER_KEYS.map((key) => [key, 'x'])),
      tmdb_id: 1,
      alternate_titles: ['x'],
      ratings: [],
    }
    await db.query(sql.unsafe`
      update media_items set metadata = metadata || ${JSON.stringify(given)}::jsonb,
        local_metadata = ${JSON.stringify({ overview: 'local', external_ids: { imdb: 'tt7' } })}::jsonb where id = ${id}`)
    t.match(await runJob(services, films.id, 'clear_metadata'), {
      type: 'clear_metadata',
      status: 'completed',
      itemsFound: 1,
      itemsUpdated: 1,
      itemsRemoved: 0,
    })
    const after = await rowOf(db, id)
    t.strictSame(after['metadata'], kept)
    t.strictSame(after['localMetadata'], { overview: 'local', external_ids: { imdb: 'tt7' } })
    t.strictSame({ ...after, localMetadata: {} }, { ...before, localMetadata: {} }, 'all else is as it was')
    t.strictSame(await picturesOf(db, id), {})
  })

  await t.test('a file that is read again keeps its name from the provider', async (t) => {
    const shows = await emptyLibrary(t, db, { name: 'Read again', type: 'series' })
    const series = { name: 'Show', year: 2011, seasons: { 1: [1] } }
    await addSeries(db, shows, series)
    await runJob(services, shows.id, 'metadata')
    const readEpisode = () =>
      db.one(sql.unsafe`
        select name, sort_title, episode_title, name_source, metadata->>'overview' as overview from media_items
        where library_id = ${shows.id} and type = 'episode'`)
    const before = await readEpisode()
    t.match(before, { name: 'Winter', episodeTitle: 'Winter', nameSource: 'provider' })
    await addSeries(db, shows, { ...series, episodeTitle: 'winter 720p' })
    t.strictSame(await readEpisode(), before)
  })

  await t.test('a name’s own date survives clearing, a provider’s does not', async (t) => {
    const shows = await emptyLibrary(t, db, { name: 'Daily', type: 'series' })
    const common = { libraryId: shows.id, type: 'episode' as const, year: 2018 }
    const dated = await addFilm(db, shows, {
      ...common,
      name: '2018-11-14',
      file: 'Daily (2010)/Daily - 2018-11-14.mkv',
      metadata: { title: '2018-11-14', air_date: '2018-11-14' },
    })
    const numbered = await addFilm(db, shows, {
      ...common,
      name: 'Episode 1',
      file: 'Daily (2010)/S01E01.mkv',
      metadata: { title: 'Episode 1', air_date: '2018-11-14' },
    })
    await runJob(services, shows.id, 'clear_metadata')
    t.match((await rowOf(db, dated))['metadata'], { air_date: '2018-11-14' })
    t.strictSame((await rowOf(db, numbered))['metadata'], { title: 'Episode 1' })
  })

  await t.test('ambiguous items are left unmatched, counted and listed', async (t) => {
    const films = await emptyLibrary(t, db, { name: 'Doubtful' })
    const id = await addFilm(db, films, { name: 'Nobody knows this', year: 1999 })
    const video = await addFilm(db, films, { name: 'Le Casse', type: 'video' })
    await addFilm(db, films, { name: 'Le Casse', file: 'extra.mkv', role: 'extra' })
    const job = await runJob(services, films.id, 'metadata')
    t.match(job, { status: 'completed', itemsFound: 2, itemsUpdated: 2, itemsFailed: 2 })
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { code: 'metadata.no_match' },
      { code: 'metadata.no_match' },
    ])
    t.match(await rowOf(db, id), { name: 'Nobody knows this', metadataRefreshedAt: null })
    t.match(
      await rowOf(db, video),
      { name: 'Le Casse', metadataRefreshedAt: null },
      'a video without a year is not matched',
    )
  })

  for (const type of ['photo', 'book', 'audiobook', 'music'] as const) {
    await t.test(`a ${type} library completes having processed nothing`, async (t) => {
      const library = await emptyLibrary(t, db, { name: `A ${type} library`, type })
      await addFilm(db, library, { name: 'Le Casse', type: 'video' })
      fake.requests.length = 0
      for (const job of ['metadata', 'metadata_refresh'] as const) {
        const ended = await runJob(services, library.id, job)
        t.match(ended, { status: 'completed', error: null, itemsFound: 0, itemsUpdated: 0 })
      }
      t.strictSame(fake.requests, [])
    })
  }
})

void t.test('without a key a match completes with the reason why it did nothing', async (t) => {
  const services = await testServices(t)
  const films = await emptyLibrary(t, services.db, { name: 'Films' })
  const id = await addFilm(services.db, films, { name: 'Le Casse' })
  for (const type of ['metadata', 'metadata_refresh'] as const) {
    const job = await runJob(services, films.id, type)
    t.match(job, { status: 'completed', error: 'no metadata provider is configured', itemsUpdated: 0 })
  }
  t.match(await runJob(services, films.id, 'clear_metadata'), { status: 'completed', error: null })
  t.match(await rowOf(services.db, id), { name: 'Le Casse', metadataRefreshedAt: null })
})

void t.test('a long token goes into the header', async (t) => {
  const fake = await startFakeTmdb(t, [heist])
  const services = await testServices(t, { flags: { ...tmdbFlags(fake), 'metadata.tmdb.api_key': TMDB_TOKEN } })
  const films = await emptyLibrary(t, services.db, { name: 'Films' })
  await addFilm(services.db, films, { name: 'Le Casse', year: 2001 })
  t.match(await runJob(services, films.id, 'metadata'), { status: 'completed', itemsFailed: 0, error: null })
})
