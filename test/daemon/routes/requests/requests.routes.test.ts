import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { pick, startApp, type TestApp } from '../../../support/app.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const MOVIE = { type: 'movie', catalog_id: 603, title: 'The Matrix' }
const OWN = '/api/v1/me/requests'

async function setUp(t: Test) {
  const server = await startApp(t)
  return { server, ask: server.ask, owner: await server.registerUser(), admin: await server.registerAdmin() }
}

async function submit({ ask }: TestApp, token: string, body: object = MOVIE): Promise<string> {
  const answer = await ask('POST', OWN, { token, body })
  return String(pick(answer.json, 'request', 'id'))
}

async function setStatus({ services }: TestApp, id: string, status: string): Promise<void> {
  await services.db.query(sql.unsafe`update media_requests set status = ${status} where id = ${id}`)
}

void t.test('a request is noted as pending and belongs to who made it', async (t) => {
  const { ask, owner } = await setUp(t)
  const answer = await ask('POST', OWN, {
    token: owner.token,
    body: { ...MOVIE, poster_url: 'https://x.example/p.jpg' },
  })
  t.equal(answer.status, 201)
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  t.match(answer.json, {
    message: String,
    request: {
      ...MOVIE,
      tmdb_id: 603,
      user_id: owner.account.id,
      status: 'pending',
      created_at: time,
      updated_at: time,
    },
  })
  t.match(pick(answer.json, 'request'), {
    poster_url: 'https://x.example/p.jpg',
    season: null,
    episode: null,
    rejection_reason: null,
  })
  const id = String(pick(answer.json, 'request', 'id'))
  const one = await ask('GET', `${OWN}/${id}`, { token: owner.token })
  t.strictSame(one.json, { request: pick(answer.json, 'request') })
})

void t.test('tmdb_id is read where catalog_id is not sent', async (t) => {
  const { ask, owner } = await setUp(t)
  const body = { type: 'series', tmdb_id: 1396, title: 'Breaking Bad', season: 1, episode: 2 }
  t.match(await ask('POST', OWN, { token: owner.token, body }), {
    status: 201,
    json: { request: { catalog_id: 1396, season: 1, episode: 2 } },
  })
})

void t.test('bad requests answer 400 with the codes of the interface', async (t) => {
  const { ask, owner } = await setUp(t)
  for (const [body, code] of [
    [{ ...MOVIE, type: 'book' }, 'invalid_type'],
    [{ ...MOVIE, catalog_id: '603' }, 'invalid_catalog_id'],
    [{ ...MOVIE, title: ' ' }, 'missing_title'],
    [{ ...MOVIE, type: 'series' }, 'missing_season'],
    [{ ...MOVIE, type: 'series', season: 1 }, 'missing_episode'],
  ] as const) {
    const answer = await ask('POST', OWN, { token: owner.token, body })
    t.match(answer, { status: 400, json: { error: String, code } })
  }
})

void t.test('a list shows only one’s own, newest first, and can be narrowed to a status', async (t) => {
  const { server, ask, owner, admin } = await setUp(t)
  const first = await submit(server, owner.token)
  const second = await submit(server, owner.token, { ...MOVIE, title: 'Another' })
  await submit(server, admin.token)
  await setStatus(server, first, 'available')
  const idsOf = async (query: string): Promise<string[]> => {
    const { json } = await ask('GET', `${OWN}${query}`, { token: owner.token })
    const rows = pick(json, 'requests') as { id: string }[]
    t.equal(pick(json, 'count'), rows.length)
    return rows.map(({ id }) => id)
  }
  t.strictSame((await idsOf('')).toSorted(), [first, second].toSorted())
  t.strictSame((await idsOf('?status=all')).length, 2)
  t.strictSame(await idsOf('?status=pending'), [second])
  t.strictSame(await idsOf('?status=available'), [first])
  t.match(await ask('GET', `${OWN}?status=odd`, { token: owner.token }), { status: 400, json: { field: 'status' } })
})

void t.test('a pending request can be taken back, a decided one cannot', async (t) => {
  const { server, ask, owner } = await setUp(t)
  const id = await submit(server, owner.token)
  const gone = await ask('DELETE', `${OWN}/${id}`, { token: owner.token })
  t.equal(gone.status, 204)
  t.equal(gone.text, '')
  t.match(await ask('GET', `${OWN}/${id}`, { token: owner.token }), {
    status: 404,
    json: { code: 'request_not_found' },
  })
  for (const status of ['approved', 'available', 'rejected']) {
    const decided = await submit(server, owner.token)
    await setStatus(server, decided, status)
    const answer = await ask('DELETE', `${OWN}/${decided}`, { token: owner.token })
    t.match(answer, { status: 409, json: { code: 'request_not_pending' } })
    t.equal((await ask('GET', `${OWN}/${decided}`, { token: owner.token })).status, 200)
  }
})

void t.test('another user’s request can be neither read nor deleted (AZ-08)', async (t) => {
  const { server, ask, owner, admin } = await setUp(t)
  const id = await submit(server, owner.token)
  for (const method of ['GET', 'DELETE']) {
    const foreign = await ask(method, `${OWN}/${id}`, { token: admin.token })
    t.equal(foreign.status, 403)
    t.match(foreign.json, { error: String, code: 'not_request_owner' })
    for (const unknown of [UNKNOWN, '1', '%27%20or%201%3D1', '..%2f..', '%00', `${id}x`]) {
      const answer = await ask(method, `${OWN}/${unknown}`, { token: admin.token })
      t.match(answer, { status: 404, json: { error: 'Request not found', code: 'request_not_found' } }, unknown)
    }
  }
  const row = await ask('GET', `${OWN}/${id}`, { token: owner.token })
  t.match(row, { status: 200, json: { request: { status: 'pending', title: 'The Matrix' } } })
})

void t.test(
  'administrators see the requests of all users, by default the pending ones; others get admin_required',
  async (t) => {
    const { server, ask, owner, admin } = await setUp(t)
    const id = await submit(server, owner.token)
    const done = await submit(server, owner.token)
    await setStatus(server, done, 'available')
    const list = '/api/v1/admin/requests'
    t.match(await ask('GET', list, { token: admin.token }), { status: 200, json: { requests: [{ id }], count: 1 } })
    t.match(await ask('GET', `${list}?status=all`, { token: admin.token }), { json: { count: 2 } })
    const refused = await ask('GET', list, { token: owner.token })
    t.equal(refused.status, 403)
    t.strictSame(refused.json, { error: 'Forbidden', code: 'admin_required' })
  },
)
