import t, { type Test } from 'tap'
import { sql } from 'slonik'
import type { ItemWrite } from '../../../../src/core/catalogue/index.ts'
import { pick, startApp, type Answer, type TestApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const CAST = [{ name: 'Keanu Reeves', role: 'Neo', profile_url: 'https://images.example/neo.jpg' }]

/** What providers know of some films. */
const FILMS: readonly Partial<ItemWrite>[] = [
  {
    name: 'The Matrix',
    sortTitle: 'Matrix',
    year: 1999,
    durationSeconds: 8160,
    metadata: {
      overview: 'A hacker learns.',
      tagline: 'Free your mind.',
      genres: ['Action', 'Science Fiction'],
      actors: ['Keanu Reeves', 'Carrie-Anne Moss'],
      director: 'Lana Wachowski',
      rating: 'R',
      vote_average: 8.2,
      vote_count: 24_000,
      cast: CAST,
      crew: [{ name: 'Lana Wachowski', job: 'Director', profile_url: 'javascript:alert(1)' }],
      production_companies: [{ name: 'Warner Bros.', logo_url: null, origin_country: 'US' }],
      tags: ['virtual reality'],
      trailer_key: 'm8e-FF8MsqU',
      trailer_site: 'YouTube',
      trailer_url: 'https://www.youtube.com/watch?v=m8e-FF8MsqU',
      external_ids: { tmdb: 603, imdb: 'tt0133093' },
    },
  },
  {
    name: 'John Wick',
    sortTitle: 'John Wick',
    year: 2014,
    durationSeconds: 6060,
    metadata: { genres: ['action', 'Thriller'], actors: ['Keanu Reeves'], rating: 'R', vote_average: 7.4 },
  },
  {
    name: 'Amélie',
    sortTitle: 'Amélie',
    year: 2001,
    durationSeconds: 7320,
    metadata: {
      genres: ['Comedy', 'Romance'],
      actors: ['Audrey Tautou'],
      rating: 'R',
      vote_average: 7.9,
      studio: 'UGC',
    },
  },
  { name: '2001: A Space Odyssey', sortTitle: '2001: A Space Odyssey', year: 1968, metadata: { rating: 'G' } },
  { name: '君の名は', sortTitle: '君の名は', year: 2016, metadata: { rating: 'PG', genres: ['Animation'] } },
  { name: 'Paddington', sortTitle: 'Paddington', year: null, durationSeconds: null, metadata: { genres: ['comedy'] } },
]

type Setup = TestApp & {
  token: string
  get: (path: string, token?: string) => Promise<Answer>
  names: (query: string) => Promise<string[]>
  ids: string[]
  libraryId: string
}

async function setup(t: Test, films: readonly Partial<ItemWrite>[] = FILMS): Promise<Setup> {
  const server = await startApp(t)
  const { token } = await server.registerUser()
  const ids = await makeItems(server.services.db, t.testdir(), films)
  const get = (path: string, caller = token) => server.ask('GET', `/api/v1${path}`, { token: caller })
  const names = async (query: string): Promise<string[]> => {
    const { json } = await get(`/media?${query}`)
    return (pick(json, 'items') as unknown[]).map((item) => String(pick(item, 'name')))
  }
  const libraryId = String(pick((await get('/media')).json, 'items', 0, 'library_id'))
  return { ...server, token, get, names, ids, libraryId }
}

/** Episodes of one series, numbered `season:episode`. */
function episodes(numbers: readonly string[]): Partial<ItemWrite>[] {
  return numbers.map((number) => {
    const [season = 0, episode = 0] = number.split(':').map(Number)
    return {
      type: 'episode',
      name: `Episode ${number}`,
      sortTitle: `Episode ${number}`,
      seasonNumber: season,
      episodeNumber: episode,
      path: `/shows/Show/${number}.mkv`,
      groups: [
        { type: 'series', key: 'show', name: 'Show', sortTitle: 'Show', year: 2010, metadata: {} },
        {
          type: 'season',
          key: `show/${season}`,
          name: `Season ${season}`,
          sortTitle: `Season ${season}`,
          year: null,
          seasonNumber: season,
          metadata: {},
        },
      ],
    }
  })
}

void t.test(
  'every filter narrows a list, in every way that clients write lists (document 1; document 4, 2.2)',
  async (t) => {
    const { names, get, libraryId } = await setup(t)
    const cases: [query: string, expected: string[]][] = [
      ['genres[]=Action', ['John Wick', 'The Matrix']],
      ['genres%5B%5D=ACTION', ['John Wick', 'The Matrix']],
      ['genres[0]=Romance&genres[1]=Thriller', ['Amélie', 'John Wick']],
      ['genres=Romance&genres=Thriller', ['Amélie', 'John Wick']],
      ['genres=Comedy', ['Amélie', 'Paddington']],
      ['genres[]=Action&genres[]=Comedy&actors[]=keanu%20reeves', ['John Wick', 'The Matrix']],
      ['genres[]=Comedy&actors[]=Keanu Reeves', []],
      ['actors[]=Keanu', []],
      ['companies[]=warner%20bros.', ['The Matrix']],
      ['companies[]=UGC', ['Amélie']],
      ['ratings[]=R', ['Amélie', 'John Wick', 'The Matrix']],
      ['ratings[]=G&ratings[]=PG', ['2001: A Space Odyssey', '君の名は']],
      ['yearFrom=2001', ['Amélie', 'John Wick', '君の名は']],
      ['yearTo=1999', ['2001: A Space Odyssey', 'The Matrix']],
      ['yearFrom=1999&yearTo=2001', ['Amélie', 'The Matrix']],
      ['yearFrom=2001&yearTo=1999', []],
      ['yearFrom=2000&genres[]=Action', ['John Wick']],
      ['minRating=7.5', ['Amélie', 'The Matrix']],
      ['minRating=7.4&maxRating=7.9', ['Amélie', 'John Wick']],
      ['maxRating=PG', ['2001: A Space Odyssey', '君の名は']],
      ['minRating=PG-13', ['Amélie', 'John Wick', 'The Matrix']],
      ['match=matched', ['The Matrix']],
      ['match=unmatched', ['2001: A Space Odyssey', 'Amélie', 'John Wick', 'Paddington', '君の名は']],
      ['types[]=movie&yearTo=1999', ['2001: A Space Odyssey', 'The Matrix']],
      ['types[]=series', []],
      ['types[]=nonsense', []],
      ['genres[]=&yearFrom=&minRating=', await names('')],
      [`libraryId=${libraryId}&topLevel=1&genres[]=Action`, ['John Wick', 'The Matrix']],
    ]
    for (const [query, expected] of cases) {
      t.strictSame(await names(query), expected, query)
      t.equal(pick((await get(`/media?${query}`)).json, 'total'), expected.length, `total of ${query}`)
    }
    t.match(await get('/media?minRating=high'), { status: 400, json: { code: 'invalid_request', field: 'minRating' } })
  },
)

void t.test('orders that clients ask for hold in both directions, and what has no value comes last', async (t) => {
  const { names } = await setup(t)
  const byYear = ['2001: A Space Odyssey', 'The Matrix', 'Amélie', 'John Wick', '君の名は']
  t.strictSame(await names('sort=year'), [...byYear, 'Paddington'])
  t.strictSame(await names('sort=year&order=desc'), [...byYear.toReversed(), 'Paddington'])
  t.strictSame(await names('sort=runtime&order=desc&limit=3'), ['The Matrix', 'Amélie', 'John Wick'])
  t.equal((await names('sort=runtime')).at(-1), 'Paddington')
  t.strictSame((await names('sort=rating')).slice(0, 2), ['2001: A Space Odyssey', '君の名は'], 'from the youngest up')
  t.equal((await names('sort=rating&order=desc')).at(-1), 'Paddington')
  t.equal((await names('sort=random')).length, 6)
  t.strictSame(await names('sort=year&limit=2&offset=4'), ['君の名は', 'Paddington'], 'a page over the border')
})

void t.test('totals follow every change: new, renamed, moved and removed items, by whichever process', async (t) => {
  const { get, services, names, ids } = await setup(t)
  const total = async (query: string) => pick((await get(`/media?${query}`)).json, 'total')
  t.equal(await total('genres[]=Action'), 2)
  t.equal(await total('actors[]=Keanu Reeves'), 2)
  await services.db.query(sql.unsafe`
    update media_items set metadata = '{"genres": ["Action"], "actors": ["Keanu Reeves"]}', year = 1950 where id = ${ids[2] ?? ''}`)
  t.equal(await total('genres[]=Action'), 3)
  t.equal(await total('actors[]=Keanu Reeves'), 3)
  t.equal(await total('yearTo=1950'), 1)
  await services.db.query(sql.unsafe`update media_items set role = 'extra' where id = ${ids[0] ?? ''}`)
  t.equal(await total(''), 5)
  t.equal(await total('actors[]=Keanu Reeves'), 2)
  await services.db.query(sql.unsafe`delete from media_items where id = ${ids[1] ?? ''}`)
  t.equal(await total(''), 4)
  t.notOk((await names('')).includes('John Wick'))
  await services.db.query(sql.unsafe`select sum_item_tallies()`)
  t.equal(await total(''), 4, 'summing the differences up changes nothing')
  await services.db.query(sql.unsafe`delete from libraries`)
  t.equal(await total(''), 0)
  await services.db.query(sql.unsafe`select sum_item_tallies()`)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from item_tallies`), 0)
})

void t.test('the counts are exact after thousands of writes in any order', async (t) => {
  const { services, libraryId, get } = await setup(t)
  await services.db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, year, metadata, added_at, created_at, updated_at)
    select ${libraryId}, 'video', chr(97 + i % 26) || i, chr(97 + i % 26) || i, 1950 + i % 50,
      jsonb_build_object('genres', jsonb_build_array('G' || i % 7)), now(), now(), now() from generate_series(1, 2000) i`)
  for (let round = 0; round < 5; round += 1) {
    await services.db.query(sql.unsafe`
      update media_items set sort_title = 'z' || sort_title, year = year + 1 where abs(hashtext(id::text)) % 5 = ${round}`)
    await services.db.query(
      sql.unsafe`delete from media_items where type = 'video' and abs(hashtext(id::text)) % 31 = ${round}`,
    )
  }
  const truth = (await services.db.one(sql.unsafe`
    select count(*) as items, count(*) filter (where year between 1960 and 1970) as years,
      count(*) filter (where metadata->'genres' ? 'G3') as genres from media_items where role is null`)) as Record<
    string,
    unknown
  >
  for (const [query, key] of [
    ['', 'items'],
    ['yearFrom=1960&yearTo=1970', 'years'],
    ['genres[]=G3', 'genres'],
  ] as const) {
    t.equal(pick((await get(`/media?${query}`)).json, 'total'), truth[key], key)
  }
  const letters = pick((await get('/media/letter-index')).json, 'letters') as { letter: string; offset: number }[]
  for (const { letter, offset } of letters) {
    const { json } = await get(`/media?sort=name&limit=1&offset=${offset}`)
    const title = String(pick(json, 'items', 0, 'sort_title')).toUpperCase()
    if (/[A-Z]/.test(letter)) t.equal(title[0], letter, `the first of ${letter} stands at ${offset}`)
  }
})

void t.test(
  'a detail has everything that clients read, bare and under item; files are for administrators',
  async (t) => {
    const { get, ids, registerAdmin } = await setup(t)
    const { json } = await get(`/media/${ids[0]}`)
    const { item, ...bare } = json as Record<string, unknown>
    t.strictSame(item, bare)
    t.match(bare, {
      runtime: 136,
      duration: 8160,
      tagline: 'Free your mind.',
      vote_average: 8.2,
      vote_count: 24_000,
      cast: CAST,
      crew: [{ name: 'Lana Wachowski', job: 'Director', profile_url: null }],
      tags: ['virtual reality'],
      production_companies: [{ name: 'Warner Bros.', logo_url: null, origin_country: 'US' }],
      studio: 'Warner Bros.',
      backdrop_url_large: null,
      logo_url: null,
      theme_audio_url: null,
      trailer_key: 'm8e-FF8MsqU',
      trailer_site: 'YouTube',
      trailer_url: 'https://www.youtube.com/watch?v=m8e-FF8MsqU',
      external_ids: { tmdb: '603', imdb: 'tt0133093' },
      metadata: { title: 'The Matrix', year: 1999, summary: 'A hacker learns.' },
      user_data: { favorite: false, rating: null, like_level: 0, watched: false },
    })
    t.notOk('files' in bare)
    const admin = await get(`/media/${ids[0]}`, (await registerAdmin()).token)
    t.match(pick(admin.json, 'files'), [{ path: /0\.mkv$/, size_bytes: 1000, container: 'matroska,webm', codec: null }])
    t.strictSame(pick((await get(`/media/${ids[1]}`)).json, 'cast'), [
      { name: 'Keanu Reeves', role: null, profile_url: null },
    ])
  },
)

void t.test('facets, letters and pieces of a list (document 4, 2.4)', async (t) => {
  const { get, libraryId } = await setup(t)
  const genres = ['Action', 'Animation', 'Comedy', 'Romance', 'Science Fiction', 'Thriller']
  const facets = (await get(`/media/facets?libraryId=${libraryId}`)).json
  t.strictSame(
    (pick(facets, 'genres') as string[]).map((word) => word.toLowerCase()),
    genres.map((word) => word.toLowerCase()),
  )
  t.strictSame(pick(facets, 'ratings'), ['G', 'PG', 'R'])
  t.strictSame((await get(`/media/facets?libraryId=${UNKNOWN}`)).json, { genres: [], ratings: [] })
  t.equal((await get('/media/facets?libraryId=x')).status, 400)
  const letters = [
    { letter: '#', offset: 0, count: 1 },
    { letter: 'A', offset: 1, count: 1 },
    { letter: 'J', offset: 2, count: 1 },
    { letter: 'M', offset: 3, count: 1 },
    { letter: 'P', offset: 4, count: 1 },
    { letter: '…', offset: 5, count: 1 },
  ]
  t.strictSame((await get('/media/letter-index?topLevel=1')).json, { letters, total: 6 })
  t.match((await get('/media/letter-index?genres[]=Action')).json, {
    letters: [
      { letter: 'J', offset: 0, count: 1 },
      { letter: 'M', offset: 1, count: 1 },
    ],
    total: 2,
  })
  t.match((await get('/media/index')).json, { field: 'name', total: 6, buckets: [{ key: '#', label: '#', offset: 0 }] })
  const buckets = async (query: string) => pick((await get(`/media/index?${query}`)).json, 'buckets')
  t.strictSame(await buckets('field=year&order=desc&yearFrom=2001'), [
    { key: '2016', label: '2016', offset: 0, count: 1 },
    { key: '2014', label: '2014', offset: 1, count: 1 },
    { key: '2001', label: '2001', offset: 2, count: 1 },
  ])
  t.match(((await buckets('field=year')) as unknown[]).at(-1), { key: '', label: 'Unknown', offset: 5, count: 1 })
  t.match(await buckets('field=rating'), [
    { label: 'G' },
    { label: 'PG' },
    { label: 'R', count: 3 },
    { label: 'Unknown' },
  ])
  t.match(await buckets('field=runtime&order=desc'), [{ label: '120–150 min', count: 2 }, { label: '90–120 min' }])
  t.match((await get('/media/index?field=date_added')).json, {
    field: 'date_added',
    buckets: [{ key: '2026-01', offset: 0, count: 6 }],
  })
})

void t.test(
  'search: title before people, words in any order, typing errors, 400 without words (document 4, 2.4)',
  async (t) => {
    const { get, names } = await setup(t, [
      ...FILMS,
      { name: 'Keanu', sortTitle: 'Keanu', year: 2016 },
      { name: 'Keanu Reeves: A Life', sortTitle: 'Keanu Reeves: A Life', year: 2020 },
    ])
    const found = await get('/media/search?q=%20AMELIE%20')
    t.match(found, {
      status: 200,
      json: { query: 'AMELIE', total: 1, limit: 50, offset: 0, items: [{ name: 'Amélie' }] },
    })
    for (const q of ['', '%20%20', '%00']) {
      const answer = await get(`/media/search?q=${q}`)
      if (q === '%00') t.equal(answer.status, 200)
      else t.match(answer, { status: 400, json: { code: 'invalid_request', field: 'q' } })
    }
    t.strictSame(await names('search=keanu reeves'), ['Keanu Reeves: A Life', 'John Wick', 'The Matrix'])
    t.strictSame(await names('search=keanu'), ['Keanu', 'Keanu Reeves: A Life'])
    t.strictSame(await names('search=odyssey space'), ['2001: A Space Odyssey'])
    for (const typo of ['matirx', 'the matrx', 'mattrix', 'matrux'])
      t.strictSame(await names(`search=${typo}`), ['The Matrix'], typo)
    t.strictSame(await names('search=jonh wick'), ['John Wick'])
    t.strictSame(await names('search=padington&yearFrom=2000'), [], 'filters hold for what is alike, too')
    t.strictSame(await names('search=at'), ['The Matrix'], 'two letters are found in the sorting name')
    t.strictSame(await names('search=' + encodeURIComponent('名')), ['君の名は'])
    t.strictSame(await names('search=the&topLevel=1'), ['The Matrix'], 'topLevel has no effect on a search')
  },
)

void t.test('a series: posters from above, next episodes, gaps, shuffling, removing', async (t) => {
  const numbers = ['1:1', '1:2', '1:4', '2:1', '0:1']
  const { get, ask, token, ids, registerAdmin, services, libraryId } = await setup(t, episodes(numbers))
  const top = (await get('/media?topLevel=1')).json
  t.match(top, { total: 1, items: [{ name: 'Show', type: 'series', path: null, parent_id: null }] })
  const series = String(pick(top, 'items', 0, 'id'))
  t.equal(pick((await get('/media')).json, 'total'), 9)
  t.equal(pick((await get('/media?types[]=episode')).json, 'total'), 5)
  t.strictSame(pick((await get('/media/letter-index?topLevel=1')).json, 'letters'), [
    { letter: 'S', offset: 0, count: 1 },
  ])
  await services.db.query(sql.unsafe`
    insert into provider_artwork (media_item_id, kind, url) values (${series}, 'poster', 'https://images.example/show.jpg')`)
  const episode = (await get(`/media/${ids[0]}`)).json
  t.match(pick(episode, 'poster_url'), /^\/api\/v1\/artwork\/.+[?&]sig=/)
  t.equal(pick(episode, 'poster_url'), pick((await get(`/media/${series}`)).json, 'poster_url'))
  t.match(pick(episode, 'poster_srcset'), / \d+w, /)

  t.strictSame((await get('/users/me/next-up')).json, { items: [] })
  await ask('POST', `/api/v1/media/${ids[1]}/watched`, { token, headers: { 'content-type': 'application/json' } })
  const next = (await get('/users/me/next-up?limit=500')).json
  t.match(next, {
    items: [{ id: ids[2], series_id: series, series_name: 'Show', position_ticks: 0, season_number: 1 }],
  })
  await ask('POST', `/api/v1/media/${ids[2]}/watched`, { token })
  t.equal(pick((await get('/users/me/next-up')).json, 'items', 0, 'id'), ids[3], 'on to the next season')
  await ask('POST', `/api/v1/media/${ids[3]}/watched`, { token })
  t.strictSame((await get('/users/me/next-up')).json, { items: [] }, 'nothing is left')

  t.strictSame((await get(`/media/${series}/missing-episodes`)).json, {
    total_expected: 5,
    total_existing: 4,
    missing_episodes: [{ season_number: 1, episode_number: 3 }],
  })
  const shuffled = await ask('POST', '/api/v1/shuffle', { token, body: { media_id: series } })
  t.same((pick(shuffled.json, 'shuffled_ids') as string[]).toSorted(), ids.toSorted())
  t.match(shuffled.json, { mode: 'shuffle', message: '5 items shuffled' })
  t.equal((await ask('POST', '/api/v1/shuffle', { token, body: {} })).status, 400)
  t.equal((await ask('POST', '/api/v1/shuffle', { token, body: { media_id: UNKNOWN } })).status, 404)

  const admin = (await registerAdmin()).token
  const items = await get(`/libraries/${libraryId}/items?type=season`)
  t.match(items.json, { total: 3, items: [{ type: 'season' }, {}, {}] })
  t.equal((await ask('DELETE', `/api/v1/media/${series}`, { token })).status, 403)
  t.match(await ask('DELETE', `/api/v1/media/${series}`, { token: admin }), {
    status: 200,
    json: { message: /removed/ },
  })
  t.equal((await ask('DELETE', `/api/v1/media/${series}`, { token: admin })).status, 404)
  t.match((await get('/media')).json, { total: 0, items: [] })
})

void t.test('similar items and recommendations, and their dismissal (document 4, 2.4 and 3)', async (t) => {
  const { get, ask, token, ids } = await setup(t)
  const similar = (await get(`/media/${ids[0]}/similar?limit=5`)).json
  t.match(similar, {
    items: [{ id: ids[1], title: 'John Wick', posterUrl: null, year: 2014, reason: 'With Keanu Reeves' }],
  })
  t.ok(Number(pick(similar, 'items', 0, 'score')) >= 0.5)
  t.equal((await get(`/media/${UNKNOWN}/similar`)).status, 404)
  const recommended = async () => pick((await get('/me/recommendations?limit=3')).json, 'recommendations') as unknown[]
  t.equal(pick((await recommended())[0], 'reason'), 'Recently added', 'nothing is known of the user yet')
  await ask('POST', `/api/v1/media/${ids[0]}/favorite`, { token })
  const [first] = await recommended()
  t.match(first, { id: ids[1], title: 'John Wick', reason: 'With Keanu Reeves', computedAt: /Z$/ })
  t.match(await ask('DELETE', `/api/v1/me/recommendations/${ids[1]}`, { token }), { status: 200 })
  t.notOk((await recommended()).some((row) => pick(row, 'id') === ids[1]))
  for (const id of [UNKNOWN, 'x']) {
    t.equal((await ask('DELETE', `/api/v1/me/recommendations/${id}`, { token })).status, 404)
  }
})

void t.test(
  'what was played: recently watched, history, most watched, and forgetting it (document 4, 3)',
  async (t) => {
    const { get, ask, token, ids, registerAdmin } = await setup(t)
    const session = String(
      pick((await ask('POST', '/api/v1/sessions', { token, body: { device_id: 'd' } })).json, 'session_id'),
    )
    const report = (media_item_id: string | undefined, position_ticks: number) =>
      ask('POST', `/api/v1/sessions/${session}/progress`, {
        token,
        body: { media_item_id, position_ticks, duration_ticks: 1_000_000_000, is_paused: false },
      })
    await report(ids[0], 250_000_000)
    await report(ids[1], 950_000_000)
    await ask('POST', `/api/v1/sessions/${session}/complete`, { token })
    const recent = (await get('/users/me/recently-watched?limit=5')).json
    t.match(recent, {
      items: [
        { id: ids[1], media_item_id: ids[1], playback_status: 'stopped', progress_percent: 100, position_ticks: 0 },
        {
          id: ids[0],
          name: 'The Matrix',
          type: 'movie',
          position_ticks: 250_000_000,
          progress_percent: 25,
          updated_at: /Z$/,
        },
      ],
    })
    t.equal(pick(recent, 'items', 1, 'metadata', 'duration_seconds'), 8160)
    t.match((await get('/me/history')).json, {
      items: [
        { id: ids[1], progress: 1 },
        { id: ids[0], progress: 0.25, media: { name: 'The Matrix' } },
      ],
      limit: 50,
      offset: 0,
    })
    t.match((await get('/media/most-watched')).json, { items: [{ id: ids[1] }], total: 1, limit: 20, offset: 0 })
    t.match((await get('/media/most-watched?limit=1000&offset=7')).json, { limit: 100, offset: 0 })

    const stranger = (await registerAdmin()).token
    t.strictSame((await get('/me/history', stranger)).json, { items: [], limit: 50, offset: 0 })
    t.equal((await ask('DELETE', `/api/v1/users/me/history/${ids[0]}`, { token: stranger })).status, 404)
    t.match(await ask('DELETE', `/api/v1/users/me/history/${ids[0]}`, { token }), {
      status: 200,
      json: { message: /history/ },
    })
    t.equal((pick((await get('/me/history')).json, 'items') as unknown[]).length, 1)
    t.equal((await ask('DELETE', '/api/v1/users/me/history/x', { token })).status, 404)
    await ask('DELETE', '/api/v1/users/me/history', { token, headers: { 'content-type': 'application/json' } })
    t.strictSame(pick((await get('/me/history')).json, 'items'), [])
    t.match((await ask('DELETE', '/api/v1/users/me/history', { token })).status, 200, 'nothing to forget is no failure')
    t.ok(pick((await get(`/media/${ids[1]}`)).json, 'user_data', 'watched'), 'the mark stays')
  },
)

void t.test('a download address is signed and plays without a token; what has no file has none', async (t) => {
  const { get, ids, services, libraryId } = await setup(t)
  t.match((await get(`/media/${ids[0]}/download`)).json, {
    url: new RegExp(`^/media/${ids[0]}/stream\\?exp=\\d+&sig=`),
  })
  const group = await services.db.oneFirst(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    values (${libraryId}, 'series', 'S', 'S', now(), now(), now()) returning id`)
  t.match(await get(`/media/${String(group)}/download`), { status: 404, json: { code: 'file_not_found' } })
  t.match(await get(`/media/${UNKNOWN}/download`), { status: 404, json: { code: 'media_item_not_found' } })
})

void t.test('settings: partial, each user’s own, of any content that is not too large (document 4, 1.6)', async (t) => {
  const { get, ask, token, registerAdmin } = await setup(t, [])
  t.match((await get('/users/me/settings')).json, {
    settings: {
      max_streams: null,
      max_bitrate: null,
      preferred_audio_language: null,
      preferred_subtitle_language: null,
      subtitle_mode: 'default',
      default_content_rating: null,
      transcoding_preferences: {},
      theme: 'system',
    },
  })
  const put = (path: string, body: unknown) => ask('PUT', `/api/v1${path}`, { token, body })
  t.match(await put('/users/me/settings', { theme: 'dark' }), { status: 200, json: { message: 'Settings saved' } })
  await put('/users/me/settings', { max_bitrate: 8_000_000, odd: { deep: ['\0x'] } })
  t.match((await get('/users/me/settings')).json, {
    settings: { theme: 'dark', max_bitrate: 8_000_000, odd: { deep: ['x'] } },
  })
  await put('/users/me/settings', { theme: null })
  t.equal(pick((await get('/users/me/settings')).json, 'settings', 'theme'), 'system')
  await put('/me/settings', { columns: 3 })
  t.strictSame((await get('/me/settings')).json, { columns: 3 })
  await put('/me/playback/preferences', { preferences: { crossfade: 4 } })
  t.strictSame((await get('/me/playback/preferences')).json, { preferences: { crossfade: 4 } })
  t.strictSame((await get('/me/settings', (await registerAdmin()).token)).json, {})
  t.match(await put('/me/settings', { big: 'x'.repeat(40_000) }), { status: 400, json: { code: 'invalid_settings' } })
  const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`
  t.match(await put('/me/settings', deep), { status: 400, json: { code: 'invalid_settings' } })
  for (const body of ['[1]', '"x"', 'null', '3']) t.equal((await put('/me/settings', body)).status, 400, body)
  t.strictSame((await get('/me/settings')).json, { columns: 3 })
})
