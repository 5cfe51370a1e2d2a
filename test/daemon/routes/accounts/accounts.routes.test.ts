import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'

const NEWCOMER = { email: 'ann@example.test', username: 'Ann', password: 'correct horse' }

const SIGNED_IN = {
  access_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
  refresh_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
  token_type: 'Bearer',
  expires_in: 3600,
  user: {
    id: /^[0-9a-f-]{36}$/,
    email: 'ann@example.test',
    username: 'Ann',
    display_name: null,
    avatar_url: null,
    status: 'active',
  },
}

const claimsOf = (token: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

void t.test('registration answers 201 with account and tokens, and the first one is the administrator', async (t) => {
  const { ask } = await startApp(t)
  const first = await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  t.equal(first.status, 201)
  t.match(first.json, SIGNED_IN)
  t.equal(pick(first.json, 'user', 'is_admin'), true)
  t.strictSame(Object.keys(first.json as object).toSorted(), [
    'access_token',
    'expires_in',
    'profile',
    'refresh_token',
    'token_type',
    'user',
  ])
  const second = { email: 'bob@example.test', username: 'bob', password: 'battery staple', is_admin: true, id: 'x' }
  const later = await ask('POST', '/api/v1/auth/register', { body: second })
  t.equal(pick(later.json, 'user', 'is_admin'), false, 'undeclared fields change nothing (PW-06)')
})

void t.test('tokens carry the decided claims', async (t) => {
  const { ask, services } = await startApp(t)
  const { json } = await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  const now = services.clock.unixSeconds()
  const [access, refresh] = [claimsOf(pick(json, 'access_token')), claimsOf(pick(json, 'refresh_token'))]
  for (const [claims, type, lifetime] of [
    [access, 'access', 3600],
    [refresh, 'refresh', 604_800],
  ] as const) {
    const session = type === 'access' ? ['pid', 'sid', 'ver'] : []
    const common = ['exp', 'iat', 'iss', 'jti', 'sub', 'type']
    t.strictSame(Object.keys(claims).toSorted(), [...common, ...session].toSorted())
    t.match(claims, { iss: 'phlix', sub: pick(json, 'user', 'id'), type, jti: /^[0-9a-f]{32}$/ })
    t.equal(Number(claims['exp']) - Number(claims['iat']), lifetime)
    t.ok(Math.abs(Number(claims['iat']) - now) <= 60)
  }
})

void t.test('a registration that breaks rules answers 422 and names every field', async (t) => {
  const { ask } = await startApp(t)
  const bad = await ask('POST', '/api/v1/auth/register', { body: { email: 'x', username: 'a', password: 'short' } })
  t.equal(bad.status, 422)
  t.match(bad.json, { error: String, code: 'validation_failed', message: String })
  t.strictSame(Object.keys(pick(bad.json, 'fields') as object).toSorted(), ['email', 'password', 'username'])
  for (const body of [{}, { email: 5, username: null, password: ['x'] }]) {
    const answer = await ask('POST', '/api/v1/auth/register', { body })
    t.match(answer, { status: 422, json: { code: 'validation_failed' } }, JSON.stringify(body))
  }
  t.equal((await ask('POST', '/api/v1/auth/register')).status, 422, 'no body at all')
  t.equal((await ask('POST', '/api/v1/auth/register', { body: [] })).status, 422, 'no object')
})

void t.test('a name or address that is taken answers 422', async (t) => {
  const { ask } = await startApp(t)
  await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  const again = await ask('POST', '/api/v1/auth/register', { body: { ...NEWCOMER, username: 'other' } })
  t.match(again, { status: 422, json: { code: 'validation_failed', fields: { email: String } } })
})

void t.test('login takes a username or an e-mail address', async (t) => {
  const { ask } = await startApp(t)
  await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  const { password } = NEWCOMER
  for (const body of [
    { username: 'Ann', password },
    { username: 'ANN@example.test', password },
    { username: 'ann@example.test', email: 'ann@example.test', password },
    { email: 'ann@example.test', password },
  ]) {
    const answer = await ask('POST', '/api/v1/auth/login', { body })
    t.equal(answer.status, 200, JSON.stringify(body))
    t.match(answer.json, SIGNED_IN)
  }
})

void t.test('login says neither which of name and password is wrong nor anything else', async (t) => {
  const { ask } = await startApp(t)
  await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  const wrong = await ask('POST', '/api/v1/auth/login', { body: { username: 'Ann', password: 'wrong horse' } })
  const unknown = await ask('POST', '/api/v1/auth/login', { body: { username: 'nobody', password: 'wrong horse' } })
  t.equal(wrong.status, 401)
  t.same(wrong.json, { error: 'Invalid credentials', code: 'invalid_credentials' })
  t.same(unknown.json, wrong.json)
  t.match(await ask('POST', '/api/v1/auth/login', { body: { username: 'Ann' } }), {
    status: 400,
    json: { code: 'invalid_request', field: 'password' },
  })
  t.match(await ask('POST', '/api/v1/auth/login', { body: { password: 'x' } }), {
    status: 400,
    json: { code: 'invalid_request', field: 'username' },
  })
})

void t.test(
  'a refresh answers a new pair, and the old token again the same pair within its grace (JWT-10, JWT-11)',
  async (t) => {
    const { ask } = await startApp(t)
    const { json } = await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
    const body = { refresh_token: pick(json, 'refresh_token') }
    const first = await ask('POST', '/api/v1/auth/refresh', { body })
    t.equal(first.status, 200)
    t.match(first.json, SIGNED_IN)
    t.not(pick(first.json, 'refresh_token'), body.refresh_token)
    const all = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/api/v1/auth/refresh', { body })))
    const successors = new Set(all.map(({ json }) => pick(json, 'refresh_token')))
    t.strictSame([...successors], [pick(first.json, 'refresh_token')], 'there is one successor')
  },
)

void t.test('a value that is no refresh token answers 401', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  for (const refreshToken of ['x', '', 'a.b.c', token]) {
    const answer = await ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } })
    t.match(answer, { status: 401, json: { error: 'Unauthorized', code: 'auth.required' } })
  }
  t.equal((await ask('POST', '/api/v1/auth/refresh', { body: {} })).status, 400)
  t.equal((await ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: 5 } })).status, 400)
})

void t.test('logout ends the session of the given refresh token', async (t) => {
  const { ask } = await startApp(t)
  const { json } = await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  const body = { refresh_token: pick(json, 'refresh_token') }
  const answer = await ask('POST', '/api/v1/auth/logout', { body })
  t.match(answer, { status: 200, json: { message: String } })
  t.equal((await ask('POST', '/api/v1/auth/refresh', { body })).status, 401)
  t.equal((await ask('POST', '/api/v1/auth/logout', { body })).status, 200, 'a second time is no harm')
  t.equal((await ask('POST', '/api/v1/auth/logout')).status, 200, 'nor is a client that only drops its tokens')
})

void t.test('me answers the account behind the token', async (t) => {
  const { ask } = await startApp(t)
  const { json } = await ask('POST', '/api/v1/auth/register', { body: NEWCOMER })
  const me = await ask('GET', '/api/v1/auth/me', { token: String(pick(json, 'access_token')) })
  t.equal(me.status, 200)
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  t.match(me.json, {
    user: { ...SIGNED_IN.user, is_admin: true, created_at: time, updated_at: time },
  })
  t.match(pick(me.json, 'user', 'last_login'), time, 'who registers is signed in')
  t.equal(me.headers.get('cache-control'), 'no-store')
})
