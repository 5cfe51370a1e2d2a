import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

void t.test(
  'PUT and DELETE of a library are for administrators: 401 and 403, and nothing changes (AZ-13)',
  async (t) => {
    const { ask, services, registerAdmin, registerUser } = await startApp(t)
    const [admin, user] = [await registerAdmin(), await registerUser()]
    const { library } = await scanFilms(t, services, {})
    const path = `/api/v1/libraries/${library.id}`
    const before = (await ask('GET', path, { token: admin.token })).json
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { name: 'Mine' } : undefined
      const unknown = await ask(method, path, { body })
      t.match(unknown, { status: 401, json: { error: 'Unauthorized', code: 'auth.required' } })
      const forbidden = await ask(method, path, { token: user.token, body })
      t.match(forbidden, { status: 403, json: { error: 'Forbidden', code: 'auth.not_admin' } })
    }
    t.match(await ask('POST', `${path}/prune`), { status: 401 })
    t.match(await ask('POST', `${path}/prune`, { token: user.token }), { status: 403 })
    t.strictSame((await ask('GET', path, { token: admin.token })).json, before)
  },
)

void t.test('an update answers the library as it is now and a message', async (t) => {
  const { ask, services, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const { library, folder } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-tiny-mp4' })
  const path = `/api/v1/libraries/${library.id}`
  const body = {
    name: 'Cinema',
    display_order: 3,
    options: { time_zone: 'Europe/Berlin' },
    autoCollections: false,
    metadata_priority: { movie: ['nfo', 'tmdb'] },
    image_types: ['poster', 'backdrop'],
    type: 'movie',
    unknown: 'is left alone',
  }
  const { status, json } = await ask('PUT', path, { token, body })
  t.equal(status, 200)
  t.strictSame(json, {
    library: {
      id: library.id,
      name: 'Cinema',
      type: 'movie',
      path: folder,
      paths: [folder],
      options: {
        time_zone: 'Europe/Berlin',
        autoCollections: { enabled: false },
        metadata_priority: { movie: ['nfo', 'tmdb'] },
        image_types: ['poster', 'backdrop'],
      },
      item_count: 1,
      display_order: 3,
      auto_collections: { enabled: false },
      created_at: pick(json, 'library', 'created_at'),
      updated_at: pick(json, 'library', 'updated_at'),
    },
    message: 'Library updated',
  })
  t.match(pick(json, 'library', 'updated_at'), TIME)
  const cleared = await ask('PUT', path, {
    token,
    body: { metadata_priority: null, autoCollections: { enabled: true } },
  })
  t.strictSame(pick(cleared.json, 'library', 'options'), {
    time_zone: 'Europe/Berlin',
    autoCollections: { enabled: true },
    image_types: ['poster', 'backdrop'],
  })
  t.strictSame((await ask('GET', path, { token })).json, { library: pick(cleared.json, 'library') })
})

void t.test('other folders queue a scan, once; the same folders do not', async (t) => {
  const { ask, services, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const { library, folder } = await scanFilms(t, services, {})
  const path = `/api/v1/libraries/${library.id}`
  const more = reachableDirectory(t)
  const same = await ask('PUT', path, { token, body: { paths: [folder], path: folder } })
  t.notOk('job_id' in (same.json as object))
  const changed = await ask('PUT', path, { token, body: { paths: [folder, more] } })
  t.match(changed, {
    status: 200,
    json: { library: { path: folder, paths: [folder, more] }, message: 'Library updated, a scan is queued' },
  })
  const status = await ask('GET', `${path}/scan-status`, { token })
  t.match(status.json, { scan_status: { id: pick(changed.json, 'job_id'), type: 'scan', status: 'queued' } })
  const first = await ask('PUT', path, { token, body: { path: more } })
  t.strictSame(pick(first.json, 'library', 'paths'), [more], 'path is the first folder')
  t.equal(pick(first.json, 'job_id'), pick(changed.json, 'job_id'), 'the scan that waits is enough')
})

void t.test('an invalid update answers 400 with its code, an unknown library 404', async (t) => {
  const { ask, services, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const { library, folder } = await scanFilms(t, services, {})
  mkdirSync(join(folder, 'inside'))
  const cases: [body: unknown, code: string][] = [
    [{ name: '' }, 'missing_fields'],
    [{ name: ['x'] }, 'missing_fields'],
    [{ paths: [] }, 'missing_fields'],
    [{ paths: [folder, join(folder, 'inside')] }, 'invalid_path'],
    [{ paths: '/proc' }, 'invalid_path'],
    [{ path: services.config.dataDirectory }, 'invalid_path'],
    [{ type: 'series' }, 'invalid_type'],
    [{ options: 'x' }, 'invalid_options'],
    [{ autoCollections: 'x' }, 'invalid_options'],
    [{ metadata_priority: 5 }, 'invalid_options'],
    [{ image_types: 5 }, 'invalid_options'],
    [{ series_per_directory: true }, 'invalid_options'],
    ['{"display_order":1e400}', 'invalid_options'],
    [[], 'invalid_request'],
    ['{"name":', 'invalid_json'],
  ]
  for (const [body, code] of cases) {
    const answer = await ask('PUT', `/api/v1/libraries/${library.id}`, { token, body })
    t.match(answer, { status: 400, json: { error: String, code } }, JSON.stringify(body))
  }
  for (const id of [UNKNOWN, 'x', '%00']) {
    for (const [method, suffix, body] of [
      ['PUT', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/prune', {}],
      ['GET', '/items', undefined],
    ] as const) {
      const answer = await ask(method, `/api/v1/libraries/${id}${suffix}`, { token, body })
      t.match(
        answer,
        { status: 404, json: { error: 'Library not found', code: 'library_not_found' } },
        `${method} ${id}`,
      )
    }
  }
})

void t.test('a deleted library is gone with its items and jobs; a second time it is 404', async (t) => {
  const { ask, services, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const { library, items } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-tiny-mp4' })
  const path = `/api/v1/libraries/${library.id}`
  await ask('POST', `${path}/rescan`, { token })
  await ask('POST', `/api/v1/media/${items[0]?.id}/favorite`, { token })
  t.strictSame((await ask('DELETE', path, { token })).json, { message: 'Library deleted' })
  for (const gone of [path, `${path}/scan-status`, `${path}/items`, `/api/v1/media/${items[0]?.id}`]) {
    t.equal((await ask('GET', gone, { token })).status, 404, gone)
  }
  t.match((await ask('GET', '/api/v1/media', { token })).json, { items: [], total: 0 })
  t.match((await ask('GET', '/api/v1/users/me/favorites', { token })).json, { items: [] })
  t.match(await ask('DELETE', path, { token }), { status: 404, json: { code: 'library_not_found' } })
})

void t.test('a prune is queued as every job is: 202, and the same job while it waits', async (t) => {
  const { ask, services, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  const { library, folder } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-tiny-mp4' })
  const away = `${folder}-away`
  t.teardown(() => rmSync(away, { recursive: true, force: true }))
  renameSync(folder, away)
  const path = `/api/v1/libraries/${library.id}/prune`
  const queued = await ask('POST', path, { token })
  t.strictSame(queued.json, { job_id: pick(queued.json, 'job_id'), status: 'queued', message: 'Prune queued' })
  t.equal(queued.status, 202)
  t.equal(pick((await ask('POST', path, { token, body: { force: true } })).json, 'job_id'), pick(queued.json, 'job_id'))
  t.match(await ask('POST', path, { token, body: { force: 'yes' } }), { status: 400, json: { field: 'force' } })
  const status = await ask('GET', `/api/v1/libraries/${library.id}/scan-status`, { token })
  t.match(status.json, { scan_status: { type: 'prune', status: 'queued' } })
  renameSync(away, folder)
})

void t.test('the items of a library are listed by name, with a type only those', async (t) => {
  const { ask, services, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const films = { 'Beta (1999).mp4': 'film-tiny-mp4', 'Alpha (2001).mp4': 'film-tiny-mp4' } as const
  const { library } = await scanFilms(t, services, films)
  const path = `/api/v1/libraries/${library.id}/items`
  const all = await ask('GET', path, { token })
  t.match(all.json, { items: [{ name: 'Alpha', type: 'movie' }, { name: 'Beta' }], total: 2, limit: 50, offset: 0 })
  const list = await ask('GET', `/api/v1/media?libraryId=${library.id}`, { token })
  t.strictSame(pick(all.json, 'items'), pick(list.json, 'items'), 'the rows of every list')
  const page = await ask('GET', `${path}?type=movie&limit=1&offset=1`, { token })
  t.match(page.json, { items: [{ name: 'Beta' }], total: 2, limit: 1, offset: 1 })
  t.match((await ask('GET', `${path}?type=episode`, { token })).json, { items: [], total: 0 })
  t.match((await ask('GET', `${path}?type=&limit=0&offset=-5`, { token })).json, { total: 2, limit: 1, offset: 0 })
  t.match(await ask('GET', `${path}?type=film`, { token }), {
    status: 400,
    json: { code: 'invalid_request', field: 'type' },
  })
  t.match(await ask('GET', `${path}?limit=many`, { token }), { status: 400, json: { field: 'limit' } })
})
