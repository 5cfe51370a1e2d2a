import { sql } from 'slonik'
import t from 'tap'
import { startFakeTmdb } from '../../support/fake-tmdb.ts'
import { startFakeTvdb, TVDB_KEY } from '../../support/fake-tvdb.ts'
import { addSeries, emptyLibrary, picturesOf, rowOf, runJob, tmdbFlags } from '../../support/metadata.ts'
import { testServices } from '../../support/services.ts'

void t.test('a series that TMDB does not have comes from TVDB, by its id', async (t) => {
  const [tmdb, tvdb] = [await startFakeTmdb(t), await startFakeTvdb(t)]
  const keys = { 'metadata.tvdb.api_key': TVDB_KEY, 'metadata.tvdb.base_url': tvdb.baseUrl }
  const services = await testServices(t, { flags: { ...tmdbFlags(tmdb), ...keys } })
  const { db } = services
  const shows = await emptyLibrary(t, db, { name: 'Shows', type: 'series' })
  const byNumber = await addSeries(db, shows, { name: 'only here', ids: { tvdb: '777' }, seasons: { 1: [1, 2] } })
  const byImdb = await addSeries(db, shows, { name: 'elsewhere', ids: { imdb: 'tt7654321' }, seasons: { 1: [1] } })
  const unknown = await addSeries(db, shows, { name: 'nowhere', ids: { tvdb: '1' }, seasons: { 1: [1] } })
  t.match(await runJob(services, shows.id, 'metadata'), { status: 'completed', itemsUpdated: 3, itemsFailed: 1 })
  t.match(await rowOf(db, byNumber), {
    name: 'Only Here',
    year: 2005,
    metadata: {
      overview: 'What TMDB does not have.',
      genres: ['Documentary'],
      studio: 'Channel',
      air_date: '2005-02-03',
      external_ids: { tvdb: '777', imdb: 'tt7654321' },
    },
  })
  t.strictSame(await picturesOf(db, byNumber), { poster: 'https://artworks.example.test/banners/posters/777.jpg' })
  t.equal((await rowOf(db, byImdb))['name'], 'Only Here')
  t.match(await rowOf(db, unknown), { name: 'nowhere', metadataRefreshedAt: null })
  t.strictSame(
    await db.anyFirst(sql.unsafe`
      select name from media_items where library_id = ${shows.id} and type = 'episode' and name_source = 'provider' order by name`),
    ['First Light', 'First Light', 'Second Light'],
  )
  t.equal(tvdb.requests.filter((request) => request === 'POST /login').length, 1)

  tvdb.expire()
  await db.query(sql.unsafe`delete from provider_replies`)
  t.match(await runJob(services, shows.id, 'metadata_refresh'), { status: 'completed', error: null, itemsFailed: 1 })
  t.equal(tvdb.requests.filter((request) => request === 'POST /login').length, 2, 'an expired token is renewed')
})

void t.test('a key that TVDB refuses ends the job with an error that says so', async (t) => {
  const tvdb = await startFakeTvdb(t)
  const flags = { 'metadata.tvdb.api_key': 'wrong', 'metadata.tvdb.base_url': tvdb.baseUrl }
  const services = await testServices(t, { flags })
  const shows = await emptyLibrary(t, services.db, { name: 'Shows', type: 'series' })
  await addSeries(services.db, shows, { name: 'only here', ids: { tvdb: '777' }, seasons: { 1: [1] } })
  t.match(await runJob(services, shows.id, 'metadata'), { status: 'failed', error: 'TVDB refuses the key (HTTP 401)' })
})
