import t from 'tap'
import { sql } from 'slonik'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { HOSTILE_TEXTS, INVALID_ENCODINGS } from '../../../support/hostile-texts.ts'

/** One server for all tests of this file. */
const server = await startApp(t)
const { ask, services } = server
const { token } = await server.registerUser()
const admin = (await server.registerAdmin()).token
const [id = ''] = await makeItems(services.db, t.testdir(), [
  { name: 'The Film', sortTitle: 'Film', metadata: { genres: ['Drama'], rating: 'R', vote_average: 5 } },
  { name: "100% Wolf's _tail_", sortTitle: "100% Wolf's _tail_" },
])
const get = (path: string) => ask('GET', `/api/v1${path}`, { token })

const ROUTES = [
  '/media',
  '/media/facets',
  '/media/letter-index',
  '/media/index',
  '/media/search',
  '/media/most-watched',
  `/media/${id}/similar`,
  '/users/me/next-up',
  '/users/me/recently-watched',
  '/users/me/continue-watching',
  '/users/me/favorites',
  '/me/history',
  '/me/recommendations',
]

const FIELDS = [
  'libraryId',
  'parentId',
  'topLevel',
  'search',
  'q',
  'genres[]',
  'ratings[]',
  'actors[]',
  'companies[]',
  'types[]',
  'yearFrom',
  'yearTo',
  'match',
  'minRating',
  'maxRating',
  'sort',
  'order',
  'limit',
  'offset',
  'field',
]

const encoded = encodeURIComponent
const VALUES = [
  ...HOSTILE_TEXTS,
  '%%%',
  '((((',
  '1); drop table media_items; --',
  '!',
  '!%',
  "' union select password_hash from users --",
].map(encoded)
const RAW = [...INVALID_ENCODINGS, '%c0%af']

void t.test('no value of any parameter is more than a parameter (IN-01)', async (t) => {
  for (const route of ROUTES) {
    for (const field of FIELDS) {
      for (const value of route === '/media' ? [...VALUES, ...RAW] : RAW) {
        const { status, json } = await get(`${route}?${encoded(field)}=${value}`)
        if (![200, 400].includes(status)) t.fail(`${route} ${field}=${value} was answered ${status}`)
        if (status === 400) t.equal(typeof pick(json, 'error'), 'string')
      }
    }
  }
  const odd = [
    'limit=1&limit=2',
    'sort[]=name&sort[]=year',
    'a[]=1',
    'genres[a]=1',
    'genres[99999]=Drama',
    '&&&=&=1',
    'topLevel[]=1',
  ]
  for (const query of odd) t.ok([200, 400].includes((await get(`/media?${query}`)).status), query)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from media_items`), 2)
})

void t.test(
  'a parameter of a megabyte is refused before it is read, many parameters are cut off (IN-01)',
  async (t) => {
    const answer = await get(`/media?search=${'x'.repeat(1_000_000)}`).catch(() => ({ status: 431 }))
    t.ok([414, 431].includes(answer.status), `was answered ${answer.status}`)
    const many = Array.from({ length: 600 }, (_, index) => `genres[]=${index}`).join('&')
    t.match(await get(`/media?${many}`), { status: 200, json: { total: 0 } })
  },
)

void t.test('orders come from a fixed list, whatever is asked for (IN-02)', async (t) => {
  const names = async (query: string) =>
    (pick((await get(`/media?${query}`)).json, 'items') as unknown[]).map((i) => pick(i, 'name'))
  const usual = await names('')
  for (const sort of [
    'name;drop table media_items',
    'password_hash',
    '__proto__',
    'constructor',
    'relevance',
    'position',
    '1',
    'id',
  ]) {
    t.strictSame(await names(`sort=${encoded(sort)}`), usual, sort)
    t.equal((await get(`/media/index?field=${encoded(sort)}`)).status, 200)
  }
  for (const order of ['asc,(select 1)', 'desc;--', 'DESCENDING', 'nulls first']) {
    t.strictSame(await names(`order=${encoded(order)}`), usual, order)
  }
  t.strictSame(await names('order=DESC'), usual.toReversed())
})

void t.test('every character of a search means itself, and no search is long (IN-03)', async (t) => {
  const found = async (search: string) => pick((await get(`/media?search=${encoded(search)}`)).json, 'total')
  t.equal(await found('100%'), 1)
  t.equal(await found('_tail_'), 1)
  t.equal(await found("wolf's"), 1)
  for (const search of ['%%%%', '((((', '\\', '____', '!!!', '%_%', '🎬', '* | & !', 'a:*', 'x'.repeat(5000)]) {
    t.equal(await found(search), 0, search.slice(0, 10))
  }
  t.equal(await found(`film${' '.repeat(300)}nothing`), 1, 'what lies beyond 256 characters is not read')
  t.equal(
    await found(
      Array.from({ length: 200 }, () => 'film')
        .join(' ')
        .slice(0, 256),
    ),
    1,
    'a word counts once',
  )
  t.equal(await found('f'), 2)
  t.equal(await found('\u0301'.repeat(300)), 2, 'accents alone are nothing to search for')
})

void t.test('pages are clamped everywhere, and years and scores may be any number (IN-04)', async (t) => {
  for (const route of [
    '/media',
    '/media/search?q=film',
    '/users/me/favorites',
    '/users/me/recently-watched',
    '/me/history',
  ]) {
    const join = route.includes('?') ? '&' : '?'
    t.match((await get(`${route}${join}limit=0&offset=-1`)).json, { limit: 1, offset: 0 }, route)
    t.match((await get(`${route}${join}limit=101`)).json, { limit: 100 }, route)
    t.match(await get(`${route}${join}offset=9007199254740991`), { status: 200, json: { items: [] } }, route)
    t.match(await get(`${route}${join}limit=abc`), { status: 400, json: { field: 'limit' } }, route)
  }
  for (const limit of ['-5', '0', '1e9', '9007199254740993']) {
    for (const route of ['/users/me/next-up', '/me/recommendations', `/media/${id}/similar`, '/media/most-watched']) {
      t.equal((await get(`${route}?limit=${limit}`)).status, 200, `${route} ${limit}`)
    }
  }
  for (const year of ['-9e300', '9e300', '2147483648', '-2147483649']) {
    t.equal((await get(`/media?yearFrom=${year}`)).status, 200, year)
    t.equal((await get(`/media?yearTo=${year}&genres[]=Drama`)).status, 200, year)
  }
  for (const score of ['-999999999999999', '999999999999999.999999999999999', '0.000000000000001']) {
    t.equal((await get(`/media?minRating=${score}`)).status, 200, score)
  }
})

void t.test('undeclared fields change nothing (IN-05)', async (t) => {
  const texts = ['id', 'user_id', 'owner_id', 'created_at', 'library_id', 'status', 'media_item_id', 'watched_at']
  const extra = { ...Object.fromEntries(texts.map((name) => [name, 'x'])), is_admin: true, is_smart: true }
  const before = await services.db.any(sql.unsafe`
    select u.id, u.is_admin, u.username, (select jsonb_agg(to_jsonb(i) - 'updated_at' order by i.id) from media_items i) as items from users u order by 1`)
  const user = { token, body: { ...extra, level: 1, rating: 5, media_id: id, theme: 'dark' } }
  t.equal((await ask('POST', `/api/v1/media/${id}/favorite`, user)).status, 200)
  t.equal((await ask('POST', `/api/v1/media/${id}/watched`, user)).status, 200)
  t.equal((await ask('PUT', `/api/v1/media/${id}/rating`, user)).status, 200)
  t.equal((await ask('PUT', `/api/v1/media/${id}/like`, user)).status, 200)
  t.equal((await ask('POST', '/api/v1/shuffle', user)).status, 200)
  t.equal((await ask('PUT', '/api/v1/users/me/settings', user)).status, 200)
  const after = await services.db.any(sql.unsafe`
    select u.id, u.is_admin, u.username, (select jsonb_agg(to_jsonb(i) - 'updated_at' order by i.id) from media_items i) as items from users u order by 1`)
  t.strictSame(after, before)
  t.match(await services.db.one(sql.unsafe`select profile_id, media_item_id, rating, like_level from user_items`), {
    mediaItemId: id,
    rating: 5,
    likeLevel: 1,
  })
})

void t.test('metadata with names that every object has are data (IN-11)', async (t) => {
  const metadata =
    '{"__proto__":{"polluted":1},"constructor":"c","toString":"s","hasOwnProperty":1,"genres":{"a":1},"cast":"x","rating":{},"actors":[1,null,{"name":2}],"external_ids":["x"],"vote_average":"9","trailer_url":5,"tags":[[]]}'
  await services.db.query(sql.unsafe`update media_items set metadata = ${metadata}::jsonb where id = ${id}`)
  const detail = await get(`/media/${id}`)
  t.match(detail, {
    status: 200,
    json: {
      genres: [],
      cast: [],
      actors: [],
      rating: null,
      external_ids: {},
      vote_average: null,
      trailer_url: null,
      tags: [],
    },
  })
  t.match(detail.text, /"constructor":"c"/)
  for (const path of ['/media', '/media/facets', '/media/search?q=film', '/media/index?field=rating'])
    t.equal((await get(path)).status, 200, path)
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
  const numbers = '{"vote_average":1e400,"genres":["", " ", 5, "\\u0000x"], "rating":" "}'.replace(', "\\u0000x"', '')
  await services.db.query(sql.unsafe`update media_items set metadata = ${numbers}::jsonb where id = ${id}`)
  t.match((await get('/media/facets')).json, { genres: [], ratings: [] })
  const long = JSON.stringify({
    genres: ['g'.repeat(100_000)],
    actors: Array.from({ length: 5000 }, (_, n) => `Actor ${n}`),
  })
  await services.db.query(sql.unsafe`update media_items set metadata = ${long}::jsonb where id = ${id}`)
  t.equal(
    pick((await get(`/media?genres[]=${'g'.repeat(5000)}`)).json, 'total'),
    1,
    'both sides of a comparison are truncated equally',
  )
  t.equal((await ask('DELETE', `/api/v1/media/${id}`, { token: admin })).status, 200)
})

void t.test('hundreds of filter values use the same statement as one', async (t) => {
  const seen: string[] = []
  const ask = services.db.oneFirst.bind(services.db)
  t.teardown(() => Object.assign(services.db, { oneFirst: ask }))
  Object.assign(services.db, {
    oneFirst(query: { sql: string }) {
      seen.push(query.sql)
      return (ask as (query: unknown) => Promise<unknown>)(query)
    },
  })
  const lengthsOf = async (count: number) => {
    seen.length = 0
    const words = Array.from({ length: count }, (_, index) => `w${count}-${index}`)
    const list = words.map((word) => `genres[]=${word}&actors[]=${word}`).join('&')
    t.match(await get(`/media?sort=year&${list}`), { status: 200, json: { total: 0 } })
    return seen.map((text) => text.length)
  }
  const one = await lengthsOf(1)
  t.ok(one.length > 0)
  t.strictSame(await lengthsOf(100), one)
})
