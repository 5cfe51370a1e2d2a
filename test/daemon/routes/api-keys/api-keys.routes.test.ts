import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { disableAccount, setAdministrator } from '../../../../src/core/accounts/index.ts'
import { createApiKey, API_KEY_SCOPES } from '../../../../src/core/api-keys/index.ts'
import { findKeyRule, requireKeyRules } from '../../../../src/daemon/http/key-scopes.ts'
import { pick, startApp, type Caller, type TestApp } from '../../../support/app.ts'

const KEYS = '/api/v1/me/api-keys'
const ME = '/api/v1/auth/me'
const ID = '00000000-0000-4000-8000-000000000000'

async function setup(t: Test) {
  const app = await startApp(t)
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  const keyOf = async ({ account }: Caller, ...scopes: string[]): Promise<string> =>
    (await createApiKey(app.services, { account, name: 'Test', scopes, expiresAt: null })).key
  return { app, admin, user, keyOf }
}

type KeyUse = readonly [app: TestApp, key: string, method: string, path: string, body?: unknown]

const withKey = (...[app, key, method, path, body]: KeyUse) =>
  app.ask(method, path, { headers: { 'x-api-key': key }, ...(body === undefined ? {} : { body }) })

const pathOf = (url: string): string => url.replaceAll(/:\w+/g, ID)

void t.test('a key is shown once, listed without its text, and revoked', async (t) => {
  const { app, user } = await setup(t)
  const { token } = user
  const body = { name: 'Home Assistant', scopes: ['read'], expires_at: '2100-01-01T00:00:00Z' }
  const created = await app.ask('POST', KEYS, { token, body })
  t.match(created, { status: 201, json: { id: /-/, key: /^phlix_[0-9A-Za-z]{49}$/ } })
  const key = String(pick(created.json, 'key'))
  for (const headers of [
    { 'x-api-key': key },
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
  ]) {
    t.match(await app.ask('GET', ME, { headers }), { status: 200, json: { user: { username: 'user' } } })
  }
  const list = await app.ask('GET', KEYS, { token })
  t.match(list.json, {
    api_keys: [{ name: 'Home Assistant', hint: key.slice(0, 10), scopes: ['read'], last_used_at: /Z$/ }],
  })
  t.notOk(list.text.includes(key))
  t.match(await app.ask('DELETE', `${KEYS}/${String(pick(created.json, 'id'))}`, { token }), { status: 200 })
  t.match(await withKey(app, key, 'GET', ME), { status: 401, json: { code: 'auth.required' } })
  const bad = await app.ask('POST', KEYS, { token, body: { name: '', scopes: ['root'], expires_at: 'tomorrow' } })
  t.match(bad, {
    status: 422,
    json: { code: 'validation_failed', fields: { name: /./, scopes: /./, expires_at: /./ } },
  })
})

void t.test('a key in the query, beside another credential, twice, or damaged is refused', async (t) => {
  const { app, user, keyOf } = await setup(t)
  const key = await keyOf(user, 'read')
  t.equal((await app.ask('GET', `${ME}?api_key=${key}&token=${key}&x-api-key=${key}`)).status, 401)
  t.match(await app.ask('GET', ME, { token: user.token, headers: { 'x-api-key': key } }), {
    status: 401,
    json: { code: 'auth.required', message: /Send one credential/ },
  })
  t.equal((await app.ask('GET', ME, { headers: { 'x-api-key': `${key}, ${key}` } })).status, 401)
  for (const text of ['x', `${key}x`, key.slice(0, -1), '', user.token]) {
    t.match(await app.ask('GET', ME, { headers: { 'x-api-key': text } }), { status: 401 }, text)
  }
})

void t.test('every route that is not public has a rule, and others stop the start', async (t) => {
  const { app } = await setup(t)
  requireKeyRules(app.app.declaredRoutes)
  const added = { method: 'GET', url: '/api/v1/new', access: 'user' as const }
  t.throws(() => requireKeyRules([...app.app.declaredRoutes, added]), /missing GET \/api\/v1\/new;/)
  t.throws(() => requireKeyRules(app.app.declaredRoutes.slice(0, -2)), /superfluous GET/)
  t.equal(findKeyRule(added), undefined)
})

void t.test('a key of each scope opens the routes of this scope and no others', async (t) => {
  const { app, admin, keyOf } = await setup(t)
  const guarded = app.app.declaredRoutes.filter(
    ({ access, method }) => access !== 'public' && access !== 'guest' && method !== 'HEAD',
  )
  const keys = new Map(
    await Promise.all(API_KEY_SCOPES.map(async (scope) => [scope, await keyOf(admin, scope)] as const)),
  )
  const all = await keyOf(admin, ...API_KEY_SCOPES)
  for (const { method, url } of guarded) {
    const rule = findKeyRule({ method, url })
    const path = pathOf(url)
    if (rule === 'people') {
      const answer = await withKey(app, all, method, path)
      // Errors of passkeys have no code.
      const json = url.includes('/webauthn/') ? { error: String } : { code: 'key_not_allowed' }
      t.match(answer, { status: 403, json }, `${method} ${url}`)
      continue
    }
    for (const [scope, key] of keys) {
      if (scope === rule) continue
      const answer = await withKey(app, key, method, path)
      t.match(answer, { status: 403, json: { code: 'key_scope_missing', scope: rule } }, `${scope}: ${method} ${url}`)
    }
  }
  t.equal(await app.services.db.oneFirst(sql.unsafe`select count(*)::int8 from libraries`), 0)
})

void t.test('a key reads, plays and administers what its scope permits', async (t) => {
  const { app, admin, user, keyOf } = await setup(t)
  const [read, play] = [await keyOf(user, 'read'), await keyOf(user, 'play')]
  t.equal((await withKey(app, read, 'GET', '/api/v1/media')).status, 200)
  t.equal((await withKey(app, read, 'HEAD', '/api/v1/media')).status, 200)
  t.equal((await withKey(app, read, 'GET', `/media/${ID}/stream`)).status, 404)
  t.equal((await withKey(app, play, 'POST', '/api/v1/sessions', {})).status, 201)
  const [libraries, all] = [await keyOf(admin, 'libraries'), await keyOf(admin, 'admin')]
  t.equal((await withKey(app, libraries, 'POST', `/api/v1/libraries/${ID}/scan`, {})).status, 404)
  t.equal((await withKey(app, all, 'GET', '/api/v1/admin/users')).status, 200)
})

void t.test('a key has no rights that its owner lacks or has lost', async (t) => {
  const { app, admin, user, keyOf } = await setup(t)
  await setAdministrator(app.services, { usernameOrEmail: 'user', isAdmin: true })
  const promoted = { ...user, account: { ...user.account, isAdmin: true } }
  const [libraries, all] = [await keyOf(promoted, 'libraries'), await keyOf(promoted, 'admin')]
  t.equal((await withKey(app, all, 'GET', '/api/v1/admin/users')).status, 200)
  await setAdministrator(app.services, { usernameOrEmail: 'user', isAdmin: false })
  const answer = await withKey(app, libraries, 'POST', `/api/v1/libraries/${ID}/scan`, {})
  t.match(answer, { status: 403, json: { code: 'auth.not_admin' } })
  t.match(await withKey(app, all, 'GET', '/api/v1/admin/users'), { status: 403, json: { code: 'auth.not_admin' } })
  await disableAccount(app.services, { usernameOrEmail: 'user' })
  t.equal((await withKey(app, libraries, 'GET', ME)).status, 401)
  t.match(
    (await withKey(app, await keyOf(admin, 'read'), 'GET', ME)).json,
    { user: { is_admin: false } },
    'only reading',
  )
})

void t.test('a key opens neither keys nor WebSockets, and a sign-out by a key ends nothing', async (t) => {
  const { app, admin, keyOf } = await setup(t)
  const key = await keyOf(admin, ...API_KEY_SCOPES)
  const body = { name: 'More', scopes: ['admin'] }
  t.match(await withKey(app, key, 'POST', KEYS, body), { status: 403, json: { code: 'key_not_allowed' } })
  t.equal(
    (await app.ask('POST', '/api/v1/auth/logout', { headers: { authorization: `Bearer ${key}` }, body: {} })).status,
    401,
  )
  t.equal((await app.ask('GET', ME, { token: admin.token })).status, 200)
})

void t.test('administrators see and revoke the keys of all; users do not know those of others', async (t) => {
  const { app, admin, user, keyOf } = await setup(t)
  const key = await keyOf(admin, 'read')
  const all = '/api/v1/admin/api-keys'
  const list = await app.ask('GET', all, { token: admin.token })
  const id = String(pick(list.json, 'api_keys', 0, 'id'))
  t.match(list.json, { api_keys: [{ username: 'admin', scopes: ['read'] }] })
  t.equal((await app.ask('GET', all, { token: user.token })).status, 403)
  const foreign = await app.ask('DELETE', `${KEYS}/${id}`, { token: user.token })
  const unknown = await app.ask('DELETE', `${KEYS}/${ID}`, { token: user.token })
  t.strictSame([foreign.status, foreign.text], [unknown.status, unknown.text])
  t.equal(foreign.status, 404)
  t.equal((await app.ask('DELETE', `${all}/${id}`, { token: admin.token })).status, 200)
  t.equal((await withKey(app, key, 'GET', ME)).status, 401)
})

void t.test('an old sign-in makes no key', async (t) => {
  const { app, user } = await setup(t)
  await app.services.db.query(
    sql.unsafe`update refresh_families set authenticated_at = authenticated_at - interval '11 minutes'`,
  )
  const answer = await app.ask('POST', KEYS, { token: user.token, body: { name: 'x', scopes: ['read'] } })
  t.match(answer, { status: 403, json: { code: 'recent_sign_in_required' } })
})
