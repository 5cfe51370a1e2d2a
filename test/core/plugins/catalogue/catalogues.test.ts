import { generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  addSource,
  applyUpdates,
  findUpdates,
  getPlugin,
  installByAddress,
  installFromCatalogue,
  installPlugin,
  listCatalogues,
  listPlugins,
  listSources,
  removeSource,
  rollBackPlugin,
  uninstallPlugin,
  updateFromCatalogue,
  updatePlugin,
} from '../../../../src/core/plugins/index.ts'
import { updateToOffer } from '../../../../src/core/plugins/catalogue/install-offer.ts'
import { pluginsFolder } from '../../../../src/core/plugins/plugin-folders.ts'
import { computeSha256 } from '../../../../src/core/plugins/install/verify-origin.ts'
import { updateState } from '../../../../src/core/plugins/queries.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { startFakeCatalogue, type FakeCatalogue, type Fault } from '../../../support/fake-catalogue.ts'
import { pluginArchive } from '../../../support/plugin-archives.ts'
import { testServices } from '../../../support/services.ts'

const base = await testServices(t)
const NAME = 'phlix-plugin-sample'
const confirm = async (): Promise<boolean> => true

type World = { services: typeof base; catalogue: FakeCatalogue }

/** A trusted catalogue with one version of the sample, and nothing installed. */
async function start(t: Test, { isTrusted = true } = {}): Promise<World> {
  const catalogue = await startFakeCatalogue(t, base)
  const services = { ...base, outbound: catalogue.outbound }
  catalogue.plugins.push({
    name: NAME,
    title: 'Sample',
    type: 'notifier',
    versions: [await catalogue.publish('1.0.0')],
  })
  await addSource(services, { url: catalogue.url, isTrusted })
  await changeSettings(services, { 'plugins.auto_update': true })
  t.teardown(async () => {
    await changeSettings(services, { 'plugins.auto_update': null })
    for (const { name } of await listPlugins(services)) await uninstallPlugin(services, name)
    for (const { url } of await listSources(services)) await removeSource(services, { url, mayBeTrusted: true })
  })
  return { services, catalogue }
}

const install = (services: typeof base) => installFromCatalogue(services, { name: NAME, confirm })
const update = (services: typeof base, { mayAdopt = false } = {}) =>
  updateFromCatalogue(services, { name: NAME, mayAdopt, confirm })
const versionsOf = ({ plugins }: FakeCatalogue) => plugins[0]?.['versions'] as Record<string, unknown>[]

async function enable({ db, clock }: typeof base): Promise<void> {
  await updateState(db, { name: NAME, isEnabled: true, disabledReason: null, now: clock.now() })
}

/** A key of an author, and its signatures in the form of files beside archives. */
function makeKey(): { key: string; signatureOf: (archive: Buffer) => Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const key = Buffer.concat([Buffer.from('Ed'), Buffer.alloc(8, 7), raw]).toString('base64')
  const signatureOf = (archive: Buffer): Buffer =>
    Buffer.from(sign(null, Buffer.from(computeSha256(archive), 'hex'), privateKey).toString('base64'))
  return { key, signatureOf }
}

/** The path of the archive of a version that `publish` has made. */
const pathOf = (version: Record<string, unknown>): string => String(version['url']).slice(1)

/** Changes something while an archive is downloaded. */
function duringDownload({ faults, files }: FakeCatalogue, path: string, change: () => Promise<unknown>): void {
  faults.set(path, (_, reply) => void change().then(() => reply.end(files.get(path))))
}

void t.test(
  'a plugin is installed from a catalogue, disabled, and updated when a newer version is listed',
  async (t) => {
    const { services, catalogue } = await start(t)
    t.match(await install(services), { name: NAME, isEnabled: false, catalogue: catalogue.url, authorKey: null })
    t.match(await findUpdates(services), [
      { latestVersion: '1.0.0', offer: undefined, isCheckable: true, problem: null },
    ])
    t.match(await update(services), { manifest: { version: '1.0.0' } }, 'nothing to do')
    await enable(services)
    versionsOf(catalogue).push(await catalogue.publish('1.1.0'), await catalogue.publish('1.2.0-rc.1'))
    t.match(await findUpdates(services), [{ latestVersion: '1.1.0', offer: { version: { version: '1.1.0' } } }])
    t.match(await update(services), { isEnabled: true, manifest: { version: '1.1.0' }, catalogue: catalogue.url })
    await changeSettings(services, { 'plugins.channel': 'dev' })
    t.match(await findUpdates(services), [{ latestVersion: '1.2.0-rc.1' }])
    await changeSettings(services, { 'plugins.channel': null })
    t.match(await applyUpdates(services, { isAutomatic: true }), { updated: [], failed: [] })
  },
)

void t.test('nothing is installed from a catalogue that no command has trusted', async (t) => {
  const { services, catalogue } = await start(t, { isTrusted: false })
  const address = `https://plugins.test/archives/sample-1.0.0-0.tgz`
  const refused = { code: 'plugin.install.failed', message: /no trusted catalogue/ }
  await t.rejects(install(services), refused)
  await t.rejects(installByAddress(services, address), refused)
  t.strictSame(catalogue.asked, [], 'it is not even asked')
  t.match(await listCatalogues(services), { catalogues: [{ isTrusted: false, content: { name: 'Test catalogue' } }] })
  await addSource(services, { url: catalogue.url, isTrusted: true })
  await addSource(services, { url: catalogue.url, isTrusted: false })
  t.match(await listSources(services), [{ isTrusted: true }], 'who adds it again over HTTP changes nothing')
  t.match(await installByAddress(services, address), { name: NAME, catalogue: catalogue.url })
  await removeSource(services, { url: catalogue.url, mayBeTrusted: true })
  t.match(await findUpdates(services), [{ isCheckable: false, problem: /is not trusted/ }])
  await t.rejects(update(services), { code: 'plugin.update.no_source' })
})

void t.test('an address that is no listed archive installs nothing, whatever it serves', async (t) => {
  const { services, catalogue } = await start(t)
  catalogue.files.set('/evil.tgz', await pluginArchive('export default class {}', { name: 'phlix-plugin-evil' }))
  const other = ['https://plugins.test/evil.tgz', 'https://plugins.test/plugins.json', 'file:///etc/passwd']
  for (const url of other) await t.rejects(installByAddress(services, url), { code: 'plugin.install.failed' }, url)
  for (const url of [undefined, '']) await t.rejects(installByAddress(services, url), { code: 'plugin.url.required' })
  for (const url of ['http://plugins.test/x', '/srv/x.tgz', 'git+ssh://x', '-x']) {
    await t.rejects(installByAddress(services, url), { code: 'plugin.url.invalid_scheme' }, url)
  }
  t.notOk(catalogue.asked.includes('/evil.tgz'))
})

void t.test('faults of the server leave nothing behind, and name their reason (PI-09)', async (t) => {
  const { services, catalogue } = await start(t)
  const archive = '/archives/sample-1.0.0-0.tgz'
  const empty = () => {
    const folder = pluginsFolder(services.config.dataDirectory)
    return existsSync(folder) ? readdirSync(folder) : []
  }
  const faults: [string, Fault, { code: string; message?: RegExp }][] = [
    [archive, (_, reply) => reply.writeHead(404).end(), { code: 'plugin.install.failed', message: /status 404/ }],
    [archive, (_, reply) => reply.end('x'), { code: 'plugin.install.failed', message: /not the pinned one/ }],
    [archive, () => {}, { code: 'outbound_timeout' }],
    [
      archive,
      (_, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/x.tgz' }).end(),
      { code: 'outbound_refused' },
    ],
    [
      archive,
      (_, reply) => reply.writeHead(200, { 'content-length': '100' }).write('x', () => reply.destroy()),
      { code: 'outbound_unreachable' },
    ],
    ['/plugins.json', (_, reply) => reply.writeHead(500).end(), { code: 'plugin_catalogue_failed', message: /500/ }],
    ['/plugins.json', (_, reply) => reply.end('<html>'), { code: 'plugin_catalogue_failed', message: /not JSON/ }],
    ['/plugins.json', () => {}, { code: 'plugin_catalogue_failed', message: /plugins\.test/ }],
    [
      '/plugins.json',
      (_, reply) => reply.end(Buffer.alloc(2 * 1024 * 1024 + 1, ' ')),
      { code: 'plugin_catalogue_failed' },
    ],
    [
      '/plugins.json',
      (request, reply) => reply.writeHead(301, { location: `${request.url}?again` }).end(),
      { code: 'plugin_catalogue_failed', message: /404/ },
    ],
  ]
  for (const [path, fault, expected] of faults) {
    catalogue.faults.set(path, fault)
    await t.rejects(install(services), expected, `${path}: ${expected.code}`)
    t.strictSame([await listPlugins(services), empty()], [[], []])
    catalogue.faults.clear()
  }
  catalogue.faults.set('/plugins.json', (_, reply) => reply.writeHead(503).end())
  t.match(await listCatalogues(services), { catalogues: [{ content: { problem: /503/ } }] })
  catalogue.faults.clear()
  t.match(await install(services), { name: NAME })
  catalogue.faults.set('/plugins.json', (_, reply) => reply.writeHead(503).end())
  t.match(await findUpdates(services), [{ isCheckable: true, problem: /503/ }])
  t.match(await applyUpdates(services, { isAutomatic: false }), { updated: [], failed: [{ name: NAME }] })
})

void t.test('an archive is what its entry says: other names and versions are refused', async (t) => {
  const { services, catalogue } = await start(t)
  const other = await catalogue.publish('1.0.0', { name: 'phlix-plugin-other' })
  versionsOf(catalogue).push({ ...other, version: '2.0.0' })
  await t.rejects(install(services), { code: 'plugin.install.failed', message: /is of phlix-plugin-other 1\.0\.0/ })
  t.strictSame(await listPlugins(services), [])
})

void t.test('a version that a catalogue describes in another way is not believed (PI-09)', async (t) => {
  const { services, catalogue } = await start(t)
  await listCatalogues(services)
  const replaced = await catalogue.publish('1.0.0', { source: 'export default class { evil() {} }' })
  versionsOf(catalogue).splice(0, 1, replaced)
  await t.rejects(install(services), { message: /changed its description of phlix-plugin-sample 1\.0\.0/ })
  t.match(await listCatalogues(services), {
    catalogues: [{ content: { changed: [{ name: NAME, version: '1.0.0' }], plugins: [{ offered: undefined }] } }],
  })
  versionsOf(catalogue).push(await catalogue.publish('1.0.1'))
  t.match(await install(services), { manifest: { version: '1.0.1' } }, 'other versions are')
  catalogue.plugins[0]!['key'] = 'RWQ'
  t.match(await findUpdates(services), [{ problem: /changed the key/ }])
  await removeSource(services, { url: catalogue.url, mayBeTrusted: true })
  await addSource(services, { url: catalogue.url, isTrusted: true })
  catalogue.plugins[0]!['key'] = undefined
  versionsOf(catalogue).splice(0, 2, await catalogue.publish('1.0.1', { source: 'export default class { late() {} }' }))
  t.match(await findUpdates(services), [{ problem: /another archive for the installed version/, offer: undefined }])
})

void t.test('nothing goes back to an older version by itself (PI-09)', async (t) => {
  const { services, catalogue } = await start(t)
  versionsOf(catalogue).push(await catalogue.publish('1.1.0'))
  await install(services)
  const newest = versionsOf(catalogue).pop()
  t.match(await findUpdates(services), [{ latestVersion: '1.0.0', offer: undefined, problem: null }])
  t.match(await update(services), { manifest: { version: '1.1.0' } })
  versionsOf(catalogue).push(newest!, await catalogue.publish('1.2.0'))
  await update(services)
  await rollBackPlugin(services, NAME)
  t.match(await findUpdates(services), [{ offer: { version: { version: '1.2.0' } } }])
  t.match(await applyUpdates(services, { isAutomatic: true }), { updated: [], failed: [] }, 'an administrator left it')
  t.match(await getPlugin(services, NAME), { manifest: { version: '1.1.0' } })
  versionsOf(catalogue).push(await catalogue.publish('1.2.1'))
  t.match(await applyUpdates(services, { isAutomatic: true }), { updated: [{ from: '1.1.0', to: '1.2.1' }] })
})

void t.test('a version that asks for more waits for an administrator', async (t) => {
  const { services, catalogue } = await start(t)
  await install(services)
  await enable(services)
  versionsOf(catalogue).push(await catalogue.publish('1.1.0', { permissions: { hosts: ['example.org'] } }))
  t.match(await applyUpdates(services, { isAutomatic: true }), {
    updated: [],
    failed: [{ name: NAME, problem: /asks for more permissions/ }],
  })
  t.match(await getPlugin(services, NAME), { isEnabled: true, manifest: { version: '1.0.0' } })
  t.match(await applyUpdates(services, { isAutomatic: false }), { updated: [{ to: '1.1.0', isEnabled: false }] })
})

void t.test('the key of an author pins all archives, and an installed key is kept', async (t) => {
  const { services, catalogue } = await start(t)
  const { key, signatureOf } = makeKey()
  const { sha256: _, ...unpinned } = await catalogue.publish('1.0.0')
  const path = String(unpinned['url']).slice(1)
  Object.assign(catalogue.plugins[0]!, { key, versions: [unpinned] })
  await t.rejects(install(services), { code: 'plugin.install.failed', message: /404/ }, 'without a signature')
  catalogue.files.set(`${path}.sig`, Buffer.alloc(64, 1))
  await t.rejects(install(services), { message: /signature/ })
  catalogue.files.set(`${path}.sig`, signatureOf(catalogue.files.get(path)!))
  t.match(await install(services), { authorKey: key })
  await removeSource(services, { url: catalogue.url, mayBeTrusted: true })
  await addSource(services, { url: catalogue.url, isTrusted: true })
  Object.assign(catalogue.plugins[0]!, { key: `${key}x` })
  t.match(await findUpdates(services), [{ problem: /another key of the author/, offer: undefined }])
})

void t.test(
  'a plugin that came from elsewhere is only adopted by a command, and --from leaves the catalogue',
  async (t) => {
    const { services, catalogue } = await start(t)
    const path = join(services.config.dataDirectory, 'own.tgz')
    writeFileSync(path, await pluginArchive('export default class {}', { version: '1.0.0' }))
    await installPlugin(services, { source: path, pin: {}, confirm })
    versionsOf(catalogue).push(await catalogue.publish('1.1.0'))
    t.match(await findUpdates(services), [{ isCheckable: false, offer: undefined, problem: null }])
    await t.rejects(update(services), { code: 'plugin.update.no_source' }, 'not over HTTP')
    t.match(await update(services, { mayAdopt: true }), { catalogue: catalogue.url, manifest: { version: '1.1.0' } })
    writeFileSync(path, await pluginArchive('export default class {}', { version: '1.1.1' }))
    t.match(await updatePlugin(services, { name: NAME, source: path, pin: {}, confirm }), { catalogue: null })
    t.match(await rollBackPlugin(services, NAME), { catalogue: catalogue.url, manifest: { version: '1.1.0' } })
  },
)

void t.test('a catalogue that adopts a plugin may name neither another key nor another archive', async (t) => {
  const { services, catalogue } = await start(t)
  const [author, other] = [makeKey(), makeKey()]
  const path = join(services.config.dataDirectory, 'signed.tgz')
  const bytes = await pluginArchive('export default class {}', { version: '1.0.0' })
  writeFileSync(path, bytes)
  writeFileSync(`${path}.sig`, author.signatureOf(bytes))
  await installPlugin(services, { source: path, pin: { key: author.key }, confirm })
  const newer = await catalogue.publish('1.1.0')
  catalogue.files.set(`${pathOf(newer)}.sig`, other.signatureOf(catalogue.files.get(pathOf(newer))!))
  Object.assign(catalogue.plugins[0]!, { key: other.key, versions: [newer] })
  const refused = { code: 'plugin.update.no_source', message: /another key of the author/ }
  await t.rejects(update(services, { mayAdopt: true }), refused)
  t.match(await getPlugin(services, NAME), { authorKey: author.key, catalogue: null, manifest: { version: '1.0.0' } })

  await removeSource(services, { url: catalogue.url, mayBeTrusted: true })
  await addSource(services, { url: catalogue.url, isTrusted: true })
  const replaced = await catalogue.publish('1.0.0', { source: 'export default class { evil() {} }' })
  Object.assign(catalogue.plugins[0]!, { key: undefined, versions: [replaced] })
  await t.rejects(update(services, { mayAdopt: true }), { ...refused, message: /another archive for the installed/ })

  const next = await pluginArchive('export default class {}', { version: '1.2.0' })
  writeFileSync(path, next)
  writeFileSync(`${path}.sig`, other.signatureOf(next))
  await t.rejects(updatePlugin(services, { name: NAME, source: path, pin: {}, confirm }), { message: /signature/ })
  const replacing = { name: NAME, source: path, pin: { key: other.key }, confirm }
  t.match(await updatePlugin(services, replacing), { authorKey: other.key }, 'a key that is given replaces it')
})

void t.test('an update of a plugin or a catalogue that was changed meanwhile does nothing', async (t) => {
  const { services, catalogue } = await start(t)
  const { db, clock } = services
  await install(services)
  const newer = await catalogue.publish('1.1.0')
  versionsOf(catalogue).push(newer)
  const busy = { code: 'plugin_busy' }
  const changes: [string, () => Promise<unknown>][] = [
    ['enabled', () => enable(services)],
    ['reason', () => updateState(db, { name: NAME, isEnabled: false, disabledReason: 'x', now: clock.now() })],
    ['not trusted', () => removeSource(services, { url: catalogue.url, mayBeTrusted: true })],
  ]
  for (const [word, change] of changes) {
    duringDownload(catalogue, pathOf(newer), change)
    await t.rejects(update(services), busy, word)
    t.match(await getPlugin(services, NAME), { manifest: { version: '1.0.0' } }, word)
  }
  await addSource(services, { url: catalogue.url, isTrusted: true })
  catalogue.faults.clear()
  const [{ plugin, offer } = { plugin: undefined, offer: undefined }] = await findUpdates(services)
  if (plugin === undefined || offer === undefined) throw new Error('there is an update')
  await enable(services)
  catalogue.asked.length = 0
  await t.rejects(updateToOffer(services, { plugin, offer, confirm }), busy)
  t.strictSame(catalogue.asked, [], 'what was changed before is not even downloaded')
  t.match(await update(services), { manifest: { version: '1.1.0' } })
})

void t.test('automatic updates end when they are switched off', async (t) => {
  const { services, catalogue } = await start(t)
  const second = 'phlix-plugin-second'
  catalogue.plugins.push({ name: second, versions: [await catalogue.publish('1.0.0', { name: second })] })
  await install(services)
  await installFromCatalogue(services, { name: second, confirm })
  const [one, two] = [await catalogue.publish('1.1.0'), await catalogue.publish('1.1.0', { name: second })]
  versionsOf(catalogue).push(one)
  Object.assign(catalogue.plugins[1]!, { versions: [two] })
  duringDownload(catalogue, pathOf(one), () => changeSettings(services, { 'plugins.auto_update': false }))
  t.match(await applyUpdates(services, { isAutomatic: true }), { updated: [], failed: [{ name: NAME }] })
  t.notOk(catalogue.asked.includes(pathOf(two)), 'the next one is not downloaded')
  t.match(await applyUpdates(services, { isAutomatic: false }), { updated: [{ name: NAME }, { name: second }] })
})

void t.test('one archive at a time is downloaded and unpacked; more than two that wait are refused', async (t) => {
  const { services, catalogue } = await start(t)
  const release = await services.pluginInstallations.acquire()
  const outcomes = Array.from({ length: 3 }, () =>
    install(services).then(
      () => 'installed',
      (error: { code: string }) => error.code,
    ),
  )
  t.equal(await Promise.race(outcomes), 'plugin_busy')
  t.strictSame(
    catalogue.asked.filter((path) => path.startsWith('/archives')),
    [],
  )
  release()
  // The last one finds the plugin, or the row that appeared while it worked.
  t.match((await Promise.all(outcomes)).toSorted(), ['installed', 'plugin_busy', /^plugin_(busy|exists)$/])
})

void t.test('another type is another permission', async (t) => {
  const { services, catalogue } = await start(t)
  await install(services)
  await enable(services)
  versionsOf(catalogue).push(await catalogue.publish('1.1.0', { type: 'scrobbler' }))
  t.match(await applyUpdates(services, { isAutomatic: true }), {
    updated: [],
    failed: [{ name: NAME, problem: /asks for more permissions/ }],
  })
  t.match(await getPlugin(services, NAME), { isEnabled: true, manifest: { type: 'notifier' } })
  t.match(await update(services), { isEnabled: false, manifest: { type: 'scrobbler' } })
})

void t.test('why the server disabled a plugin stays known after an automatic update and an adoption', async (t) => {
  const { services, catalogue } = await start(t)
  const { db, clock } = services
  await install(services)
  await updateState(db, { name: NAME, isEnabled: false, disabledReason: 'it failed', now: clock.now() })
  versionsOf(catalogue).push(await catalogue.publish('1.1.0'))
  t.match(await applyUpdates(services, { isAutomatic: true }), { updated: [{ to: '1.1.0', isEnabled: false }] })
  t.match(await getPlugin(services, NAME), { disabledReason: 'it failed' })
  const path = join(services.config.dataDirectory, 'same.tgz')
  writeFileSync(path, catalogue.files.get(pathOf(versionsOf(catalogue)[1]!))!)
  await uninstallPlugin(services, NAME)
  await installPlugin(services, { source: path, pin: {}, confirm })
  await updateState(db, { name: NAME, isEnabled: false, disabledReason: 'it failed', now: clock.now() })
  t.match(await update(services, { mayAdopt: true }), { catalogue: catalogue.url, disabledReason: 'it failed' })
})

void t.test('an address installs exactly the version that one catalogue offers under it', async (t) => {
  const { services, catalogue } = await start(t)
  const old = versionsOf(catalogue)[0]!
  const newer = await catalogue.publish('1.1.0')
  versionsOf(catalogue).push(newer)
  const addressOf = (version: Record<string, unknown>) => `https://plugins.test${pathOf(version)}`
  const code = 'plugin.install.failed'
  await t.rejects(installByAddress(services, addressOf(old)), { code, message: /offers phlix-plugin-sample 1\.1\.0/ })
  const copy = { schemaVersion: 1, name: 'Copy', plugins: [{ name: NAME, versions: [newer] }] }
  catalogue.files.set('/copy.json', Buffer.from(JSON.stringify(copy)))
  await addSource(services, { url: 'https://plugins.test/copy.json', isTrusted: true })
  await t.rejects(installByAddress(services, addressOf(newer)), { code, message: /several entries/ })
  t.strictSame(await listPlugins(services), [])
  await removeSource(services, { url: 'https://plugins.test/copy.json', mayBeTrusted: true })
  t.match(await installByAddress(services, addressOf(newer)), { manifest: { version: '1.1.0' } })
})

void t.test('addresses of catalogues are https, with a command also files; their number is limited', async (t) => {
  const invalid = { code: 'plugin.catalog.url.invalid' }
  const bad = ['', 'x', 'http://plugins.test/x', 'ftp://x', 'file://host/x', 'https://a:b@plugins.test/x', 'data:,x']
  for (const url of bad)
    for (const isTrusted of [true, false]) await t.rejects(addSource(base, { url, isTrusted }), invalid)
  await t.rejects(addSource(base, { url: 'file:///srv/plugins.json', isTrusted: false }), invalid)
  await t.rejects(addSource(base, { url: `https://x/${'y'.repeat(2000)}`, isTrusted: true }), invalid)
  await t.rejects(removeSource(base, { url: 'a\0b', mayBeTrusted: true }), { code: 'plugin_catalogue_not_found' })
  for (let index = 0; index < 16; index += 1) await addSource(base, { url: `https://x/${index}`, isTrusted: true })
  await t.rejects(addSource(base, { url: 'https://x/17', isTrusted: true }), { code: 'plugin_catalogues_limit' })
  await addSource(base, { url: 'https://x/1#again', isTrusted: true })
  for (const { url } of await listSources(base)) await removeSource(base, { url, mayBeTrusted: true })
})

void t.test('a catalogue can be a folder of this machine', async (t) => {
  const folder = join(base.config.dataDirectory, 'catalogue')
  mkdirSync(folder)
  const bytes = await pluginArchive('export default class {}', { version: '1.0.0' })
  writeFileSync(join(folder, 'sample.tgz'), bytes)
  const versions = [{ version: '1.0.0', url: 'sample.tgz', sha256: computeSha256(bytes) }]
  const index = { schemaVersion: 1, name: 'Own', plugins: [{ name: NAME, versions }] }
  writeFileSync(join(folder, 'plugins.json'), JSON.stringify(index))
  await addSource(base, { url: pathToFileURL(join(folder, 'plugins.json')).href, isTrusted: true })
  t.match(await install(base), { name: NAME })
  await uninstallPlugin(base, NAME)
  for (const { url } of await listSources(base)) await removeSource(base, { url, mayBeTrusted: true })
})

void t.test('pins of a source are limited in number and end with it', async (t) => {
  const { services, catalogue } = await start(t)
  await listCatalogues(services)
  const count = () => services.db.oneFirst(sql.unsafe`select count(*)::int from plugin_catalogue_pins`)
  t.equal(await count(), 2)
  await services.db.query(sql.unsafe`
    insert into plugin_catalogue_pins
    select ${catalogue.url}, 'phlix-plugin-x', n::text, '', now() from generate_series(1, 99999) n`)
  versionsOf(catalogue).push(await catalogue.publish('1.1.0'))
  t.match(await listCatalogues(services), { catalogues: [{ content: { problem: /too many versions/ } }] })
  await removeSource(services, { url: catalogue.url, mayBeTrusted: true })
  t.equal(await count(), 0)
})
