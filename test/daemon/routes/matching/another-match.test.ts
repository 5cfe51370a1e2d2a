import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { startFakeTmdb, type FakeTitle } from '../../../support/fake-tmdb.ts'
import { addFilm, addSeries, emptyLibrary, picturesOf, rowOf, runJob, tmdbFlags } from '../../../support/metadata.ts'
import { testServices } from '../../../support/services.ts'

const episodes = (word: string, season: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, name: `${word} ${season}.${index + 1}` }))

const titles = (): FakeTitle[] => [
  {
    id: 10,
    kind: 'tv',
    title: 'Wrong',
    date: '1990-01-01',
    seasons: { 1: episodes('Wrong', 1, 2), 2: episodes('Wrong', 2, 1) },
  },
  { id: 11, kind: 'tv', title: 'Right', date: '2000-01-01', seasons: { 1: episodes('Right', 1, 1) } },
  { id: 12, kind: 'movie', title: 'The Long Film', date: '2010-01-01' },
  // Films and series have separate id ranges.
  { id: 20, kind: 'tv', title: 'Mini Series', date: '1988-01-01', seasons: { 1: episodes('Mini', 1, 1) } },
  { id: 20, kind: 'movie', title: 'Unrelated', date: '1970-01-01' },
  { id: 31, kind: 'movie', title: 'Dated', date: '1950-05-05' },
  { id: 32, kind: 'movie', title: 'Undated' },
]

async function setup(t: Test) {
  const fake = await startFakeTmdb(t, titles())
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db } = services
  const app = await startApp(t, { services })
  const { token } = await app.registerAdmin()
  const apply = async (id: string, body: object) => {
    const { status, json } = await app.ask('POST', `/api/v1/media/${id}/match/apply`, { token, body })
    t.equal(status, 200)
    return json
  }
  const get = async (path: string) => (await app.ask('GET', `/api/v1/media/${path}`, { token })).json
  const films = await emptyLibrary(t, db, { name: 'Films' })
  const shows = await emptyLibrary(t, db, { name: 'Shows', type: 'series' })
  let count = 0
  const addShow = async () => {
    count += 1
    return addSeries(db, shows, { name: `show ${count}`, year: 1999, seasons: { 1: [1, 2], 2: [1] } })
  }
  /** The content of a series in order, with everything that a match may leave. */
  const members = async (id: string) =>
    db.any(sql.unsafe`
      select m.name, m.sort_title, m.episode_title, m.name_source, m.metadata, m.naming_before,
        m.metadata_refreshed_at is not null as is_stamped,
        (select count(*) from provider_artwork p where p.media_item_id = m.id) as pictures
      from media_items m
      where m.type in ('season', 'episode')
        and (m.parent_id = ${id} or m.parent_id in (select s.id from media_items s where s.parent_id = ${id}))
      order by m.season_number, m.episode_number nulls first`)
  const refresh = async (libraryId: string) => {
    t.match(await runJob(services, libraryId, 'metadata_refresh'), { status: 'completed', error: null })
  }
  return { ...app, db, fake, services, token, apply, get, films, shows, addShow, members, refresh }
}

void t.test('an item that is matched with another title', async (t) => {
  const { ask, db, fake, services, token, apply, get, films, shows, addShow, members, refresh } = await setup(t)

  await t.test('a series keeps no values of the previous match in its seasons and episodes', async (t) => {
    const series = await addShow()
    const [, , second, ...later] = await members(series)
    await apply(series, { tmdb_id: 10 })
    t.match(await members(series), [
      {},
      { name: 'Wrong 1.1' },
      { name: 'Wrong 1.2', pictures: 1 },
      { isStamped: true, pictures: 1 },
      { name: 'Wrong 2.1' },
    ])
    t.match(await apply(series, { tmdb_id: 11 }), { applied: { children_enriched: 2 } })
    const right = [
      { name: 'Season 1', isStamped: true },
      { name: 'Right 1.1', isStamped: true },
    ]
    const after = await members(series)
    t.match(after.slice(0, 2), right)
    t.strictSame(after.slice(2), [second, ...later], 'what the title lacks is what its files say')
    await refresh(shows.id)
    t.strictSame((await members(series)).slice(2), [second, ...later])
  })

  await t.test('a series that is matched as a film loses the metadata of its seasons and episodes', async (t) => {
    const series = await addShow()
    const before = await members(series)
    await apply(series, { tmdb_id: 10 })
    t.match(await apply(series, { tmdb_id: 12, type: 'movie' }), {
      item: { name: 'The Long Film', year: 2010 },
      applied: { mode: 'movie', children_enriched: 0 },
    })
    t.strictSame(await members(series), before)
    fake.titles.push({
      id: 12,
      kind: 'tv',
      title: 'Unrelated',
      date: '2010-01-01',
      seasons: { 1: episodes('No', 1, 1) },
    })
    await refresh(shows.id)
    t.match(await rowOf(db, series), { name: 'The Long Film', metadata: { external_ids: { tmdb: '12' } } })
    t.strictSame(await members(series), before, 'and its number is not taken for that of a series')
    await runJob(services, shows.id, 'metadata')
    t.strictSame(await members(series), before)
  })

  await t.test(
    'a refresh that finds another series does the same, one that finds the same series changes nothing',
    async (t) => {
      const series = await addShow()
      const before = await members(series)
      await apply(series, { tmdb_id: 10 })
      const wrong = fake.titles.find(({ id, kind }) => id === 10 && kind === 'tv')
      delete wrong?.seasons?.[2]
      await refresh(shows.id)
      t.match((await members(series)).at(-1), { name: 'Wrong 2.1', isStamped: true }, 'its earlier values')
      const poster = async () => (await picturesOf(db, series))['poster']
      const chosen = 'https://image.example.test/t/p/w780/other10.jpg'
      await ask('PUT', `/api/v1/media/${series}/poster`, { token, body: { poster_url: chosen } })
      await refresh(shows.id)
      t.equal(await poster(), chosen)
      // The title is renamed, and another title gets the old name.
      Object.assign(wrong ?? {}, { title: 'Somebody', date: '1930-01-01' })
      fake.titles.push({
        id: 13,
        kind: 'tv',
        title: 'Wrong',
        date: '1990-03-03',
        seasons: { 1: episodes('New', 1, 1) },
      })
      await refresh(shows.id)
      t.match(await rowOf(db, series), { metadata: { external_ids: { tmdb: '13' } } })
      const after = await members(series)
      t.match(after.slice(0, 2), [{ isStamped: true }, { name: 'New 1.1' }])
      t.strictSame(after.slice(2), before.slice(2))
      t.equal(await poster(), 'https://image.example.test/t/p/w780/poster13.jpg')
    },
  )

  await t.test('a film that is matched as a series stays one: its id is never read as that of a film', async (t) => {
    const film = await addFilm(db, films, { name: 'mini', year: 1988 })
    await apply(film, { tmdb_id: 20, type: 'tv' })
    await refresh(films.id)
    t.match(await get(film), { name: 'Mini Series', overview: 'About Mini Series.' })
    t.strictSame(pick(await get(film), 'external_ids'), { tmdb: '20' })
    fake.requests.length = 0
    await get(`${film}/posters`)
    t.match(
      fake.requests.filter((request) => request.includes('/images')),
      [/^GET \/tv\/20\/images/],
    )
    await apply(film, { tmdb_id: 20, type: 'movie' })
    await refresh(films.id)
    t.match(await get(film), { name: 'Unrelated' }, 'and the other way round')
  })

  await t.test('an id without a type has the type of the item', async (t) => {
    const film = await addFilm(db, films, { name: 'earlier' })
    await apply(film, { tmdb_id: 31 })
    await db.query(sql.unsafe`update media_items set metadata = metadata - 'title_kind' where id = ${film}`)
    await refresh(films.id)
    t.match(await rowOf(db, film), { name: 'Dated', metadata: { title_kind: 'movie' } })
    await runJob(services, films.id, 'clear_metadata')
    t.strictSame((await rowOf(db, film))['metadata'], { title: 'earlier' })
  })

  await t.test('a title without a year leaves the year of the file, not that of the other title', async (t) => {
    const film = await addFilm(db, films, { name: 'film', year: 1999 })
    const yearless = await addFilm(db, films, { name: 'nobody knows when' })
    for (const id of [film, yearless]) {
      await apply(id, { tmdb_id: 31 })
      t.match(await get(id), { name: 'Dated', year: 1950 })
      await apply(id, { tmdb_id: 32 })
    }
    t.match(await get(film), { name: 'Undated', year: 1999 })
    t.match(await get(yearless), { name: 'Undated', year: null })
    await apply(film, { tmdb_id: 31 })
    delete fake.titles.find(({ id }) => id === 31)?.date
    await refresh(films.id)
    t.match(await get(film), { name: 'Dated', year: 1999 }, 'nor its earlier value')
  })
})
