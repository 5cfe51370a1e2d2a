import t from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

void t.test('a list row has the keys of the contract and of the clients', async (t) => {
  const { ask, registerUser, services } = await startApp(t)
  const { token } = await registerUser()
  const { library, items } = await scanFilms(t, services, { 'The Film (1999).mp4': 'film-mp4' })
  const list = await ask('GET', '/api/v1/media', { token })
  t.equal(list.status, 200)
  t.match(list.json, { total: 1, limit: 50, offset: 0 })
  t.match(pick(list.json, 'items', 0), {
    id: items[0]?.id,
    library_id: library.id,
    name: 'The Film',
    type: 'movie',
    sort_title: 'Film',
    path: 'The Film (1999).mp4',
    // A frame of the film, because it has no other picture.
    poster_url: /-still-/,
    backdrop_url: /-still-/,
    genres: [],
    year: 1999,
    rating: null,
    runtime: 0,
    duration: 20,
    overview: null,
    actors: [],
    director: null,
    parent_id: null,
    season_number: null,
    episode_number: null,
    episode_title: null,
    air_date: null,
    created_at: /Z$/,
    updated_at: /Z$/,
  })
})

void t.test('filters, order and pages are read from the query', async (t) => {
  const { ask, registerUser, services } = await startApp(t)
  const { token } = await registerUser()
  const { library } = await scanFilms(t, services, {
    'Alpha (2001).mp4': 'film-tiny-mp4',
    'The Beta (1999).mp4': 'film-tiny-mp4',
    'Gamma (2000).mp4': 'film-tiny-mp4',
  })
  const names = async (query: string): Promise<unknown[]> => {
    const { json } = await ask('GET', `/api/v1/media?${query}`, { token })
    return (pick(json, 'items') as unknown[]).map((item) => pick(item, 'name'))
  }
  t.same(await names(''), ['Alpha', 'The Beta', 'Gamma'])
  t.same(await names('order=desc'), ['Gamma', 'The Beta', 'Alpha'])
  t.same(await names('sort=year'), ['The Beta', 'Gamma', 'Alpha'])
  t.same(await names('sort=name;drop%20table'), ['Alpha', 'The Beta', 'Gamma'], 'an unknown order is by name')
  t.same(await names('search=bet'), ['The Beta'])
  t.same(await names('search='), ['Alpha', 'The Beta', 'Gamma'], 'a blank parameter is none')
  t.same(await names('topLevel=1&limit=2'), ['Alpha', 'The Beta'])
  t.same(await names('limit=2&offset=2'), ['Gamma'])
  t.same(await names('offset=50'), [])
  t.same(await names(`libraryId=${library.id}`), ['Alpha', 'The Beta', 'Gamma'])
  t.same(await names(`libraryId=${UNKNOWN}`), [])
  t.same(await names(`parentId=${UNKNOWN}`), [])
})

void t.test('pages are clamped, and a value that is no number is named (IN-04)', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const page = async (query: string): Promise<unknown> => (await ask('GET', `/api/v1/media?${query}`, { token })).json
  t.match(await page('limit=0&offset=-1'), { limit: 1, offset: 0 })
  t.match(await page('limit=101'), { limit: 100 })
  t.match(await page('limit=1000000000'), { limit: 100 })
  t.match(await page('limit=9007199254740993'), { limit: 100 })
  t.match(await page('limit=&offset='), { limit: 50, offset: 0 })
  t.match(await page('limit=1e400'), { code: 'invalid_request', field: 'limit' })
  t.match(await page('limit=abc'), { code: 'invalid_request', field: 'limit' })
  t.match(await page('offset=abc'), { code: 'invalid_request', field: 'offset' })
  t.match(await page('offset=9007199254740991'), { items: [], total: 0 })
})

void t.test('parentId and topLevel exclude each other; a malformed id is named', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const both = await ask('GET', `/api/v1/media?parentId=${UNKNOWN}&topLevel=true`, { token })
  t.match(both, { status: 400, json: { code: 'invalid_request' } })
  const malformed = await ask('GET', '/api/v1/media?libraryId=x', { token })
  t.match(malformed, { status: 400, json: { code: 'invalid_request', field: 'libraryId' } })
})

void t.test('a detail has the bare keys and the same under item, a signed address and its streams', async (t) => {
  const { ask, registerUser, services } = await startApp(t)
  const { token } = await registerUser()
  const { items } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-mp4' })
  const id = items[0]?.id ?? ''
  const detail = await ask('GET', `/api/v1/media/${id}`, { token })
  t.equal(detail.status, 200)
  const { item, ...bare } = detail.json as Record<string, unknown>
  t.same(item, bare)
  t.match(bare, {
    id,
    name: 'A film',
    type: 'movie',
    duration: 20,
    path: /A film \(1999\)\.mp4$/,
    stream_url: new RegExp(`^/media/${id}/stream\\?exp=\\d+&sig=[\\w-]{88}$`),
    user_data: { favorite: false, rating: null, like_level: 0 },
    metadata: { title: 'A film', year: 1999, source: { width: 640, height: 360 } },
    streams: [
      { media_item_id: id, stream_index: 0, stream_type: 'video', codec: 'h264', width: 640, height: 360 },
      { media_item_id: id, stream_index: 1, stream_type: 'audio', codec: 'aac', channels: 2 },
    ],
  })
})

void t.test('an unknown or malformed id is 404', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  for (const id of [UNKNOWN, '1', "x'%20or%201=1", '%00', 'stream']) {
    const answer = await ask('GET', `/api/v1/media/${id}`, { token })
    t.match(answer, { status: 404, json: { error: 'Media item not found', code: 'media_item_not_found' } }, id)
  }
})
