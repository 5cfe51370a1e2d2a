import { sql } from 'slonik'
import t from 'tap'
import { readSetting, applyDatabaseSettings } from '../../../../src/core/platform/settings/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { startFakeTmdb, TMDB_KEY } from '../../../support/fake-tmdb.ts'
import { testServices } from '../../../support/services.ts'

const PATH = '/api/v1/admin/settings'

void t.test('settings of the server', async (t) => {
  const tmdb = await startFakeTmdb(t)
  const services = await testServices(t, {
    flags: { 'metadata.language': 'de-DE', 'metadata.tmdb.base_url': tmdb.baseUrl },
    environment: { TVDB_API_KEY: 'of the environment' },
  })
  const app = await startApp(t, { services })
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  const put = (settings: unknown) => app.ask('PUT', PATH, { token, body: { settings } })
  const stored = async () => services.db.anyFirst(sql.unsafe`select name from settings order by name`)
  const live = () => readSetting(services, 'metadata.overwrite_existing')

  await t.test('they are shown with all that a form needs; secrets only as set or not', async (t) => {
    const { status, json } = await app.ask('GET', PATH, { token })
    t.equal(status, 200)
    t.strictSame(Object.keys(json as object), ['success', 'data'])
    t.equal(pick(json, 'success'), true)
    t.strictSame(Object.keys(pick(json, 'data') as object), ['settings', 'overridden', 'types', 'meta', 'secretStatus'])
    t.match(pick(json, 'data', 'settings'), {
      'metadata.overwrite_existing': true,
      'metadata.language': 'de-DE',
      'metadata.tvdb.api_key': '***',
      'metadata.tmdb.api_key': null,
      'server.rate_limit.jwks.max': 120,
    })
    t.strictSame(pick(json, 'data', 'overridden'), [])
    t.match(pick(json, 'data', 'types'), {
      'metadata.overwrite_existing': 'bool',
      'metadata.language': 'string',
      'server.rate_limit.jwks.max': 'int',
    })
    t.match(pick(json, 'data', 'secretStatus'), {
      'metadata.tvdb.api_key': { set: true, length: 'of the environment'.length },
      'metadata.tmdb.api_key': { set: false, length: 0 },
    })
    for (const [name, meta] of Object.entries(pick(json, 'data', 'meta') as object)) {
      t.equal(pick(meta, 'group'), name.split('.')[0], `the group of ${name}`)
    }
    t.match(pick(json, 'data', 'meta'), {
      'metadata.overwrite_existing': { default: true, origin: 'default', locked: false, restart_required: false },
      'metadata.language': { origin: 'flag', locked: true },
      'metadata.tvdb.api_key': { origin: 'environment TVDB_API_KEY', secret: true, locked: true, default: null },
      'server.rate_limit.jwks.max': { min: 1, max: 1_000_000, restart_required: true },
    })
    t.notOk(/of the environment|database\.password|jwt_secret/.test(JSON.stringify(json)), 'and no unknown setting')
  })

  await t.test('a live setting takes effect immediately, and is shown as overridden', async (t) => {
    t.equal(await live(), true)
    const { status, json } = await put({ 'metadata.overwrite_existing': false, 'metadata.tmdb.api_key': TMDB_KEY })
    t.equal(status, 200)
    t.strictSame(Object.keys(pick(json, 'data') as object), ['settings', 'overridden'])
    t.match(pick(json, 'data', 'settings'), { 'metadata.overwrite_existing': false, 'metadata.tmdb.api_key': '***' })
    t.strictSame(pick(json, 'data', 'overridden'), ['metadata.overwrite_existing', 'metadata.tmdb.api_key'])
    t.equal(await live(), false)
    t.equal(services.config.options['metadata.tmdb.api_key'], undefined, 'other settings take effect after a restart')
    const restarted = await applyDatabaseSettings(services)
    t.match(
      [restarted.options['metadata.tmdb.api_key'], restarted.origins['metadata.tmdb.api_key']],
      [TMDB_KEY, 'database'],
    )
  })

  await t.test('a form that is sent back whole changes nothing; null takes a setting away', async (t) => {
    const before = await app.ask('GET', PATH, { token })
    t.equal((await put(pick(before.json, 'data', 'settings'))).status, 200)
    t.strictSame(await stored(), ['metadata.overwrite_existing', 'metadata.tmdb.api_key'])
    t.strictSame((await app.ask('GET', PATH, { token })).json, before.json)
    const { json } = await put({
      'metadata.overwrite_existing': null,
      'metadata.tmdb.api_key': null,
      'metadata.country': null,
    })
    t.strictSame(pick(json, 'data', 'overridden'), [])
    t.equal(await live(), true)
    t.strictSame(await stored(), [])
  })

  await t.test(
    'a key is checked: a refused one is not set, one whose provider is unreachable is set with a warning',
    async (t) => {
      const refused = await put({ 'metadata.tmdb.api_key': 'wrong', 'metadata.country': 'FR' })
      t.match(refused, {
        status: 400,
        json: { code: 'metadata.key_refused', message: 'TMDB refuses the key (HTTP 401)' },
      })
      t.strictSame(await stored(), [], 'all or none')
      const asked = tmdb.requests.length
      t.match(await put({ 'metadata.tmdb.api_key': TMDB_KEY, 'metadata.country': 'x' }), { status: 400 })
      t.equal(tmdb.requests.length, asked, 'a refused key is not sent to the provider')
      t.match(await put({ 'metadata.tmdb.api_key': TMDB_KEY }), { status: 200, json: { warnings: [] } })
      t.equal(tmdb.requests.length, asked + 1)
      t.match(await put({ 'metadata.tmdb.api_key': '***', 'metadata.country': 'FR' }), { status: 200 })
      t.equal(tmdb.requests.length, asked + 1, 'nor what stays as it is')
      tmdb.overrideResponse = () => ({ status: 200, text: 'no JSON' })
      t.match(await put({ 'metadata.tmdb.api_key': 'another' }), {
        status: 200,
        json: { warnings: ['metadata.tmdb.api_key was not tried: TMDB sent a reply that is not JSON'] },
      })
      tmdb.overrideResponse = undefined
      t.strictSame(await stored(), ['metadata.country', 'metadata.tmdb.api_key'])
      await put({ 'metadata.tmdb.api_key': null, 'metadata.country': null })
    },
  )

  await t.test('flag, environment and file come before the database', async (t) => {
    for (const settings of [{ 'metadata.language': 'fr-FR' }, { 'metadata.tvdb.api_key': 'other' }]) {
      t.match(await put(settings), { status: 409, json: { code: 'setting_locked' } })
    }
    await services.db.query(sql.unsafe`
      insert into settings (name, value, updated_at) values ('metadata.language', '"fr-FR"', now()), ('metadata.country', '"FR"', now())`)
    const { options } = await applyDatabaseSettings(services)
    t.strictSame([options['metadata.language'], options['metadata.country']], ['de-DE', 'FR'])
    const { json } = await app.ask('GET', PATH, { token })
    t.strictSame(pick(json, 'data', 'overridden'), ['metadata.country'])
  })

  await t.test('invalid settings in the database are ignored', async (t) => {
    await services.db.query(sql.unsafe`
      insert into settings (name, value, updated_at) values
        ('metadata.overwrite_existing', '"yes"', now()), ('server.rate_limit.jwks.max', '1e30', now()),
        ('metadata.timeout_seconds', 'null', now()), ('gone.since', '1', now()), ('database.password', '"x"', now())
      on conflict (name) do update set value = excluded.value`)
    const { options } = await applyDatabaseSettings(services)
    t.equal(options['server.rate_limit.jwks.max'], 120)
    t.equal(options['metadata.timeout_seconds'], 15)
    t.equal(options['database.password'], services.config.options['database.password'])
    t.equal(await live(), true)
    t.equal((await app.ask('GET', PATH, { token })).status, 200)
    await services.db.query(sql.unsafe`delete from settings`)
  })

  await t.test('bad values and other options are refused, all or none', async (t) => {
    const refused: [string, unknown][] = [
      ['metadata.overwrite_existing', 'on'],
      ['metadata.overwrite_existing', 1],
      ['server.rate_limit.jwks.max', 0],
      ['server.rate_limit.jwks.max', '5'],
      ['server.rate_limit.jwks.max', 1.5],
      ['metadata.country', 'usa'],
      ['metadata.country', 'a\0'],
      ['metadata.country', ['US']],
      ['metadata.country', {}],
    ]
    for (const [name, value] of refused) {
      const answer = await put({ 'metadata.timeout_seconds': 20, [name]: value })
      t.match(answer, { status: 400, json: { code: 'setting_invalid' } }, `${name} ${JSON.stringify(value)}`)
    }
    for (const name of [
      'metadata.overwrite',
      'auth.jwt_secret',
      'database.host',
      '__proto__',
      'constructor',
      'x'.repeat(5000),
    ]) {
      const answer = await app.ask('PUT', PATH, {
        token,
        body: `{"settings":{"metadata.timeout_seconds":20,${JSON.stringify(name)}:1}}`,
      })
      t.equal(answer.status, 400, name.slice(0, 20))
    }
    t.match((await put({ 'metadata.overwrite_exist': true })).json, {
      message: /did you mean metadata\.overwrite_existing/,
    })
    t.strictSame(await stored(), [])
    t.equal((await app.ask('PUT', PATH, { token, body: { settings: [] } })).status, 200, 'an empty map')
    t.strictSame(await stored(), [])
    for (const body of [{}, { settings: [1] }, { settings: null }, { settings: 'x' }, []]) {
      t.equal((await app.ask('PUT', PATH, { token, body })).status, 400, JSON.stringify(body))
    }
  })

  await t.test('only administrators see and change them', async (t) => {
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { body: { settings: {} } } : {}
      t.match(await app.ask(method, PATH, body), { status: 401, json: { code: 'auth.required' } })
      t.match(await app.ask(method, PATH, { token: other, ...body }), { status: 403, json: { code: 'auth.not_admin' } })
    }
  })
})
