import t from 'tap'
import { addSource } from '../../../../src/core/plugins/index.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { startFakeCatalogue } from '../../../support/fake-catalogue.ts'
import { testServices } from '../../../support/services.ts'

const PATH = '/api/v1/admin/plugins'
const NAME = 'phlix-plugin-sample'
const base = await testServices(t)
const catalogue = await startFakeCatalogue(t, base)
const services = Object.freeze({ ...base, outbound: catalogue.outbound })
const app = await startApp(t, { services })
const { token } = await app.registerAdmin()
const as = (method: string, path: string, body?: unknown): Promise<Answer> =>
  app.ask(method, `${PATH}${path}`, { token, ...(body === undefined ? {} : { body }) })
catalogue.plugins.push({ name: NAME, title: 'Sample', type: 'notifier', versions: [await catalogue.publish('1.0.0')] })
const archive = 'https://plugins.test/archives/sample-1.0.0-0.tgz'

void t.test('over HTTP a catalogue can be added and listed, but no code comes from it (PI-06)', async (t) => {
  t.strictSame((await as('POST', '/catalog/sources', { url: catalogue.url })).json, { sources: [catalogue.url] })
  t.match((await as('GET', '/catalog')).json, {
    default_source: '',
    sources: [catalogue.url],
    catalogs: [
      {
        source: catalogue.url,
        trusted: false,
        plugins: [
          { name: NAME, repo: archive, version: '1.0.0', installed: false, enabled: false, installable: false },
        ],
      },
    ],
    errors: [],
    channel: {
      channel: 'stable',
      options: [
        { value: 'stable', advanced: false },
        { value: 'dev', advanced: true },
      ],
    },
  })
  const refused = await as('POST', '/install', { url: archive })
  t.match(refused, { status: 422, json: { code: 'plugin.install.failed', error: /plugin:add-source/ } })
  t.match(await as('POST', '/install', {}), { status: 400, json: { code: 'plugin.url.required' } })
  t.match(await as('POST', '/install', { url: 'http://x/y' }), { json: { code: 'plugin.url.invalid_scheme' } })
  for (const url of ['file:///etc/passwd', 'http://x/y', 'https://a:b@x/y']) {
    t.match(await as('POST', '/catalog/sources', { url }), {
      status: 400,
      json: { code: 'plugin.catalog.url.invalid' },
    })
  }
  const query = `/catalog/sources?url=${encodeURIComponent(catalogue.url)}`
  t.strictSame((await as('DELETE', query)).json, { sources: [] })
  t.match(await as('DELETE', query), { status: 404, json: { code: 'plugin_catalogue_not_found' } })
})

void t.test('a trusted catalogue: install, update, apply', async (t) => {
  await addSource(services, { url: catalogue.url, isTrusted: true })
  t.match(await as('DELETE', `/catalog/sources?url=${encodeURIComponent(catalogue.url)}`), {
    status: 409,
    json: { code: 'plugin_catalogue_trusted', error: /plugin:remove-source/ },
  })
  t.match((await as('GET', '/catalog')).json, { catalogs: [{ source: catalogue.url, trusted: true }] }, 'it stays')
  t.match(await as('POST', '/install', { url: archive }), {
    status: 201,
    json: { plugin: { name: NAME, version: '1.0.0', enabled: false } },
  })
  t.match(await as('POST', '/install', { url: archive }), { status: 409, json: { code: 'plugin_exists' } })
  const versions = catalogue.plugins[0]?.['versions'] as unknown[]
  versions.push(await catalogue.publish('1.1.0'))
  t.strictSame((await as('GET', '/updates')).json, {
    auto_update: false,
    available: 1,
    updates: [
      {
        name: NAME,
        installed_version: '1.0.0',
        latest_version: '1.1.0',
        update_available: true,
        repo: catalogue.url,
        checkable: true,
        error: null,
      },
    ],
  })
  t.match(await as('POST', `/${NAME}/update`), { status: 200, json: { plugin: { name: NAME, version: '1.1.0' } } })
  versions.push(await catalogue.publish('1.2.0'))
  t.strictSame((await as('POST', '/updates/apply')).json, {
    updated: [{ name: NAME, from: '1.1.0', to: '1.2.0', enabled: false }],
    failed: [],
  })
  t.equal(pick((await as('GET', '/updates')).json, 'available'), 0)
  catalogue.faults.set('/plugins.json', (_, reply) => reply.writeHead(500).end())
  t.match((await as('GET', '/catalog')).json, { catalogs: [], errors: [{ source: catalogue.url, error: /500/ }] })
  const unread = await as('POST', '/install', { url: archive })
  t.match(unread, { status: 422, json: { code: 'plugin_catalogue_failed', error: /status 500/ } })
  catalogue.faults.clear()
  t.match(await as('POST', '/phlix-plugin-none/update'), { status: 404, json: { code: 'plugin_not_found' } })
})

void t.test('the channel and automatic updates are settings', async (t) => {
  t.match((await as('GET', '/catalog/channel')).json, { channel: 'stable' })
  t.match((await as('PUT', '/catalog/channel', { channel: 'dev' })).json, { channel: 'dev' })
  t.match(await as('PUT', '/catalog/channel', { channel: 'nightly' }), {
    status: 400,
    json: { code: 'plugin.catalog.channel.invalid' },
  })
  t.strictSame((await as('GET', '/auto-update')).json, { auto_update: false })
  t.strictSame((await as('PUT', '/auto-update', { enabled: true })).json, { auto_update: true })
  t.strictSame((await as('GET', '/auto-update')).json, { auto_update: true })
  t.equal((await as('PUT', '/auto-update', { enabled: 'perhaps' })).status, 400)
})
