import t from 'tap'
import { startRefreshSession } from '../../../../src/core/accounts/index.ts'
import { pick, startApp, type TestApp } from '../../../support/app.ts'
import { startSockets } from '../../../support/sockets.ts'

const DEVICES = '/api/v1/me/devices'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function logIn(app: TestApp, username: string, headers: Record<string, string>, fields: object = {}) {
  const body = { username, password: 'correct horse', ...fields }
  const { json } = await app.ask('POST', '/api/v1/auth/login', { body, headers })
  return String(pick(json, 'access_token'))
}

const listOf = async (app: TestApp, token: string, path = DEVICES) =>
  pick((await app.ask('GET', path, { token })).json, 'devices') as { id: string; name: string; is_current: boolean }[]

void t.test('devices are described by the headers or the body of the sign-in', async (t) => {
  const app = await startApp(t)
  await app.registerUser()
  const television = {
    'x-phlix-device-id': 'tv-1',
    'x-phlix-device-name': 'Living room',
    'x-phlix-device-type': 'roku',
  }
  await logIn(app, 'user', television)
  await logIn(
    app,
    'user',
    { 'x-device-id': 'x', 'user-agent': 'okhttp/5' },
    { device_name: 'Pixel', device_type: 'android' },
  )
  const token = await logIn(app, 'user', { 'user-agent': FIREFOX })
  const devices = await listOf(app, token)
  t.match(
    devices.slice(0, 3).map(({ name, is_current }) => [name, is_current]),
    [
      ['Firefox on Linux', true],
      ['Pixel', false],
      ['Living room', false],
    ],
  )
  t.match(devices[2], {
    type: 'roku',
    address: '127.0.0.1',
    created_at: /Z$/,
    last_used_at: /Z$/,
  })
  t.strictSame(Object.keys(devices[0] ?? {}).toSorted(), [
    'address',
    'created_at',
    'id',
    'is_current',
    'last_used_at',
    'name',
    'type',
  ])
})

void t.test('a revoked device is refused at once, with its refresh token and its WebSocket', async (t) => {
  const app = await startSockets(t)
  await app.registerUser()
  const own = await logIn(app, 'user', {})
  const body = { username: 'user', password: 'correct horse' }
  const { json } = await app.ask('POST', '/api/v1/auth/login', { body, headers: { 'x-phlix-device-name': 'TV' } })
  const lost = { access: String(pick(json, 'access_token')), refresh: pick(json, 'refresh_token') }
  const client = await app.connect(lost.access)
  const device = (await listOf(app, own)).find(({ name }) => name === 'TV')
  t.match(await app.ask('DELETE', `${DEVICES}/${device?.id}`, { token: own }), { status: 200 })
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: lost.access })).status, 401)
  const refreshed = await app.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: lost.refresh } })
  t.equal(refreshed.status, 401)
  t.match(await client.closed, { code: 4001, reason: 'the session has ended' })
  t.match(await app.ask('DELETE', `${DEVICES}/${device?.id}`, { token: own }), {
    status: 404,
    json: { code: 'device_not_found' },
  })
})

void t.test('all other devices are revoked; the one that asks stays', async (t) => {
  const app = await startApp(t)
  await app.registerUser()
  const [own, other] = [await logIn(app, 'user', {}), await logIn(app, 'user', {})]
  t.match(await app.ask('DELETE', DEVICES, { token: own }), { status: 200, json: { revoked: 2 } })
  t.match(await listOf(app, own), [{ is_current: true }])
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: other })).status, 401)
})

void t.test('the device of another account is unknown to users; administrators list and revoke it', async (t) => {
  const app = await startApp(t)
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  const [device] = await listOf(app, admin.token)
  const foreign = await app.ask('DELETE', `${DEVICES}/${device?.id}`, { token: user.token })
  const unknown = await app.ask('DELETE', `${DEVICES}/00000000-0000-4000-8000-000000000000`, { token: user.token })
  t.strictSame([foreign.status, foreign.text], [unknown.status, unknown.text])
  t.equal(foreign.status, 404)
  const path = `/api/v1/admin/users/${user.account.id}/devices`
  const [theirs] = await listOf(app, admin.token, path)
  const wrongUser = `/api/v1/admin/users/${admin.account.id}/devices/${theirs?.id}`
  t.equal((await app.ask('DELETE', wrongUser, { token: admin.token })).status, 404)
  t.equal((await app.ask('DELETE', `${path}/${theirs?.id}`, { token: admin.token })).status, 200)
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: user.token })).status, 401)
  await app.signIn(user.account.id)
  t.match(await app.ask('DELETE', path, { token: admin.token }), { status: 200, json: { revoked: 1 } })
  t.equal((await app.ask('GET', '/api/v1/admin/users/x/devices', { token: admin.token })).status, 404)
  const ownPath = `/api/v1/admin/users/${admin.account.id}/devices`
  t.match(await app.ask('DELETE', ownPath, { token: admin.token }), { status: 200, json: { revoked: 0 } }, 'not itself')
})

void t.test('a session of the hub neither sees nor ends the devices of its account', async (t) => {
  const app = await startApp(t)
  const admin = await app.registerAdmin()
  const accountId = admin.account.id
  const [own] = await listOf(app, admin.token)
  const { familyId: sessionId } = await startRefreshSession(app.services, { accountId, isRestricted: true })
  const token = app.tokens.issueAccess({ accountId, sessionId, profileId: accountId, epoch: 0 })
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token })).status, 200)
  for (const [method, path] of [
    ['GET', DEVICES],
    ['DELETE', DEVICES],
    ['DELETE', `${DEVICES}/${own?.id}`],
    ['DELETE', `${DEVICES}/${sessionId}`],
  ] as const) {
    const answer = await app.ask(method, path, { token })
    t.match(answer, { status: 403, json: { code: 'full_session_required' } }, `${method} ${path}`)
  }
  t.equal((await listOf(app, admin.token)).length, 2)
})
