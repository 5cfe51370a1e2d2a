import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { startRefreshSession } from '../../../../src/core/accounts/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { makeLibrary } from '../../../support/records.ts'
import { pick, startApp, type Ask } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const PATH = '/api/v1/admin/users'
const PASSWORD = 'correct horse'

void t.test('users for administrators', async (t) => {
  const app = await startApp(t)
  const admin = await app.registerAdmin()
  const user = await app.registerUser()
  const ask = (method: string, path: string, ask: Ask = {}) =>
    app.ask(method, `${PATH}${path}`, { token: admin.token, ...ask })
  const create = async (username: string, more: object = {}): Promise<string> => {
    const body = { username, email: `${username}@example.test`, password: PASSWORD, ...more }
    const { status, json } = await ask('POST', '', { body })
    t.equal(status, 201)
    return String(pick(json, 'user_id'))
  }
  const logIn = (username: string, password = PASSWORD) =>
    app.ask('POST', '/api/v1/auth/login', { body: { username, password } })

  await t.test('other users may call none of the routes', async (t) => {
    const { id } = user.account
    const routes = [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PUT', `/${id}`],
      ['GET', `/${id}/access`],
      ['PUT', `/${id}/access`],
      ['DELETE', `/${id}`],
      ...['set-admin', 'reset-password', 'approve', 'disable', 'reject'].map((word) => ['POST', `/${id}/${word}`]),
    ] as [string, string][]
    for (const [method, path] of routes) {
      const body = { body: { is_admin: true, username: 'mallory' } }
      const more = method === 'GET' ? {} : body
      t.match(await app.ask(method, `${PATH}${path}`, more), { status: 401, json: { code: 'auth.required' } })
      t.match(await app.ask(method, `${PATH}${path}`, { ...more, token: user.token }), {
        status: 403,
        json: { code: 'auth.not_admin' },
      })
    }
    t.match((await ask('GET', `/${id}`)).json, { user: { username: 'user', is_admin: false, status: 'active' } })
  })

  await t.test('they are listed with what a table needs, and by status', async (t) => {
    const { status, json } = await ask('GET', '')
    t.equal(status, 200)
    t.strictSame(
      (pick(json, 'users') as { username: string }[]).map(({ username }) => username),
      ['admin', 'user'],
    )
    t.match(pick(json, 'users', 0), {
      id: admin.account.id,
      email: 'admin@example.test',
      is_admin: true,
      status: 'active',
      display_name: null,
      created_at: /^\d{4}-\d\d-\d\dT/,
      updated_at: /^\d{4}-\d\d-\d\dT/,
      last_login: null,
    })
    t.notMatch(JSON.stringify(json), /argon2|password/)
    t.strictSame((await ask('GET', '?status=disabled')).json, { users: [] })
    t.match(await ask('GET', '?status=gone'), {
      status: 400,
      json: { code: 'invalid_request', field: 'status', error: /^status must be one of active, pending, disabled$/ },
    })
  })

  await t.test('a new user may sign in; errors are reported as text and for each field', async (t) => {
    const id = await create('carol', { is_admin: true })
    t.match((await ask('GET', `/${id}`)).json, { user: { id, username: 'carol', is_admin: true } })
    t.equal((await logIn('carol')).status, 200)
    t.match(await ask('POST', '', { body: { username: 'Carol', email: 'x@example.test', password: PASSWORD } }), {
      status: 400,
      json: {
        error: 'username is already in use',
        code: 'validation_failed',
        field_errors: { username: 'is already in use' },
      },
    })
    t.match((await ask('POST', '', { body: { username: 'ed', password: 7 } })).json, {
      field_errors: {
        username: 'must be 3 to 50 characters long',
        email: 'is required',
        password: 'is required',
      },
    })
    t.match(await ask('POST', '', { body: { username: 'dave', is_admin: 1 } }), {
      status: 400,
      json: { code: 'invalid_request', field: 'is_admin' },
    })
    t.equal((await ask('DELETE', `/${id}`)).status, 200)
    t.equal((await ask('GET', `/${id}`)).status, 404)
    t.equal((await logIn('carol')).status, 401)
  })

  await t.test('an update changes the given fields only', async (t) => {
    const id = await create('erin')
    await startRefreshSession(app.services, { accountId: id })
    const openSessions = () =>
      app.services.db.oneFirst(
        sql.unsafe`select count(*)::int from refresh_families where user_id = ${id} and revoked_at is null`,
      )
    t.equal((await ask('PUT', `/${id}`, { body: { username: 'erina' } })).status, 200)
    t.match((await ask('GET', `/${id}`)).json, { user: { username: 'erina', email: 'erin@example.test' } })
    t.equal(await openSessions(), 1)
    t.equal((await ask('PUT', `/${id}`, { body: {} })).status, 200)
    t.equal((await ask('PUT', `/${id}`, { body: { password: 'another horse' } })).status, 200)
    t.equal(await openSessions(), 0, 'a new password ends sessions')
    t.equal((await logIn('erina')).status, 401)
    t.equal((await logIn('erina', 'another horse')).status, 200)
    t.match(await ask('PUT', `/${id}`, { body: { email: 'ADMIN@example.test', password: 'short' } }), {
      status: 400,
      json: { field_errors: { password: 'must be at least 8 characters long' } },
    })
    t.match(await ask('PUT', `/${id}`, { body: { email: 'ADMIN@example.test' } }), {
      status: 400,
      json: { error: 'email is already in use' },
    })
    t.match((await ask('PUT', `/${id}`, { body: { username: null } })).json, {
      field_errors: { username: 'is required' },
    })
  })

  await t.test('a reset answers the new password once', async (t) => {
    const id = await create('fay')
    const { status, json } = await ask('POST', `/${id}/reset-password`)
    t.equal(status, 200)
    t.equal((await logIn('fay')).status, 401)
    t.equal((await logIn('fay', String(pick(json, 'new_password')))).status, 200)
  })

  await t.test(
    'a disabled account is refused from the next request on, and signs in again when it is approved',
    async (t) => {
      const id = await create('gil')
      const token = String(pick((await logIn('gil')).json, 'access_token'))
      const refresh = String(pick((await logIn('gil')).json, 'refresh_token'))
      const me = () => app.ask('GET', '/api/v1/auth/me', { token })
      t.equal((await me()).status, 200)
      t.equal((await ask('POST', `/${id}/disable`)).status, 200)
      t.equal((await me()).status, 401)
      t.match(await logIn('gil'), { status: 401, json: { code: 'account_disabled' } })
      t.match((await ask('GET', '?status=disabled')).json, { users: [{ id }] })
      t.equal((await ask('POST', `/${id}/approve`)).status, 200)
      t.equal((await me()).status, 401, 'its session stays ended')
      t.equal((await logIn('gil')).status, 200)
      const again = await app.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: refresh } })
      t.equal(again.status, 401, 'sessions stay ended')
      t.match(await ask('POST', `/${id}/reject`), {
        status: 409,
        json: { code: 'account_not_pending', error: 'gil is active' },
      })
    },
  )

  await t.test('a registration that needs approval waits until it is approved or rejected', async (t) => {
    await changeSettings(app.services, { 'accounts.approval': true })
    const register = (username: string) =>
      app.ask('POST', '/api/v1/auth/register', {
        body: { username, email: `${username}@example.test`, password: PASSWORD, needsApproval: false },
      })
    t.match(await register('hal'), {
      status: 202,
      json: { status: 'pending', message: /approve/, access_token: undefined },
    })
    t.match(await register('ida'), { status: 202 })
    await changeSettings(app.services, { 'accounts.approval': null })
    t.match(await logIn('hal'), { status: 401, json: { code: 'account_pending' } })
    const [hal, ida] = pick((await ask('GET', '?status=pending')).json, 'users') as { id: string; username: string }[]
    t.match([hal, ida], [{ username: 'hal' }, { username: 'ida' }])
    const token = app.tokens.issueAccess({
      accountId: hal?.id ?? '',
      profileId: hal?.id ?? '',
      sessionId: randomUUID(),
      epoch: 0,
    })
    t.equal((await app.ask('GET', '/api/v1/auth/me', { token })).status, 401)
    t.equal((await ask('POST', `/${hal?.id}/approve`)).status, 200)
    t.equal((await logIn('hal')).status, 200)
    t.equal((await ask('POST', `/${ida?.id}/reject`)).status, 200)
    t.equal((await ask('GET', `/${ida?.id}`)).status, 404)
    t.match(await register('ida'), { status: 201 }, 'the name is free again')
  })

  await t.test(
    'the last administrator cannot be removed, and administrators cannot demote themselves by mistake',
    async (t) => {
      const { id } = admin.account
      const attempts = [
        ['DELETE', `/${id}`],
        ['POST', `/${id}/disable`],
        ['POST', `/${id}/set-admin`],
      ] as const
      for (const [code, error] of [
        ['last_administrator', 'admin is the only active administrator'],
        ['own_account', 'only another administrator may change your account in this way'],
      ]) {
        for (const [method, path] of attempts) {
          const answer = await ask(method, path, { body: { is_admin: false } })
          t.match(answer, { status: 409, json: { code, error } }, `${method} ${path}`)
        }
        if (code === 'last_administrator') await create('kim', { is_admin: true })
      }
      t.match((await ask('GET', `/${id}`)).json, { user: { is_admin: true, status: 'active' } })
      const kim = String(pick((await logIn('kim')).json, 'user', 'id'))
      t.equal((await ask('POST', `/${kim}/set-admin`, { body: { is_admin: false } })).status, 200)
      t.match((await ask('GET', `/${kim}`)).json, { user: { is_admin: false } })
      t.match(await ask('POST', `/${kim}/set-admin`, { body: { is_admin: 'yes' } }), { status: 400 })
    },
  )

  await t.test('an id that no account has is 404 everywhere', async (t) => {
    for (const id of ['00000000-0000-4000-8000-000000000000', '1', '%00', 'x'.repeat(2000)]) {
      for (const path of ['', '/approve', '/disable', '/reject', '/reset-password', '/set-admin']) {
        const method = path === '' ? 'PUT' : 'POST'
        const answer = await ask(method, `/${id}${path}`, { body: { is_admin: true } })
        t.match(answer, { status: 404, json: { code: 'account_not_found' } }, `${method} ${path}`)
      }
      t.equal((await ask('GET', `/${id}`)).status, 404)
      t.equal((await ask('DELETE', `/${id}`)).status, 404)
    }
  })
})

void t.test('what an account may see is read and changed', async (t) => {
  const app = await startApp(t)
  const admin = await app.registerAdmin()
  const user = await app.registerUser()
  const library = await makeLibrary(app.services.db, reachableDirectory(t), 'Films')
  const path = `${PATH}/${user.account.id}/access`
  const set = (body: object, of = path) => app.ask('PUT', of, { token: admin.token, body })
  const streams = { max_concurrent_streams: null, max_total_bandwidth_kbps: null }
  const tags = { blocked_tags: [], allowed_tags: [] }
  const everything = { library_ids: null, max_age: null, allow_unrated: false, ...tags, can_download: true, ...streams }
  t.strictSame((await app.ask('GET', path, { token: admin.token })).json, { access: everything })
  t.strictSame((await set({ library_ids: [library.id, library.id.toUpperCase()] })).json, {
    access: { ...everything, library_ids: [library.id] },
  })
  t.strictSame((await set({ max_rating: 'PG-13', allow_unrated: true })).json, {
    access: { ...everything, library_ids: [library.id], max_age: 13, allow_unrated: true },
  })
  t.strictSame((await set({ max_age: null, library_ids: null })).json, { access: everything })
  t.strictSame(
    (await set({ blocked_tags: [' GORE', 'gore  ', 'Très  Noir'], allowed_tags: ['kids', 'Family'] })).json,
    { access: { ...everything, blocked_tags: ['gore', 'tres noir'], allowed_tags: ['family', 'kids'] } },
    'tags are compared without regard to case, accents and spaces',
  )
  t.strictSame((await set({ blocked_tags: [], allowed_tags: [] })).json, { access: everything })
  t.strictSame((await set({ library_ids: [] })).json, { access: { ...everything, library_ids: [] } })
  for (const [body, code] of [
    [{ library_ids: [randomUUID()] }, 'invalid_access'],
    [{ library_ids: ["x' or 1=1"] }, 'invalid_access'],
    [{ max_age: 22 }, 'invalid_access'],
    [{ max_age: -1 }, 'invalid_access'],
    [{ max_rating: 'grown-up' }, 'invalid_access'],
    [{ max_age: 12, max_rating: 'PG' }, 'invalid_request'],
    [{ max_age: 1.5 }, 'invalid_request'],
    [{ max_concurrent_streams: 0 }, 'invalid_stream_limits'],
    [{ max_total_bandwidth_kbps: 99 }, 'invalid_stream_limits'],
    [{ library_ids: 'all' }, 'invalid_request'],
    [{ blocked_tags: ['  '] }, 'invalid_access'],
    [{ allowed_tags: ['x'.repeat(201)] }, 'invalid_access'],
    [{ blocked_tags: ['a\0b'] }, 'invalid_access'],
    [{ blocked_tags: Array.from({ length: 501 }, (_, index) => `t${index}`) }, 'invalid_request'],
  ] as const) {
    t.match(await set(body), { status: 400, json: { code } }, JSON.stringify(body))
  }
  t.match(
    (await app.ask('GET', path, { token: admin.token })).json,
    { access: { library_ids: [] } },
    'nothing was changed',
  )
  t.match(await set({ max_age: 12 }, `${PATH}/${admin.account.id}/access`), {
    status: 409,
    json: { code: 'administrator_not_limited' },
  })
  t.match(
    await app.ask('POST', `${PATH}/${user.account.id}/set-admin`, { token: admin.token, body: { is_admin: true } }),
    { status: 409, json: { code: 'administrator_not_limited' } },
  )
  t.match(await set({}, `${PATH}/${randomUUID()}/access`), { status: 404, json: { code: 'account_not_found' } })
})

void t.test('a change of limits is applied as a whole or not at all', async (t) => {
  const app = await startApp(t)
  const admin = await app.registerAdmin()
  const { account } = await app.registerUser()
  const path = `${PATH}/${account.id}/access`
  const set = (body: object) => app.ask('PUT', path, { token: admin.token, body })
  const before = (await app.ask('GET', path, { token: admin.token })).json
  for (const [wrong, code] of [
    [{ max_concurrent_streams: 0 }, 'invalid_stream_limits'],
    [{ max_total_bandwidth_kbps: 1 }, 'invalid_stream_limits'],
    [{ max_concurrent_streams: 1, library_ids: [randomUUID()] }, 'invalid_access'],
    [{ max_rating: '\u0000' }, 'invalid_access'],
  ] as const) {
    const body = {
      allow_unrated: true,
      can_download: false,
      ...('max_rating' in wrong ? {} : { max_age: 12 }),
      ...wrong,
    }
    t.match(await set(body), { status: 400, json: { code } }, JSON.stringify(wrong))
    t.strictSame((await app.ask('GET', path, { token: admin.token })).json, before)
  }
  const limits = { max_age: 12, can_download: false, max_concurrent_streams: 1 }
  t.match(await set(limits), { status: 200, json: { access: limits } })
  t.match((await set({})).json, { access: limits }, 'absent limits stay')
})

void t.test('an account that may not download does so in none of its profiles, and not with a key', async (t) => {
  const app = await startApp(t)
  const admin = await app.registerAdmin()
  const user = await app.registerUser()
  const made = await app.ask('POST', '/api/v1/me/api-keys', {
    token: user.token,
    body: { name: 'x', scopes: ['read', 'play'] },
  })
  const key = String(pick(made.json, 'api_key') ?? pick(made.json, 'key'))
  t.match(made, { status: 201 })
  const { json } = await app.ask('POST', '/api/v1/profiles', {
    token: user.token,
    body: { name: 'Second', can_download: true },
  })
  const second = await app.signIn(user.account.id, String(pick(json, 'profile_id')))
  const download = (token: string) => app.ask('GET', `/api/v1/media/${randomUUID()}/download`, { token })
  for (const token of [user.token, second, key]) t.match(await download(token), { status: 404 })
  const path = `${PATH}/${user.account.id}/access`
  await app.ask('PUT', path, { token: admin.token, body: { can_download: false } })
  for (const token of [user.token, second, key]) {
    t.match(await download(token), { status: 403, json: { code: 'download_not_permitted' } })
  }
  t.match((await app.ask('GET', '/api/v1/auth/me', { token: user.token })).json, {
    profile: { can_download: false, is_restricted: false },
  })
  await app.ask('PUT', path, { token: admin.token, body: { can_download: true } })
  t.match(await download(second), { status: 404 })
})
