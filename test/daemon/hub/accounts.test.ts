import t from 'tap'
import { pick } from '../../support/app.ts'
import { pairHome, sendHeartbeat } from '../../support/home-server.ts'
import { startTestHub } from '../../support/hub.ts'
import { movableClock } from '../../support/records.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { DirectoryEvent } from '../../../src/core/hub/index.ts'
import { buildHubApp } from '../../../src/daemon/hub/hub-app.ts'
import { createRecentLines } from '../../../src/core/platform/logging/index.ts'

const clock = movableClock()
const hub = await startTestHub(t, { clock })
const root = await hub.addUser('root', { isAdmin: true })
const ada = await hub.addUser('ada')
await hub.addUser('bob')
const paired = await pairHome(hub, ada)
await sendHeartbeat(hub, paired)

const login = (username: string, password: string) =>
  hub.ask('POST', '/api/v1/auth/login', { body: { username, password } })
const refresh = (token: unknown) => hub.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: token } })
const servers = async (token: string) => pick((await hub.ask('GET', '/api/v1/me/servers', { token })).json, 'servers')

void t.test('every route of a hub has an access level, and these are public', async (t) => {
  const context = {
    relay: hub.relay(),
    lifecycle: { isStopping: false },
    recentLines: createRecentLines(),
    tunnelPort: 1,
  }
  const app = await buildHubApp(hub.services, context)
  t.teardown(() => app.close())
  const names = (access: string): string[] =>
    app.declaredRoutes
      .filter((route) => route.access === access && !['HEAD', 'TRACE'].includes(route.method))
      .map(({ method, url }) => `${method} ${url}`)
      .toSorted()
  t.strictSame(names('public'), [
    'DELETE /api/v1/servers/:id/enrolment',
    'GET /',
    'GET /.well-known/jwks.json',
    'GET /api/v1/server-claims/:id',
    'GET /assets/*',
    'GET /health',
    'GET /healthz',
    'GET /readyz',
    'POST /api/v1/auth/login',
    'POST /api/v1/auth/logout',
    'POST /api/v1/auth/refresh',
    'POST /api/v1/auth/register',
    'POST /api/v1/auth/web/adopt',
    'POST /api/v1/auth/web/logout',
    'POST /api/v1/auth/web/refresh',
    'POST /api/v1/server-claims/new',
    'POST /api/v1/servers/:id/enrolment',
    'POST /api/v1/servers/:id/heartbeat',
    'PUT /api/v1/servers/:id/keys',
  ])
  for (const route of names('admin')) {
    const [method = '', url = ''] = route.split(' ')
    const path = url.replace(':id', ada.id)
    t.equal((await hub.ask(method, path)).status, 401, route)
    t.equal((await hub.ask(method, path, { token: ada.token })).status, 403, route)
  }
  for (const route of names('user')) {
    const [method = '', url = ''] = route.split(' ')
    t.equal((await hub.ask(method, url.replace(':id', ada.id))).status, 401, route)
  }
  t.ok(names('admin').length >= 12 && names('user').length >= 12)
})

void t.test('a wrong password and an unknown name give the same answer; too many lock the account', async (t) => {
  const [wrong, unknown] = [await login('bob', 'wrong password'), await login('nobody', 'wrong password')]
  t.strictSame([wrong.status, wrong.json], [unknown.status, unknown.json])
  t.match(wrong, { status: 401, json: { code: 'invalid_credentials' } })
  for (let attempt = 0; attempt < 10; attempt += 1) await login('bob', 'wrong password')
  t.equal((await login('bob', 'correct horse')).status, 429, 'also with the right one')
  clock.advance(901)
  t.equal((await login('BOB@example.test', 'correct horse')).status, 200, 'names are read without regard to case')
  t.equal((await login('bob', 'x'.repeat(2000))).status, 401)
})

void t.test('a refresh token is valid once; a later use of it ends the session', async (t) => {
  const first = await login('bob', 'correct horse')
  const token = pick(first.json, 'refresh_token')
  const second = await refresh(token)
  t.equal(second.status, 200)
  t.equal((await refresh(token)).status, 200, 'two tabs within ten seconds')
  clock.advance(11)
  t.equal((await refresh(token)).status, 401)
  t.equal((await refresh(pick(second.json, 'refresh_token'))).status, 401, 'the whole session has ended')
  t.equal((await hub.ask('GET', '/api/v1/auth/me', { token: String(pick(second.json, 'access_token')) })).status, 401)
  t.equal((await refresh(pick(first.json, 'access_token'))).status, 401, 'an access token refreshes nothing')
  for (const text of ['', 'a.b.c', 'x'.repeat(5000)]) t.equal((await refresh(text)).status, 401)
})

void t.test('a sign-out ends the session', async (t) => {
  const token = String(pick((await login('bob', 'correct horse')).json, 'access_token'))
  t.match(await hub.ask('GET', '/api/v1/auth/me', { token }), {
    status: 200,
    json: { username: 'bob', is_admin: false },
  })
  t.equal((await hub.ask('POST', '/api/v1/auth/logout', { token })).status, 200)
  t.equal((await hub.ask('GET', '/api/v1/auth/me', { token })).status, 401)
})

void t.test('an invitation is valid once; it shares the server until the owner ends that', async (t) => {
  const events: DirectoryEvent[] = []
  t.teardown(hub.services.directory.onEvent((event) => events.push(event)))
  const carl = await hub.addUser('carl')
  const body = { server_id: paired.serverId }
  const invite = (token: string, more: object = {}) =>
    hub.ask('POST', '/api/v1/me/invite-links', { token, body: { ...body, ...more } })
  t.match(await invite(carl.token), { status: 403, json: { code: 'server.not_owned' } })
  t.match(await invite(ada.token, { server_id: 'x' }), { status: 404, json: { code: 'server.not_found' } })
  t.match(await invite(ada.token, { library_ids: ['films'] }), { status: 409, json: { code: 'libraries_not_limited' } })
  await sendHeartbeat(hub, paired, { capabilities: ['library-subsets'] })
  const made = await invite(ada.token, { library_ids: ['films'] })
  t.match(made, { status: 201, json: { url: new RegExp(`^${hub.url}/#invite=`) } })
  const code = pick(made.json, 'code')
  const accept = (token: string) => hub.ask('POST', '/api/v1/me/invite-links/accept', { token, body: { code } })
  t.match(await accept(ada.token), { status: 409, json: { code: 'own_server' } })
  t.match(await accept(carl.token), { status: 200, json: { server_id: paired.serverId } })
  t.match(await accept(root.token), { status: 404, json: { code: 'invite_link_invalid' } })
  t.match(await servers(carl.token), [{ serverId: paired.serverId, userId: ada.id, libraryCount: 1 }])
  const heartbeat = await sendHeartbeat(hub, paired)
  t.match(heartbeat.json, {
    members: [
      { user_id: ada.id, is_owner: true, library_ids: null },
      { user_id: carl.id, is_owner: false, library_ids: ['films'] },
    ],
  })
  const access = { userId: carl.id, serverId: paired.serverId }
  t.match(await hub.services.directory.findServer(access), { state: 'online', isOwner: false, libraryIds: ['films'] })
  const info = `/api/v1/me/servers/${paired.serverId}/access-info`
  t.match(await hub.ask('GET', info, { token: carl.token }), {
    status: 200,
    json: {
      server_id: paired.serverId,
      direct_url: 'http://192.168.1.5:8096',
      relay_url: `${hub.url}/api/v1/servers/${paired.serverId}/proxy`,
      relay_active: false,
      candidates: [
        { kind: 'lan', url: 'http://192.168.1.5:8096' },
        { kind: 'relay', url: `${hub.url}/api/v1/servers/${paired.serverId}/proxy` },
      ],
      identity_path: '/api/v1/server-identity',
    },
  })
  t.match(await hub.ask('GET', info, { token: root.token }), { status: 403, json: { code: 'server.not_owned' } })
  t.match(await hub.ask('GET', info.replace(paired.serverId, root.id), { token: root.token }), { status: 404 })
  const shares = await hub.ask('GET', '/api/v1/me/shares', { token: carl.token })
  const path = `/api/v1/me/shares/${String(pick(shares.json, 'shares', 0, 'id'))}`
  t.equal((await hub.ask('DELETE', path, { token: root.token })).status, 404, 'strangers end no share')
  t.equal((await hub.ask('DELETE', path, { token: ada.token })).status, 204)
  await waitUntil('running requests are ended', async () =>
    events.some((event) => event.kind === 'access_revoked' && event.userId === carl.id),
  )
  t.match(await hub.services.directory.findServer(access), { state: 'not_owned' })
  t.strictSame(await servers(carl.token), [])
  t.equal((await hub.ask('POST', `/api/v1/me/servers/${paired.serverId}/token`, { token: carl.token })).status, 403)
})

void t.test('an invitation can be revoked, and expires after seven days', async (t) => {
  const make = async () =>
    (await hub.ask('POST', '/api/v1/me/invite-links', { token: ada.token, body: { server_id: paired.serverId } })).json
  const accept = (code: unknown) =>
    hub.ask('POST', '/api/v1/me/invite-links/accept', { token: root.token, body: { code } })
  const revoked = await make()
  t.match(await hub.ask('DELETE', `/api/v1/me/invite-links/${String(pick(revoked, 'id'))}`, { token: root.token }), {
    status: 404,
  })
  const listed = await hub.ask('GET', '/api/v1/me/invite-links', { token: ada.token })
  t.notMatch(JSON.stringify(listed.json), String(pick(revoked, 'code')), 'codes are shown once')
  const path = `/api/v1/me/invite-links/${String(pick(revoked, 'id'))}`
  t.equal((await hub.ask('DELETE', path, { token: ada.token })).status, 204)
  t.equal((await accept(pick(revoked, 'code'))).status, 404)
})

void t.test('somebody with an invitation registers; nobody else does', async (t) => {
  const { json } = await hub.ask('POST', '/api/v1/me/invite-links', {
    token: ada.token,
    body: { server_id: paired.serverId },
  })
  const code = pick(json, 'code')
  const register = (more: object) =>
    hub.ask('POST', '/api/v1/auth/register', {
      body: { username: 'dora', email: 'dora@example.test', password: 'correct horse', invite_code: code, ...more },
    })
  t.match(await register({ invite_code: 'wrong' }), { status: 404, json: { code: 'invite_link_invalid' } })
  t.match(await register({ password: 'short' }), { status: 422, json: { code: 'validation_failed' } })
  t.match(await register({ username: 'ada' }), { status: 422, json: { fields: { username: 'is already in use' } } })
  const registered = await register({})
  t.match(registered, { status: 201, json: { user: { username: 'dora', is_admin: false } } })
  t.match(await servers(String(pick(registered.json, 'access_token'))), [{ serverId: paired.serverId }])
})

void t.test('administrators manage accounts, and the last one stays', async (t) => {
  const admin = (method: string, path: string, body?: object) =>
    hub.ask(method, `/api/v1/admin/users${path}`, { token: root.token, ...(body && { body }) })
  const created = await admin('POST', '', { username: 'eva', email: 'eva@example.test', password: 'correct horse' })
  t.match(created, { status: 201, json: { message: 'Created eva' } })
  const id = String(pick(created.json, 'user_id'))
  t.match(await admin('GET', `/${id}`), { status: 200, json: { user: { username: 'eva', is_admin: false } } })
  t.match(await admin('GET', `/${id}/profiles`), { status: 200, json: { profiles: [] } })
  t.match(await admin('PUT', `/${id}`, { email: 'eve@example.test' }), {
    json: { user: { email: 'eve@example.test' } },
  })
  const session = String(pick((await login('eva', 'correct horse')).json, 'access_token'))
  const reset = await admin('POST', `/${id}/reset-password`)
  t.match(reset, { status: 200, json: { new_password: /^[a-z0-9-]{20,}$/ } })
  t.equal((await hub.ask('GET', '/api/v1/auth/me', { token: session })).status, 401, 'sessions end')
  t.equal((await login('eva', String(pick(reset.json, 'new_password')))).status, 200)
  t.match(await admin('DELETE', `/${root.id}`), { status: 409, json: { code: 'last_hub_admin' } })
  t.match(await admin('POST', `/${root.id}/set-admin`, { is_admin: false }), { status: 409 })
  t.match(await admin('PUT', `/${root.id}`, { status: 'disabled' }), { status: 409 })
  t.match(await admin('POST', `/${id}/set-admin`, { is_admin: true }), { json: { user: { is_admin: true } } })
  t.equal((await admin('PUT', `/${id}`, { status: 'disabled' })).status, 200)
  t.equal((await login('eva', String(pick(reset.json, 'new_password')))).status, 401, 'disabled')
  t.equal((await admin('DELETE', `/${id}`)).status, 200)
  t.match(await admin('GET', `/${id}`), { status: 404, json: { code: 'user_not_found' } })
  t.match(await admin('GET', '/x'), { status: 404 })
})

void t.test('the dashboard counts, and names what happened', async (t) => {
  const summary = await hub.ask('GET', '/api/v1/admin/dashboard/summary', { token: root.token })
  t.match(summary.json, {
    success: true,
    data: { servers: { total: 1, online: 1, offline: 0 }, active_relay_sessions: 0, pending_requests: 0 },
  })
  clock.advance(181)
  const later = await hub.ask('GET', '/api/v1/admin/dashboard/summary', { token: root.token })
  t.match(later.json, { data: { servers: { total: 1, online: 0, offline: 1 } } })
  const activity = await hub.ask('GET', '/api/v1/admin/dashboard/activity?limit=1000', { token: root.token })
  const found = new Set((pick(activity.json, 'data') as { action: string }[]).map(({ action }) => action))
  for (const action of [
    'server.paired',
    'share.invited',
    'share.accepted',
    'share.ended',
    'user.created',
    'user.deleted',
  ]) {
    t.ok(found.has(action), action)
  }
  t.match(await hub.ask('GET', '/api/v1/admin/logs', { token: root.token }), { status: 200, json: { files: [] } })
  t.match(await hub.ask('GET', '/api/v1/admin/servers', { token: root.token }), {
    json: { servers: [{ name: 'Attic', owner: 'ada', status: 'offline' }] },
  })
  const own = await hub.ask('GET', '/api/v1/me/audit-logs', { token: ada.token })
  t.notMatch(JSON.stringify(own.json), 'user.deleted', 'owners see what concerns them')
})

void t.test('a user is deleted with the own servers, whose tunnels end', async (t) => {
  const events: DirectoryEvent[] = []
  t.teardown(hub.services.directory.onEvent((event) => events.push(event)))
  const fay = await hub.addUser('fay')
  const home = await pairHome(hub, fay)
  // The id of an address may be in upper case; events name users as the database does.
  const path = `/api/v1/admin/users/${fay.id.toUpperCase()}`
  const losses = () => events.filter((event) => event.kind === 'access_revoked' && event.userId === fay.id).length
  t.equal((await hub.ask('PUT', path, { token: root.token, body: { status: 'disabled' } })).status, 200)
  await waitUntil('requests of the disabled user end', () => losses() === 1)
  t.equal((await hub.ask('DELETE', path, { token: root.token })).status, 200)
  await waitUntil('requests of the deleted user end', () => losses() === 2)
  t.equal((await sendHeartbeat(hub, home)).status, 401)
  await waitUntil('the tunnel is ended', async () =>
    events.some((event) => event.kind === 'server_revoked' && event.serverId === home.serverId),
  )
})

void t.test('the page of a hub has its refresh token in a cookie; a sign-out ends the session', async (t) => {
  const page = { 'x-phlix-web': '1', origin: hub.url }
  const call = (name: string, cookie: string | undefined, body: unknown = {}, headers: Record<string, string> = page) =>
    hub.ask('POST', `/api/v1/auth/web/${name}`, { body, headers: { ...headers, cookie: cookie ?? '' } })
  const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0]
  const signedIn = await login('ada', 'correct horse')
  const given = pick(signedIn.json, 'refresh_token')
  const adopted = await call('adopt', undefined, { refresh_token: given })
  t.equal(adopted.status, 200)
  t.match(
    adopted.headers.getSetCookie()[0],
    /^phlix-\d+=[\w.-]+; Path=\/api\/v1\/auth\/web; .*HttpOnly; SameSite=Strict$/,
  )
  t.strictSame(Object.keys(adopted.json as object).toSorted(), ['access_token', 'expires_in', 'token_type', 'user'])
  t.equal((await refresh(given)).status, 401, 'used up')
  t.equal((await refresh(cookieOf(adopted)?.split('=')[1])).status, 401, 'for the cookie only')
  const renewed = await call('refresh', cookieOf(adopted))
  t.equal(renewed.status, 200)
  t.equal((await call('refresh', cookieOf(renewed), {}, { ...page, origin: 'http://evil.example' })).status, 403)
  t.equal((await call('logout', cookieOf(renewed))).status, 200)
  const token = String(pick(renewed.json, 'access_token'))
  t.equal((await hub.ask('GET', '/api/v1/auth/me', { token })).status, 401)
  t.equal((await call('refresh', cookieOf(renewed))).status, 401)
  const other = await login('ada', 'correct horse')
  t.equal((await refresh(pick(other.json, 'refresh_token'))).status, 200, 'other clients go on')
})

void t.test('a sign-out of one tab of the page of a hub leaves the session of another one', async (t) => {
  const page = { 'x-phlix-web': '1', origin: hub.url }
  const signIn = async () => {
    const { json } = await login('ada', 'correct horse')
    const body = { refresh_token: pick(json, 'refresh_token') }
    const adopted = await hub.ask('POST', '/api/v1/auth/web/adopt', { body, headers: page })
    const cookie = adopted.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { cookie, token: String(pick(adopted.json, 'access_token')) }
  }
  const me = async (token: string) => (await hub.ask('GET', '/api/v1/auth/me', { token })).status
  const [former, later] = [await signIn(), await signIn()]
  const headers = { ...page, cookie: later.cookie }
  const answer = await hub.ask('POST', '/api/v1/auth/web/logout', { body: {}, headers, token: former.token })
  t.strictSame([await me(former.token), await me(later.token)], [401, 200])
  t.strictSame(answer.headers.getSetCookie(), [])
  await hub.ask('POST', '/api/v1/auth/web/logout', { body: {}, headers, token: later.token })
  t.equal(await me(later.token), 401)
})
