import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { insertTarget } from '../../../../src/core/outbox/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { startFakeTmdb, type FakeTitle } from '../../../support/fake-tmdb.ts'
import { addFilm, addSeries, emptyLibrary, rowOf, runJob, tmdbFlags } from '../../../support/metadata.ts'
import { testServices } from '../../../support/services.ts'

const titles: FakeTitle[] = [
  { id: 1, kind: 'movie', title: 'Heat', date: '1995-12-15', popularity: 50 },
  { id: 2, kind: 'movie', title: 'Heat', date: '1986-11-01', popularity: 5 },
  { id: 3, kind: 'movie', title: 'Heat Wave', date: '2022-01-01', popularity: 1 },
  {
    id: 10,
    kind: 'tv',
    title: 'Heat of the Night',
    date: '1988-03-06',
    seasons: { 1: [{ number: 1, name: 'Pilot', airDate: '1988-03-06' }] },
  },
]

async function setup(t: Test, isConfigured = true) {
  const fake = await startFakeTmdb(t, titles)
  const services = await testServices(t, isConfigured ? { flags: tmdbFlags(fake) } : {})
  const app = await startApp(t, { services })
  const admin = await app.registerAdmin()
  const user = await app.registerUser()
  const films = await emptyLibrary(t, services.db, { name: 'Films' })
  const film = await addFilm(services.db, films, { name: 'heat', year: 1995 })
  const { token } = admin
  const get = (path: string) => app.ask('GET', `/api/v1/media/${path}`, { token })
  const apply = (id: string, body: unknown) => app.ask('POST', `/api/v1/media/${id}/match/apply`, { token, body })
  return { ...app, fake, services, db: services.db, token, user, films, film, get, apply }
}

void t.test('matching over HTTP', async (t) => {
  const { ask, db, services, fake, token, user, films, film, get, apply } = await setup(t)

  for (const [path, type, message] of [
    ['match-metadata', 'metadata', 'Metadata match queued'],
    ['refresh-metadata', 'metadata_refresh', 'Metadata refresh queued'],
    ['clear-metadata', 'clear_metadata', 'Metadata clearing queued'],
  ] as const) {
    await t.test(`POST /libraries/{id}/${path} queues a job that status and history show`, async (t) => {
      const url = `/api/v1/libraries/${films.id}/${path}`
      const queued = await ask('POST', url, { token })
      t.equal(queued.status, 202)
      t.strictSame(queued.json, { job_id: pick(queued.json, 'job_id'), status: 'queued', message })
      const again = await ask('POST', url, { token })
      t.equal(pick(again.json, 'job_id'), pick(queued.json, 'job_id'), 'one that waits is answered again')
      const status = await ask('GET', `/api/v1/libraries/${films.id}/scan-status`, { token })
      t.match(pick(status.json, 'scan_status'), { id: pick(queued.json, 'job_id'), type, status: 'queued' })
      const history = await ask('GET', `/api/v1/libraries/${films.id}/scan-history`, { token })
      t.match(pick(history.json, 'history', 0), { type, status: 'queued' })
      t.equal((await ask('POST', url, { token: user.token })).status, 403)
      t.equal((await ask('POST', url)).status, 401)
      const unknown = await ask('POST', `/api/v1/libraries/${randomUUID()}/${path}`, { token })
      t.match([unknown.status, unknown.json], [404, { code: 'library_not_found' }])
      t.equal((await ask('POST', `/api/v1/libraries/none/${path}`, { token })).status, 404)
      await db.query(sql.unsafe`delete from scan_jobs`)
    })
  }

  await t.test('match/search answers titles with the keys that clients read', async (t) => {
    const found = await get(`${film}/match/search?query=heat`)
    t.equal(found.status, 200)
    t.match(found.json, {
      query: 'heat',
      type: 'movie',
      context: { item_id: film, name: 'heat', year: 1995, season_number: null },
    })
    t.match(pick(found.json, 'results', 0), {
      tmdb_id: 1,
      type: 'movie',
      title: 'Heat',
      year: 1995,
      overview: 'About Heat.',
      poster_url: 'https://image.example.test/t/p/w780/poster1.jpg',
      backdrop_url: 'https://image.example.test/t/p/w1280/backdrop1.jpg',
      vote_average: 7.5,
    })
    t.equal((pick(found.json, 'results') as unknown[]).length, 3)
    const own = await get(`${film}/match/search`)
    t.match(own.json, { query: 'heat', results: [{ tmdb_id: 1 }] }, 'without a query the item’s own name and year')
    t.equal((pick(own.json, 'results') as unknown[]).length, 1)
    t.match((await get(`${film}/match/search?query=heat&year=1986`)).json, { results: [{ tmdb_id: 2 }] })
    t.match((await get(`${film}/match/search?query=heat&type=tv`)).json, {
      type: 'tv',
      results: [{ tmdb_id: 10, type: 'tv' }],
    })
  })

  await t.test('match/search and match/apply refuse with the codes that clients read', async (t) => {
    for (const [answer, status, body] of [
      [await get(`${film}/match/search?query=%20%20`), 400, { code: 'metadata.no_query' }],
      [await get(`${randomUUID()}/match/search?query=x`), 404, { error: 'Item not found' }],
      [await get('none/match/search?query=x'), 404, { error: 'Item not found' }],
      [await apply(film, { tmdb_id: 0 }), 400, { code: 'metadata.bad_tmdb_id' }],
      [await apply(film, { tmdb_id: 'tt1' }), 400, { code: 'metadata.bad_tmdb_id' }],
      [await apply(film, { tmdb_id: 1.5 }), 400, { code: 'metadata.bad_tmdb_id' }],
      [await apply(film, { tmdb_id: [1] }), 400, { code: 'metadata.bad_tmdb_id' }],
      [await apply(film, { tmdb_id: '99999999999' }), 400, { code: 'metadata.bad_tmdb_id' }],
      [await apply(film, {}), 400, { code: 'metadata.bad_tmdb_id' }],
      [await apply(film, { tmdb_id: 404 }), 422, { code: 'metadata.no_match' }],
      [await apply(randomUUID(), { tmdb_id: 1 }), 404, { error: 'Item not found' }],
    ] as const) {
      t.match([answer.status, answer.json], [status, body])
    }
    for (const path of [`${film}/match/search`, `${film}/posters`]) {
      t.equal((await ask('GET', `/api/v1/media/${path}`, { token: user.token })).status, 403)
      t.equal((await ask('GET', `/api/v1/media/${path}`)).status, 401)
    }
    const refused = await ask('POST', `/api/v1/media/${film}/match/apply`, { token: user.token, body: { tmdb_id: 1 } })
    t.equal(refused.status, 403)
  })

  await t.test(
    'match/apply applies the chosen title to a film, and removes everything of the earlier match',
    async (t) => {
      await insertTarget(db, { kind: 'webhook', name: 'x', events: ['library.updated'], now: services.clock.now() })
      const first = await apply(film, { tmdb_id: 1 })
      t.equal(first.status, 200)
      t.match(
        await db.anyFirst(sql.unsafe`delete from deliveries returning facts`),
        [{ change: 'metadata_updated', mediaItemIds: [film], titles: ['Heat (1995)'], libraryName: 'Films' }],
        'webhooks receive the event',
      )
      t.match(first.json, {
        item: {
          id: film,
          name: 'Heat',
          year: 1995,
          overview: 'About Heat.',
          rating: 'PG-13',
          genres: ['Drama', 'Mystery'],
        },
        applied: { item_id: film, mode: 'movie', tmdb_id: 1, matched: true, children_enriched: 0 },
      })
      await db.query(
        sql.unsafe`update media_items set metadata = metadata || '{"collection": {"id": "1"}}' where id = ${film}`,
      )
      const second = await apply(film, { tmdb_id: '2', type: 'movie' })
      t.match(second.json, { item: { name: 'Heat', year: 1986 }, applied: { tmdb_id: 2 } })
      const row = await rowOf(db, film)
      t.match(row, {
        metadata: { title: 'heat', external_ids: { tmdb: '2' } },
        namingBefore: { name: 'heat', year: 1995 },
      })
      t.notOk(Object.hasOwn(row['metadata'] as object, 'collection'))
    },
  )

  await t.test('match/apply to a series, or to one of its episodes, writes its seasons and episodes', async (t) => {
    const shows = await emptyLibrary(t, db, { name: 'Shows', type: 'series' })
    const series = await addSeries(db, shows, { name: 'Something else', seasons: { 1: [1, 2] } })
    const applied = await apply(series, { tmdb_id: 10 })
    t.match(applied.json, {
      item: { id: series, name: 'Heat of the Night', type: 'series' },
      applied: { item_id: series, mode: 'series', tmdb_id: 10, children_enriched: 2 },
    })
    const [episode] = (await db.any(sql.unsafe`
      select id, name from media_items where library_id = ${shows.id} and type = 'episode' order by episode_number`)) as readonly {
      id: string
      name: string
    }[]
    t.equal(episode?.name, 'Pilot')
    const again = await apply(episode?.id ?? '', { tmdb_id: 10 })
    t.match(again.json, { item: { id: episode?.id }, applied: { item_id: episode?.id, mode: 'series' } })
    const search = await get(`${episode?.id}/match/search`)
    t.match(search.json, { query: 'Heat of the Night', type: 'tv', context: { item_id: series, episode_number: 1 } })
  })

  await t.test('a poster that was chosen stays through a refresh, and goes with another match', async (t) => {
    await apply(film, { tmdb_id: 1 })
    const listed = await get(`${film}/posters`)
    t.equal(listed.status, 200)
    t.match(pick(listed.json, 'candidates'), [
      {
        provider: 'tmdb',
        poster_url: 'https://image.example.test/t/p/w780/poster1.jpg',
        width: 1000,
        height: 1500,
        votes: 10,
      },
      { poster_url: 'https://image.example.test/t/p/w780/other1.jpg' },
    ])
    t.match(pick(listed.json, 'current_poster_url'), /^\/api\/v1\/artwork\//)
    const put = (url: string) => ask('PUT', `/api/v1/media/${film}/poster`, { token, body: { poster_url: url } })
    const other = 'https://image.example.test/t/p/w780/other1.jpg'
    t.match(await put('https://evil.example/x.jpg'), { status: 400, json: { code: 'metadata.bad_poster' } })
    t.equal((await ask('PUT', `/api/v1/media/${film}/poster`, { token, body: {} })).status, 400)
    t.match(await put(other), { status: 200, json: { id: film } })
    const shown = () =>
      db.oneFirst(sql.unsafe`select url from provider_artwork where media_item_id = ${film} and kind = 'poster'`)
    t.equal(await shown(), other)
    await runJob(services, films.id, 'metadata_refresh')
    t.equal(await shown(), other)
    await apply(film, { tmdb_id: 2 })
    t.equal(await shown(), 'https://image.example.test/t/p/w780/poster2.jpg')
  })

  await t.test('an unreachable TMDB, or one that refuses the key, is 502', async (t) => {
    await db.query(sql.unsafe`delete from provider_replies`)
    for (const fault of [{ status: 500 }, { status: 401 }, 'drop', { status: 200, text: '<html>' }] as const) {
      fake.overrideResponse = () => fault
      const answer = await get(`${film}/match/search?query=heat`)
      t.match([answer.status, answer.json], [502, { code: 'metadata.tmdb_unreachable' }], JSON.stringify(fault))
      const applied = await apply(film, { tmdb_id: 3 })
      t.match([applied.status, applied.json], [502, { code: 'metadata.tmdb_unreachable' }])
    }
    fake.overrideResponse = undefined
    t.equal((await get(`${film}/match/search?query=heat`)).status, 200, 'and is asked again afterwards')
  })
})

void t.test('without a key match/search and match/apply answer 422', async (t) => {
  const { film, get, apply } = await setup(t, false)
  for (const answer of [
    await get(`${film}/match/search`),
    await apply(film, { tmdb_id: 1 }),
    await get(`${film}/posters`),
  ]) {
    t.match([answer.status, answer.json], [422, { code: 'metadata.tmdb_unconfigured' }])
  }
})
