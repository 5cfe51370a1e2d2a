import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { readUserData } from '../../../../src/core/user-items/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

const SECOND = 10_000_000
const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NO_MARKERS = { skip_intro_start: null, skip_intro_end: null, skip_outro_start: null, skip_outro_end: null }

/** The application with a user and films of 100 s, and requests with the user's token. */
async function setup(t: Test) {
  const app = await startApp(t)
  const { account, token } = await app.registerUser()
  const chapters = [{ startSeconds: 0, endSeconds: 60, title: 'One' }]
  const items = await makeItems(app.services.db, t.testdir(), [{ chapters }, {}, {}])
  const [item = ''] = items
  const post = (path: string, body?: unknown) =>
    app.ask('POST', `/api/v1/sessions${path}`, { token, ...(body === undefined ? {} : { body }) })
  const get = async (path: string) => (await app.ask('GET', `/api/v1${path}`, { token })).json
  const start = async (): Promise<string> => String(pick((await post('', { device_id: 'd1' })).json, 'session_id'))
  const rail = async () => pick(await get('/users/me/continue-watching'), 'items') as unknown[]
  const records = () => app.services.db.oneFirst(sql.unsafe`select count(*) from playback_records`)
  return { ...app, account, token, items, item, post, get, start, rail, records }
}

const report = (item: string, seconds: number, more: object = {}) => ({
  media_item_id: item,
  position_ticks: seconds * SECOND,
  duration_ticks: 100 * SECOND,
  is_paused: false,
  ...more,
})

void t.test('a session starts with what the device says of itself, in the body or in headers', async (t) => {
  const { ask, token, post, get } = await setup(t)
  const full = await post('', { device_id: 'd1', device_name: 'Büro', device_type: 'android', user_id: UNKNOWN })
  t.equal(full.status, 201)
  t.match(full.json, { session_id: ID })
  t.strictSame(Object.keys(full.json as object), ['session_id'])
  t.equal((await post('', { device_id: 'web' })).status, 201)
  const headers = { 'x-phlix-device-id': 'h1', 'x-phlix-device-name': 'TV', 'x-phlix-device-type': 'roku' }
  t.equal((await ask('POST', '/api/v1/sessions', { token, headers })).status, 201, 'without a body')
  const sessions = pick(await get('/me/sessions'), 'sessions') as Record<string, unknown>[]
  t.equal(sessions.length, 3)
  const ofDevice = (id: string) => sessions.find(({ device_id: deviceId }) => deviceId === id)
  const keys = ['created_at', 'device_id', 'device_name', 'device_type', 'id', 'progress', 'session_id', 'updated_at']
  t.strictSame(Object.keys(ofDevice('d1') ?? {}).toSorted(), keys)
  const id = pick(full.json, 'session_id')
  t.match(ofDevice('d1'), { id, session_id: id, device_name: 'Büro', device_type: 'android', progress: null })
  t.match(ofDevice('d1'), { created_at: TIME, updated_at: TIME })
  t.match(ofDevice('web'), { device_name: null, device_type: null })
  t.match(ofDevice('h1'), { device_name: 'TV', device_type: 'roku' })
})

void t.test('an invalid device description names the field', async (t) => {
  const { post } = await setup(t)
  for (const field of ['device_id', 'device_name', 'device_type']) {
    for (const value of [1, null, true, [], {}, 'x'.repeat(256), 'a\0b']) {
      const answer = await post('', { [field]: value })
      t.match(
        answer,
        { status: 400, json: { error: 'Invalid request', code: 'invalid_request', field } },
        `${field} ${JSON.stringify(value)}`,
      )
    }
    for (const value of ['', 'x'.repeat(255), '\u2028', "'; drop table users", '\ud800']) {
      t.equal((await post('', { [field]: value })).status, 201, field)
    }
  }
})

void t.test('progress is noted and can be read back with what a time line shows', async (t) => {
  const { post, get, start, item } = await setup(t)
  const id = await start()
  const empty = { intro_marker: null, outro_marker: null, markers: [], skip_button_spec: NO_MARKERS, chapters: [] }
  t.strictSame(await get(`/sessions/${id}/progress`), { progress: null, ...empty })
  const noted = await post(`/${id}/progress`, report(item, 40, { user_id: UNKNOWN, status: 'stopped' }))
  t.strictSame([noted.status, noted.json], [200, { ok: true, message: 'Progress updated' }])
  const { progress, ...line } = (await get(`/sessions/${id}/progress`)) as Record<string, unknown>
  t.strictSame(line, { ...empty, chapters: [{ start_seconds: 0, end_seconds: 60, title: 'One' }] })
  const { started_at: started, updated_at: updated, ...state } = progress as Record<string, unknown>
  t.match([started, updated], [TIME, TIME])
  const place = { position_ticks: 40 * SECOND, duration_ticks: 100 * SECOND }
  t.strictSame(state, { session_id: id, media_item_id: item, status: 'playing', is_paused: false, ...place })
  await post(`/${id}/progress`, report(item, 41, { is_paused: true }))
  t.match(pick(await get('/me/sessions'), 'sessions', 0, 'progress'), { status: 'paused', is_paused: true })
  await post(`/${id}/progress`, { media_item_id: item, position_ticks: 0 })
  t.match(await get(`/sessions/${id}/progress`), { progress: { status: 'playing', position_ticks: 0 } })
})

void t.test('a report of the wrong form names its field, and nothing is coerced', async (t) => {
  const { post, start, item, rail } = await setup(t)
  const id = await start()
  const wrong: [field: string, values: unknown[]][] = [
    ['media_item_id', [undefined, null, 1, true, [item], {}]],
    ['position_ticks', [undefined, null, '2', true, [2], {}, 2.5, -1, 1e15 + 1, 2 ** 53, 1e300]],
    ['duration_ticks', [null, '2', true, [2], 2.5, -1, 1e15 + 1, 1e300]],
    ['is_paused', [null, 'true', 1, 0, []]],
  ]
  for (const [field, values] of wrong) {
    for (const value of values) {
      const answer = await post(`/${id}/progress`, report(item, 40, { [field]: value }))
      t.match(answer, { status: 400, json: { code: 'invalid_request', field } }, `${field} ${JSON.stringify(value)}`)
    }
  }
  const infinite = `{"media_item_id":"${item}","position_ticks":1e400}`
  t.match(await post(`/${id}/progress`, infinite), { status: 400, json: { field: 'position_ticks' } })
  t.match(await post(`/${id}/progress`), { status: 400, json: { field: 'media_item_id' } })
  t.match(await post(`/${id}/complete`, { reached_end: 'yes' }), { status: 400, json: { field: 'reached_end' } })
  t.match(await post(`/${id}/complete`, { media_item_id: 7 }), { status: 400, json: { field: 'media_item_id' } })
  t.match(await post(`/${id}/complete`), { status: 400, json: { code: 'invalid_request', field: 'media_item_id' } })
  t.strictSame(await rail(), [])
  const beyond = await post(`/${id}/progress`, report(item, 40, { position_ticks: 1e15, duration_ticks: 1e15 }))
  t.equal(beyond.status, 200, 'the largest that is taken')
})

void t.test('the web order at the end: a last paused report at the duration, then complete', async (t) => {
  const { services, account, post, start, item, rail, records } = await setup(t)
  const id = await start()
  await post(`/${id}/progress`, report(item, 45))
  t.match(await rail(), [{ id: item, position_ticks: 45 * SECOND }])
  await post(`/${id}/progress`, report(item, 100, { is_paused: true }))
  const done = await post(`/${id}/complete`, { media_item_id: item, reached_end: true })
  t.strictSame([done.status, done.json], [200, { message: 'Playback completed', reached_end: true }])
  t.strictSame(await rail(), [])
  t.equal(await records(), 1)
  await post(`/${id}/progress`, report(item, 100, { is_paused: true }))
  t.strictSame(await rail(), [], 'the two may also arrive the other way round')
  t.match(await readUserData(services, { profileId: account.id, itemId: item }), { isWatched: true })
})

void t.test('console and Roku complete without a body: the last item of the session, to its end', async (t) => {
  const { ask, token, post, get, start, items, rail, records } = await setup(t)
  const [a = '', b = ''] = items
  const id = await start()
  for (const seconds of [10, 20]) await post(`/${id}/progress`, report(a, seconds))
  for (const seconds of [10, 20]) await post(`/${id}/progress`, report(b, seconds))
  const done = await post(`/${id}/complete`)
  t.strictSame([done.status, done.json], [200, { message: 'Playback completed', reached_end: true }])
  t.match(await rail(), [{ id: a }])
  t.match(await get(`/sessions/${id}/progress`), {
    progress: { media_item_id: b, status: 'stopped', position_ticks: 0 },
  })
  const headers = { 'content-type': 'application/json' }
  t.equal((await ask('POST', `/api/v1/sessions/${id}/complete`, { token, headers })).status, 200, 'an empty JSON body')
  t.equal(await records(), 1)
})

void t.test('complete before the end removes the item from continue watching', async (t) => {
  const { post, get, start, item, rail, records } = await setup(t)
  const id = await start()
  await post(`/${id}/progress`, report(item, 45))
  const away = await post(`/${id}/complete`, { reached_end: false })
  t.strictSame([away.status, away.json], [200, { message: 'Playback completed', reached_end: false }])
  t.strictSame(await rail(), [])
  t.match(await get(`/sessions/${id}/progress`), { progress: null })
  t.equal(await records(), 1)
})

void t.test('players end their session when they stop, and the item is still offered', async (t) => {
  const { ask, token, post, get, start, item, rail } = await setup(t)
  const id = await start()
  await post(`/${id}/progress`, report(item, 45))
  const ended = await ask('DELETE', `/api/v1/sessions/${id}`, {
    token,
    headers: { 'content-type': 'application/json' },
  })
  t.strictSame([ended.status, ended.json], [200, { message: 'Session ended' }])
  t.match(await rail(), [{ id: item, position_ticks: 45 * SECOND, playback_status: 'paused' }])
  t.strictSame(await get('/me/sessions'), { sessions: [] })
  t.equal((await ask('DELETE', `/api/v1/sessions/${id}`, { token })).status, 404)
})

void t.test('unknown sessions and items are 404, sessions of others 403, strangers 401', async (t) => {
  const { ask, services, signIn, token, start, item } = await setup(t)
  const id = await start()
  const input = { username: 'other', email: 'other@example.test', password: 'correct horse', isAdmin: true }
  const other = await signIn((await createAccount(services, input)).id)
  const requests: [method: string, path: string, body?: unknown][] = [
    ['POST', '/progress', report(item, 40)],
    ['GET', '/progress'],
    ['POST', '/complete', { media_item_id: item, reached_end: true }],
    ['POST', '/complete'],
    ['DELETE', ''],
  ]
  for (const [method, path, body] of requests) {
    const send = (session: string, as: { token?: string }) =>
      ask(method, `/api/v1/sessions/${session}${path}`, { ...as, ...(body === undefined ? {} : { body }) })
    const name = `${method} ${path}`
    const forbidden = { status: 403, json: { error: 'Forbidden', code: 'not_session_owner' } }
    t.match(await send(id, { token: other }), forbidden, `${name}, an administrator too`)
    t.match(await send(id, {}), { status: 401, json: { error: 'Unauthorized', code: 'auth.required' } }, name)
    for (const unknown of [UNKNOWN, '1', "x'%20or%201=1", '%00']) {
      const missing = { status: 404, json: { error: 'Session not found', code: 'session_not_found' } }
      t.match(await send(unknown, { token }), missing, `${name} ${unknown}`)
    }
  }
  for (const unknown of [UNKNOWN, 'x', '', '\0']) {
    for (const [path, body] of [
      ['progress', report(unknown, 40)],
      ['complete', { media_item_id: unknown }],
    ] as const) {
      const answer = await ask('POST', `/api/v1/sessions/${id}/${path}`, { token, body })
      const missing = { status: 404, json: { error: 'Media item not found', code: 'media_item_not_found' } }
      t.match(answer, missing, `${path} ${JSON.stringify(unknown)}`)
    }
  }
  t.equal((await ask('POST', '/api/v1/sessions', { body: {} })).status, 401)
  t.equal((await ask('GET', '/api/v1/me/sessions')).status, 401)
  t.strictSame((await ask('GET', '/api/v1/me/sessions', { token: other })).json, { sessions: [] })
})
