import { sql } from 'slonik'
import t from 'tap'
import { writeItems } from '../../../../src/core/catalogue/index.ts'
import { startApp, pick } from '../../../support/app.ts'
import { startFakeTmdb } from '../../../support/fake-tmdb.ts'
import { addFilm, addSeries, emptyLibrary, rowOf, runJob, tmdbFlags } from '../../../support/metadata.ts'
import { testServices } from '../../../support/services.ts'
import { itemRow } from '../../../support/item-row.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

void t.test('manual corrections of an item', async (t) => {
  const fake = await startFakeTmdb(t, [
    { id: 603, kind: 'movie', title: 'The Film', date: '1999-03-31' },
    { id: 604, kind: 'movie', title: 'Other', date: '2003-05-15' },
    { id: 70, kind: 'tv', title: 'Show', date: '2001-01-01', seasons: { 1: [{ number: 1, name: 'Pilot' }] } },
  ])
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db } = services
  const app = await startApp(t, { services })
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  const library = await emptyLibrary(t, db, { name: 'Films' })
  const file = { sizeBytes: 1000, modifiedAtNanoseconds: 1n, canonicalKey: 'k' }
  const id = await addFilm(db, library, {
    name: 'film',
    file: 'film.mkv',
    year: 1999,
    localMetadata: { genres: ['Local'] },
  })
  const patch = (body: unknown, item = id) => app.ask('PATCH', `/api/v1/media/${item}/metadata`, { token, body })
  const detail = async (item = id) => (await app.ask('GET', `/api/v1/media/${item}`, { token })).json
  /** Writes what another scan of the same file would write. */
  const scan = async (localMetadata: Record<string, unknown>, name = 'film') =>
    writeItems(
      db,
      [
        itemRow({
          ...file,
          libraryId: library.id,
          name,
          year: 1999,
          path: `${library.folder}/film.mkv`,
          localMetadata,
          container: 'mkv',
          bitrate: null,
        }),
      ],
      new Date('2026-02-01T00:00:00Z'),
    )

  await t.test('shows immediately in the detail, in lists and in filters', async (t) => {
    const { status, json } = await patch({
      name: 'The Corrected',
      year: 2001,
      overview: 'Mine.',
      genres: ['Noir', 'Own'],
      rating: 'PG-13',
      actors: ['Somebody'],
      unknown: { a: 1 },
      id: UNKNOWN,
      library_id: UNKNOWN,
    })
    t.equal(status, 200)
    const wanted = {
      id,
      name: 'The Corrected',
      sort_title: 'Corrected',
      year: 2001,
      overview: 'Mine.',
      genres: ['Noir', 'Own'],
    }
    t.match(json, {
      ...wanted,
      item: { ...wanted, rating: 'PG-13', actors: ['Somebody'], metadata: { title: 'The Corrected' } },
    })
    t.match(await detail(), wanted)
    const listed = await app.ask(
      'GET',
      '/api/v1/media?genres[]=noir&actors[]=somebody&ratings[]=PG-13&search=corrected',
      { token },
    )
    t.match(listed.json, { total: 1, items: [{ name: 'The Corrected' }] })
  })

  await t.test(
    'persist through scans, matches, refreshes and clearing, which still update the values below',
    async (t) => {
      await scan({ genres: ['Newer'], tagline: 'New.' })
      t.match(await detail(), { name: 'The Corrected', genres: ['Noir', 'Own'], tagline: 'New.', year: 2001 })
      // The provider finds nothing by the corrected name, but finds the title by its id.
      await app.ask('POST', `/api/v1/media/${id}/match/apply`, { token, body: { tmdb_id: 603 } })
      t.match(await detail(), {
        name: 'The Corrected',
        year: 2001,
        overview: 'Mine.',
        genres: ['Noir', 'Own'],
        rating: 'PG-13',
        director: 'The Director',
        external_ids: { tmdb: '603' },
      })
      t.match(await runJob(services, library.id, 'metadata_refresh'), { status: 'completed', itemsFailed: 0 })
      t.match(await detail(), { name: 'The Corrected', overview: 'Mine.' })
      await runJob(services, library.id, 'clear_metadata')
      t.match(await detail(), {
        name: 'The Corrected',
        year: 2001,
        overview: 'Mine.',
        genres: ['Noir', 'Own'],
        director: null,
      })
      t.match(await rowOf(db, id), { metadataRefreshedAt: null, nameSource: 'file', namingBefore: null })
    },
  )

  await t.test('null removes a correction: the item shows the current values of the other sources', async (t) => {
    await scan({ genres: ['Newest'] }, 'renamed')
    t.match((await patch({ name: null, genres: null })).json, {
      name: 'renamed',
      sort_title: 'renamed',
      year: 2001,
      overview: 'Mine.',
      genres: ['Newest'],
    })
    await app.ask('POST', `/api/v1/media/${id}/match/apply`, { token, body: { tmdb_id: 603 } })
    const taken = await patch({ year: null, overview: null, rating: null, actors: null })
    t.match(taken.json, { name: 'The Film', year: 1999, overview: 'About The Film.', genres: ['Newest'] })
    t.strictSame(await db.one(sql.unsafe`select edits, unedited from media_items where id = ${id}`), {
      edits: null,
      unedited: null,
    })
    await runJob(services, library.id, 'clear_metadata')
    t.match(await detail(), { name: 'renamed', year: 1999, overview: null })
  })

  await t.test('a form that is sent back unchanged has no effect; later edits add to earlier ones', async (t) => {
    await app.ask('POST', `/api/v1/media/${id}/match/apply`, { token, body: { tmdb_id: 603 } })
    const shown = pick(await detail(), 'item') as Record<string, unknown>
    t.equal((await patch(shown)).status, 200)
    t.equal(await db.oneFirst(sql.unsafe`select edits from media_items where id = ${id}`), null)
    await patch({ tagline: 'One.', sort_title: 'aaa' })
    await patch({ metadata: { title: 'Two', tags: ['x'] } })
    t.match(await detail(), { name: 'Two', sort_title: 'aaa', tagline: 'One.', tags: ['x'] })
    await patch({ name: 'Three' })
    t.match(await detail(), { name: 'Three', sort_title: 'aaa' }, 'a sort title that was said stays')
    await patch({ overview: '', genres: [] })
    t.match(await detail(), { overview: '', genres: { length: 0 } }, 'nothing may be said too')
    await patch({ name: null, sort_title: null, tagline: null, tags: null, overview: null, genres: null })
    t.equal(await db.oneFirst(sql.unsafe`select edits from media_items where id = ${id}`), null)
    t.match(await detail(), { name: 'The Film', sort_title: 'Film' })
  })

  await t.test('the value below a correction changes even if another source has the same value', async (t) => {
    const film = await addFilm(db, library, { name: 'Heat', year: 1995 })
    const match = (number: number) =>
      app.ask('POST', `/api/v1/media/${film}/match/apply`, { token, body: { tmdb_id: number } })
    await match(603)
    await patch({ name: 'Heat', year: 1995 }, film)
    await runJob(services, library.id, 'clear_metadata')
    t.match((await patch({ name: null, year: null }, film)).json, { name: 'Heat', sort_title: 'Heat', year: 1995 })
    await patch({ name: 'Other', year: 2003 }, film)
    await match(604)
    t.match((await patch({ name: null, year: null }, film)).json, { name: 'Other', year: 2003 })
    await patch({ name: 'Mine' }, film)
    await match(603)
    t.match((await patch({ name: null }, film)).json, { name: 'The Film', sort_title: 'Film', year: 1999 })
    await runJob(services, library.id, 'clear_metadata')
    t.match(await detail(film), { name: 'Heat', year: 1995 })
  })

  await t.test('a name given to an episode is its title, one given to a season does not move it', async (t) => {
    const shows = await emptyLibrary(t, db, { name: 'Shows', type: 'series' })
    await addSeries(db, shows, { name: 'show', year: 2001, seasons: { 1: [1] } })
    const idOf = async (type: string) =>
      String(
        await db.oneFirst(sql.unsafe`select id from media_items where library_id = ${shows.id} and type = ${type}`),
      )
    const [season, episode] = [await idOf('season'), await idOf('episode')]
    await patch({ name: 'Better' }, episode)
    await patch({ name: 'Volume One' }, season)
    await runJob(services, shows.id, 'metadata')
    t.match(await detail(episode), { name: 'Better', episode_title: 'Better', overview: 'About Pilot.' })
    t.match(await detail(season), { name: 'Volume One', sort_title: 'Season 0001' })
    await patch({ name: null }, episode)
    t.match(await detail(episode), { name: 'Pilot', episode_title: 'Pilot' })
  })

  await t.test('bad values are refused with their field, and nothing is written', async (t) => {
    const before = await db.one(sql.unsafe`select * from media_items where id = ${id}`)
    const bad: [string, unknown][] = [
      ['name', ''],
      ['name', '  '],
      ['name', 'x'.repeat(1001)],
      ['name', 'a\0'],
      ['name', 7],
      ['title', ['x']],
      ['year', '1999'],
      ['year', 0],
      ['year', 99_999],
      ['year', 1999.5],
      ['year', true],
      ['overview', 'x'.repeat(10_001)],
      ['overview', '\ud800'],
      ['overview', {}],
      ['genres', 'Noir'],
      ['genres', [1]],
      ['genres', ['']],
      ['genres', Array.from({ length: 201 }, () => 'x')],
      ['genres', ['x'.repeat(201)]],
      ['release_date', '2001-02-31'],
      ['release_date', '2001'],
      ['release_date', '99999-01-01'],
      ['air_date', 5],
      ['rating', 5],
    ]
    for (const [field, value] of bad) {
      const answer = await patch({ overview: 'fine', [field]: value })
      t.match(
        answer,
        { status: 400, json: { code: 'invalid_request' } },
        `${field} ${JSON.stringify(value).slice(0, 30)}`,
      )
    }
    for (const body of [[], 'x', 7, null]) t.match(await patch(JSON.stringify(body)), { status: 400 })
    t.equal((await patch('{"__proto__":{"name":"x"}}')).status, 400)
    t.equal((await patch('{"constructor":1,"toString":2}')).status, 200)
    t.strictSame(await db.one(sql.unsafe`select * from media_items where id = ${id}`), before)
  })

  await t.test('only administrators edit, and only existing items', async (t) => {
    const path = `/api/v1/media/${id}/metadata`
    t.match(await app.ask('PATCH', path, { body: { name: 'x' } }), { status: 401, json: { code: 'auth.required' } })
    t.match(await app.ask('PATCH', path, { token: other, body: { name: 'x' } }), {
      status: 403,
      json: { code: 'auth.not_admin' },
    })
    for (const item of [UNKNOWN, 'x'])
      t.match(await patch({ name: 'x' }, item), { status: 404, json: { code: 'media_item_not_found' } })
  })
})
