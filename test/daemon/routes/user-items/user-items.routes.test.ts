import t, { type Test } from 'tap'
import { pick, scanFilms, startApp, type Answer } from '../../../support/app.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const BAD_LEVEL = { error: 'level must be an integer between -2 and 2' }
const BAD_RATING = {
  field: 'rating',
  error: 'Invalid request',
  code: 'invalid_request',
  message: 'rating must be an integer between 1 and 10, or null',
}
const NOT_FOUND = { error: 'Media item not found', code: 'media_item_not_found' }
const NOTHING = { favorite: false, rating: null, like_level: 0, watched: false }

/** A daemon with two films and two accounts. */
async function setup(t: Test) {
  const given = await startApp(t)
  const { ask, registerAdmin, registerUser, services } = given
  const [{ token }, { token: otherToken }] = [await registerUser(), await registerAdmin()]
  const { items } = await scanFilms(t, services, {
    'Alpha (2001).mp4': 'film-tiny-mp4',
    'Beta (2002).mp4': 'film-tiny-mp4',
  })
  const [first = '', second = ''] = items.map(({ id }) => id)
  const userData = async (id: string, reader = token): Promise<unknown> => {
    const { json } = await ask('GET', `/api/v1/media/${id}`, { token: reader })
    t.strictSame(pick(json, 'item', 'user_data'), pick(json, 'user_data'), 'both places say the same')
    return pick(json, 'user_data')
  }
  const on = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(method, `/api/v1/media/${path}`, { token, ...(body === undefined ? {} : { body }) })
  return { ...given, token, otherToken, first, second, userData, on }
}

function is(t: Test, { status, json }: Answer, wanted: { status: number; json: unknown }, claim = ''): void {
  t.strictSame({ status, json }, wanted, claim)
}

void t.test('a favourite is set and removed by its account only', async (t) => {
  const { on, userData, first, otherToken } = await setup(t)
  t.strictSame(await userData(first), NOTHING, 'without a stored row')
  for (let times = 0; times < 2; times += 1) {
    is(t, await on('POST', `${first}/favorite`), { status: 200, json: { message: 'Added to favorites' } })
    t.strictSame(await userData(first), { ...NOTHING, favorite: true })
  }
  t.strictSame(await userData(first, otherToken), NOTHING)
  for (let times = 0; times < 2; times += 1) {
    is(t, await on('DELETE', `${first}/favorite`), { status: 200, json: { message: 'Removed from favorites' } })
    t.strictSame(await userData(first), NOTHING)
  }
})

void t.test('a rating is set, cleared by null and removed', async (t) => {
  const { on, userData, first } = await setup(t)
  for (const rating of [1, 10, 7]) {
    is(t, await on('PUT', `${first}/rating`, { rating }), { status: 200, json: { message: 'Rating saved' } })
    t.strictSame(await userData(first), { ...NOTHING, rating })
  }
  is(t, await on('PUT', `${first}/rating`, { rating: null }), { status: 200, json: { message: 'Rating removed' } })
  t.strictSame(await userData(first), NOTHING)
  await on('PUT', `${first}/rating`, '{"rating": 4.0, "user_id": "x", "favorite": true}')
  t.strictSame(await userData(first), { ...NOTHING, rating: 4 }, 'what else is in the body is ignored (IN-05)')
  is(t, await on('DELETE', `${first}/rating`), { status: 200, json: { message: 'Rating removed' } })
  t.strictSame(await userData(first), NOTHING)
})

void t.test('a value that is no rating is 400 and names the field (IN-07)', async (t) => {
  const { on, userData, first } = await setup(t)
  await on('PUT', `${first}/rating`, { rating: 5 })
  const values = [
    '0',
    '11',
    '-1',
    '3.5',
    '5.5',
    '"2"',
    '"5"',
    '""',
    'true',
    'false',
    '[2]',
    '[]',
    '{}',
    '1e400',
    '-1e400',
  ]
  for (const value of values) {
    is(t, await on('PUT', `${first}/rating`, `{"rating": ${value}}`), { status: 400, json: BAD_RATING }, value)
  }
  is(t, await on('PUT', `${first}/rating`, {}), { status: 400, json: BAD_RATING }, 'nothing in the body')
  is(t, await on('PUT', `${first}/rating`, ''), { status: 400, json: BAD_RATING }, 'an empty body')
  is(t, await on('PUT', `${first}/rating`), { status: 400, json: BAD_RATING }, 'no body')
  for (const body of ['null', '[]', '5', '"5"']) {
    t.match(await on('PUT', `${first}/rating`, body), { status: 400, json: { code: 'invalid_request' } }, body)
  }
  for (const body of [
    '{',
    'NaN',
    '{"rating": NaN}',
    '{"rating": 0x5}',
    '{"rating": ५}',
    '{"__proto__": {"rating": 5}}',
  ]) {
    t.match(await on('PUT', `${first}/rating`, body), { status: 400, json: { code: 'invalid_json' } }, body)
  }
  t.strictSame(await userData(first), { ...NOTHING, rating: 5 }, 'nothing was changed')
})

void t.test('a like level is set from -2 to 2', async (t) => {
  const { on, userData, first } = await setup(t)
  for (const level of [-2, -1, 1, 2, 0]) {
    is(t, await on('PUT', `${first}/like`, { level }), { status: 200, json: { message: 'Like level saved' } })
    t.strictSame(await userData(first), { ...NOTHING, like_level: level })
  }
  t.match(await on('PUT', `${first}/like`, '{"level": -0}'), { status: 200 })
  t.strictSame(await userData(first), NOTHING)
})

void t.test('a level that is missing or no integer gets the exact reply of the contract (IN-06)', async (t) => {
  const { on, userData, first } = await setup(t)
  await on('PUT', `${first}/like`, { level: 1 })
  const bodies = ['{}', '{"like_level": 1}', 'null', '[]', '[2]', '2', '"level"', 'true', '']
  for (const value of ['null', '"2"', 'true', '2.5', '[2]', '{}', '1e400', '""']) bodies.push(`{"level": ${value}}`)
  for (const body of bodies) {
    const answer = await on('PUT', `${first}/like`, body)
    is(t, answer, { status: 400, json: BAD_LEVEL }, body)
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  }
  is(t, await on('PUT', `${first}/like`), { status: 400, json: BAD_LEVEL }, 'no body, as one client sends it')
  for (const level of [3, -3, 100, 9007199254740991]) {
    const error = `like_level must be between -2 and 2 (inclusive), got ${level}`
    const json = { error, code: 'like_level_out_of_range' }
    is(t, await on('PUT', `${first}/like`, { level }), { status: 400, json })
  }
  t.match(await on('PUT', `${first}/like`, '{'), { status: 400, json: { code: 'invalid_json' } })
  t.strictSame(await userData(first), { ...NOTHING, like_level: 1 }, 'nothing was changed')
})

void t.test('an item is marked as watched and as unwatched', async (t) => {
  const { on, userData, first, second } = await setup(t)
  is(t, await on('POST', `${first}/watched`), { status: 200, json: { message: 'Marked as watched' } })
  is(t, await on('POST', `${first}/watched`, {}), { status: 200, json: { message: 'Marked as watched' } })
  t.strictSame(await userData(first), { ...NOTHING, watched: true })
  t.strictSame(await userData(second), NOTHING)
  is(t, await on('POST', `${first}/unwatched`), { status: 200, json: { message: 'Marked as unwatched' } })
  t.strictSame(await userData(first), NOTHING)
  is(t, await on('POST', `${second}/unwatched`), { status: 200, json: { message: 'Marked as unwatched' } })
})

const ROUTES: readonly [method: string, route: string, body?: unknown][] = [
  ['POST', 'favorite'],
  ['DELETE', 'favorite'],
  ['PUT', 'rating', { rating: 5 }],
  ['DELETE', 'rating'],
  ['PUT', 'like', { level: 1 }],
  ['POST', 'watched'],
  ['POST', 'unwatched'],
]

void t.test('an empty body with a JSON content type counts as no body', async (t) => {
  const { ask, token, first } = await setup(t)
  for (const [method, route, body] of ROUTES) {
    if (body !== undefined) continue
    const answer = await ask(method, `/api/v1/media/${first}/${route}`, { token, body: '' })
    t.match(answer, { status: 200, json: { message: String } }, `${method} ${route}`)
  }
})

void t.test('an unknown or malformed id is 404, after the body was judged', async (t) => {
  const { on } = await setup(t)
  for (const id of [UNKNOWN, UNKNOWN.toUpperCase(), '1', "x'%20or%201=1", '%00', '%F0%9F%8E%AC']) {
    for (const [method, route, body] of ROUTES) {
      is(t, await on(method, `${id}/${route}`, body), { status: 404, json: NOT_FOUND }, `${method} ${id}/${route}`)
    }
    is(t, await on('PUT', `${id}/rating`, { rating: 11 }), { status: 400, json: BAD_RATING }, 'the body comes first')
    is(t, await on('PUT', `${id}/like`, {}), { status: 400, json: BAD_LEVEL })
  }
})

void t.test('an id is read without regard to case', async (t) => {
  const { on, userData, first } = await setup(t)
  t.match(await on('POST', `${first.toUpperCase()}/favorite`), { status: 200 })
  t.strictSame(await userData(first), { ...NOTHING, favorite: true })
  t.strictSame(await userData(first.toUpperCase()), { ...NOTHING, favorite: true })
})

void t.test('without a token everything is 401, whatever the body and the id (AZ-01)', async (t) => {
  const { ask } = await startApp(t)
  const wanted = { status: 401, json: { error: 'Unauthorized', code: 'auth.required' } }
  for (const [method, route] of ROUTES) {
    for (const id of [UNKNOWN, '1']) {
      const path = `/api/v1/media/${id}/${route}`
      is(t, await ask(method, path), wanted, `${method} ${path}`)
      is(t, await ask(method, path, { body: '{' }), wanted)
    }
  }
  is(t, await ask('GET', '/api/v1/users/me/favorites'), wanted)
})

void t.test('the favourites list has rows with user_data, limit and offset, and no total', async (t) => {
  const { ask, on, token, otherToken, first, second } = await setup(t)
  const list = async (query = '', reader = token): Promise<unknown> =>
    (await ask('GET', `/api/v1/users/me/favorites${query}`, { token: reader })).json
  t.strictSame(await list(), { items: [], limit: 50, offset: 0 })
  await on('POST', `${first}/favorite`)
  await on('POST', `${second}/favorite`)
  await on('PUT', `${first}/rating`, { rating: 3 })
  await on('PUT', `${first}/like`, { level: 2 })
  await on('POST', `${first}/watched`)
  const { json: media } = await ask('GET', '/api/v1/media', { token })
  const rowOf = (id: string) => (pick(media, 'items') as object[]).find((row) => pick(row, 'id') === id)
  const firstRow = { ...rowOf(first), user_data: { favorite: true, rating: 3, like_level: 2, watched: true } }
  const secondRow = { ...rowOf(second), user_data: { ...NOTHING, favorite: true } }
  t.strictSame(await list(), { items: [secondRow, firstRow], limit: 50, offset: 0 }, 'the newest comes first')
  t.strictSame(await list('?limit=1'), { items: [secondRow], limit: 1, offset: 0 })
  t.strictSame(await list('?limit=1&offset=1'), { items: [firstRow], limit: 1, offset: 1 })
  t.strictSame(await list('?offset=2'), { items: [], limit: 50, offset: 2 })
  t.strictSame(await list('', otherToken), { items: [], limit: 50, offset: 0 }, 'another account has its own')
})

void t.test(
  'limit and offset of the favourites are clamped, and a value that is no number is named (IN-04)',
  async (t) => {
    const { ask, registerUser } = await startApp(t)
    const { token } = await registerUser()
    const page = (query: string): Promise<Answer> => ask('GET', `/api/v1/users/me/favorites?${query}`, { token })
    const clamps: [query: string, limit: number, offset: number][] = [
      ['limit=0&offset=-1', 1, 0],
      ['limit=-5', 1, 0],
      ['limit=1', 1, 0],
      ['limit=100', 100, 0],
      ['limit=101', 100, 0],
      ['limit=1000000000', 100, 0],
      ['limit=9007199254740993', 100, 0],
      ['limit=&offset=', 50, 0],
      ['offset=9007199254740991', 50, 9007199254740991],
    ]
    for (const [query, limit, offset] of clamps) {
      is(t, await page(query), { status: 200, json: { items: [], limit, offset } }, query)
    }
    for (const query of ['limit=abc', 'limit=1e400', 'limit=1.5', 'limit=NaN', 'limit=1&limit=2', "limit=1'"]) {
      t.match(await page(query), { status: 400, json: { code: 'invalid_request', field: 'limit' } }, query)
    }
    t.match(await page('offset=abc'), { status: 400, json: { code: 'invalid_request', field: 'offset' } })
  },
)
