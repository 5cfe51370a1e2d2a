import { join } from 'node:path'
import t from 'tap'
import { LIBRARY_TYPES } from '../../../../src/core/libraries/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

void t.test('an administrator makes a library; its first scan is queued', async (t) => {
  const { ask, registerAdmin, registerUser } = await startApp(t)
  const [admin, user] = [await registerAdmin(), await registerUser()]
  const folder = reachableDirectory(t)
  const body = { name: 'Films', type: 'movie', path: folder, autoCollections: false }
  const created = await ask('POST', '/api/v1/libraries', { token: admin.token, body })
  t.equal(created.status, 201)
  t.match(created.json, { name: 'Films', type: 'movie', path: folder, paths: [folder], status: 'scanning' })
  t.equal(pick(created.json, 'library_id'), pick(created.json, 'id'))
  const id = String(pick(created.json, 'id'))
  const status = await ask('GET', `/api/v1/libraries/${id}/scan-status`, { token: admin.token })
  t.match(status.json, { scan_status: { id: pick(created.json, 'job_id'), status: 'queued', type: 'scan' } })

  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  const row = {
    id,
    name: 'Films',
    type: 'movie',
    path: folder,
    paths: [folder],
    item_count: 0,
    display_order: 0,
    auto_collections: { enabled: false },
    options: { autoCollections: { enabled: false } },
    created_at: time,
    updated_at: time,
  }
  const seen = { ...row, path: '', paths: [''] }
  for (const [{ token }, library] of [
    [admin, row],
    [user, seen],
  ] as const) {
    t.match(await ask('GET', '/api/v1/libraries', { token }), { status: 200, json: { libraries: [library] } })
    t.match(await ask('GET', `/api/v1/libraries/${id}`, { token }), { status: 200, json: { library } })
  }
})

void t.test('with `scan: false` a library is made without its first scan', async (t) => {
  const { ask, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const body = { name: 'Films', type: 'movie', path: reachableDirectory(t) }
  const made = await ask('POST', '/api/v1/libraries', { token, body: { ...body, scan: false } })
  t.match(made, { status: 201, json: { status: 'created', message: 'Library created' } })
  t.notOk(Object.hasOwn(made.json as object, 'job_id'))
  const status = await ask('GET', `/api/v1/libraries/${String(pick(made.json, 'id'))}/scan-status`, { token })
  t.strictSame(status.json, { scan_status: null })
  const asked = await ask('POST', '/api/v1/libraries', {
    token,
    body: { ...body, type: 'book', scan: true },
  })
  t.match(asked, { status: 201, json: { status: 'scanning', job_id: String } })
  for (const scan of ['no', 0, null, {}]) {
    t.match(
      await ask('POST', '/api/v1/libraries', { token, body: { ...body, scan } }),
      { status: 400 },
      JSON.stringify(scan),
    )
  }
})

void t.test('both path and paths are read, as clients send the one or the other', async (t) => {
  const { ask, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const [first, second] = [reachableDirectory(t), reachableDirectory(t)]
  const body = { name: 'Two', type: 'movie', paths: [first, second] }
  const created = await ask('POST', '/api/v1/libraries', { token, body })
  t.match(created, { status: 201, json: { path: first, paths: [first, second] } })
})

void t.test('every type can be made, and its first scan is queued', async (t) => {
  const { ask, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  for (const type of LIBRARY_TYPES) {
    const created = await ask('POST', '/api/v1/libraries', {
      token,
      body: { name: type, type, path: reachableDirectory(t) },
    })
    t.match(created, { status: 201, json: { type, status: 'scanning', job_id: /^[0-9a-f-]{36}$/ } }, type)
  }
})

void t.test('an invalid library answers 400 with the reason (FN-05)', async (t) => {
  const { ask, registerAdmin, services } = await startApp(t)
  const { token } = await registerAdmin()
  const folder = reachableDirectory(t)
  const good = { name: 'Films', type: 'movie', path: folder }
  const cases: [claim: string, body: unknown, code: string][] = [
    ['nothing', {}, 'missing_fields'],
    ['an empty name', { ...good, name: ' ' }, 'missing_fields'],
    ['a number as name', { ...good, name: 5 }, 'missing_fields'],
    ['an unknown type', { ...good, type: 'films' }, 'invalid_type'],
    ['the root', { ...good, path: '/' }, 'invalid_path'],
    ...['/proc', '/sys', '/dev', `${folder}/../../../../..`, `${folder}\0`, `/${'a'.repeat(5000)}`].map(
      (path): [string, unknown, string] => [path.slice(0, 20), { ...good, path }, 'invalid_path'],
    ),
    ['the data directory', { ...good, path: services.config.dataDirectory }, 'invalid_path'],
    ['a relative path', { ...good, path: 'films' }, 'invalid_path'],
    ['a missing folder', { ...good, path: join(folder, 'missing') }, 'invalid_path'],
  ]
  for (const [claim, body, code] of cases) {
    const answer = await ask('POST', '/api/v1/libraries', { token, body })
    t.match(answer, { status: 400, json: { error: String, code } }, claim)
  }
  const relative = await ask('POST', '/api/v1/libraries', { token, body: { ...good, path: 'films' } })
  t.equal(pick(relative.json, 'error'), 'the path must be absolute', 'clients show nothing else')
  const type = await ask('POST', '/api/v1/libraries', { token, body: { ...good, type: 'films' } })
  t.strictSame(pick(type.json, 'valid_types'), ['movie', 'series', 'music', 'photo', 'book', 'audiobook', 'video'])
  t.match((await ask('GET', '/api/v1/libraries', { token })).json, { libraries: [] }, 'nothing was made')
})

void t.test('an unknown or malformed id is 404', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  for (const id of [UNKNOWN, '1', "'%20or%201=1", '%00', 'null']) {
    const answer = await ask('GET', `/api/v1/libraries/${id}`, { token })
    t.match(answer, { status: 404, json: { error: 'Library not found', code: 'library_not_found' } }, id)
  }
})

void t.test('an empty list is no options: existing clients send it for an empty map', async (t) => {
  const { ask, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const body = { name: 'Films', type: 'movie', path: reachableDirectory(t), options: [] }
  const created = await ask('POST', '/api/v1/libraries', { token, body })
  t.equal(created.status, 201)
  const id = String(pick(created.json, 'id'))
  t.equal((await ask('PUT', `/api/v1/libraries/${id}`, { token, body: { name: 'Movies', options: [] } })).status, 200)
  t.match(await ask('PUT', `/api/v1/libraries/${id}`, { token, body: { options: [1] } }), {
    status: 400,
    json: { code: 'invalid_options' },
  })
})
