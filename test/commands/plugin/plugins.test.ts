import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, siblingOfDataDirectory, temporaryDataDirectory } from '../../support/phlix.ts'
import { pluginArchive, tarGz } from '../../support/plugin-archives.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const folder = siblingOfDataDirectory(data, 'made')
mkdirSync(folder)
const run = (words: string[], more: { input?: string } = {}) =>
  runPhlix([...words, '--data-dir', data], {
    environment: { ...environment, PHLIX_PLUGINS_ALLOW_WEAK_ISOLATION: 'true' },
    ...more,
  })
const NAME = 'phlix-plugin-hello'
const archive = join(folder, 'hello.tgz')

void t.test('the template is written, installed, configured, enabled and removed', async (t) => {
  t.match(await run(['plugin:new', 'hello', '--to', folder]), {
    code: 0,
    stdout: new RegExp(`Wrote ${folder}/${NAME}`),
  })
  t.match(await run(['plugin:new', 'hello', '--to', folder]), { code: 2, stderr: /exists already/ })
  t.match(await run(['plugin:new', '../evil', '--to', folder]), { code: 2 })
  const files = ['plugin.json', 'index.mjs'].map((name) => ({
    path: name,
    content: readFileSync(join(folder, NAME, name)),
  }))
  writeFileSync(archive, await tarGz(files))
  t.match(await run(['plugin:install', archive, '--sha256', '0'.repeat(64)]), { code: 2, stderr: /pinned/ })
  t.match(await run(['plugin:install', archive]), {
    code: 0,
    stdout: /^Installed phlix-plugin-hello 1\.0\.0, disabled/,
  })
  t.match(await run(['plugin:install', archive]), {
    code: 1,
    stderr: /hello 1\.0\.0 is installed already.*plugin_exists.*\nhint: phlix plugin:update phlix-plugin-hello --from/,
  })
  t.match(await run(['plugin:install', `${archive}x`]), {
    code: 2,
    stderr: /There is no file .*x \(.*\nhint: .*--catalog/,
  })
  t.match(await run(['plugin:install', folder]), { code: 2, stderr: /is not a file.*\nhint: .*tar -czf/ })
  t.match(await run(['plugin:configure', NAME, '--set', 'greeting=Hi']), { code: 0, stdout: 'greeting = "Hi"\n' })
  t.match(await run(['plugin:configure', NAME, '--set', 'greeting=1']), { code: 2, stderr: /must be of type string/ })
  t.match(await run(['plugin:configure', NAME, '--set', 'bogus=1']), {
    code: 2,
    stderr: /bogus is not a setting of this plugin .*\nhint: phlix plugin:info phlix-plugin-hello/,
  })
  t.match(await run(['plugin:enable', NAME]), { code: 0, stdout: 'Enabled phlix-plugin-hello.\n' })
  t.match(await run(['plugin:list']), { code: 0, stdout: /phlix-plugin-hello +1\.0\.0 +notifier +yes +-\nIsolation: / })
  t.match(await run(['plugin:disable', NAME]), { code: 0 })
  t.match(await run(['plugin:update', NAME, '--rollback']), { code: 1, stderr: /plugin_no_old_version/ })
  t.match(await run(['plugin:update', NAME]), { code: 66, stderr: /no trusted catalogue/ })
  t.match(await run(['plugin:uninstall', NAME, '--dry-run']), {
    code: 0,
    stdout: 'Would remove phlix-plugin-hello 1.0.0.\n',
  })
  t.match(await run(['plugin:uninstall', NAME]), { code: 0 })
  t.equal((await run(['plugin:uninstall', NAME])).code, 66)
})

void t.test('a plugin that throws stays disabled; permissions need a yes; secrets are not shown', async (t) => {
  const fields = {
    name: 'phlix-plugin-broken',
    permissions: { hosts: ['api.example.org'] },
    settings: { token: { type: 'string', secret: true } },
  }
  const path = join(folder, 'broken.tgz')
  writeFileSync(
    path,
    await pluginArchive('export default class { onEnable() { throw new Error("no thanks") } }', fields),
  )
  t.match(await run(['plugin:install', path]), { code: 2, stderr: /send requests to api\.example\.org/ })
  const installed = JSON.parse((await run(['plugin:install', path, '--yes', '--json'])).stdout) as object
  t.match(installed, { permissions: ['send requests to api.example.org'], sha256: /^[0-9a-f]{64}$/ })
  await run(['plugin:configure', fields.name, '--set-from-file', 'token=-'], { input: 'canary\n' })
  t.match(await run(['plugin:enable', fields.name]), { code: 1, stderr: /no thanks/ })
  const info = await run(['plugin:info', fields.name])
  t.match(info, { code: 0, stdout: /token = "\*\*\*"/ })
  t.notMatch(info.stdout + (await run(['plugin:info', fields.name, '--json'])).stdout, /canary/)
  t.match(await run(['plugin:list', '--plain']), { stdout: /phlix-plugin-broken\t1\.0\.0\tnotifier\tno\t-\n/ })
})

void t.test('a version that does not start does not replace an enabled plugin; the error says why', async (t) => {
  const name = 'phlix-plugin-updated'
  const path = join(folder, 'updated.tgz')
  const publish = async (version: string, source: string): Promise<void> =>
    writeFileSync(path, await pluginArchive(source, { name, version }))
  const row = async (): Promise<string> => (await run(['plugin:list', '--plain'])).stdout
  await publish('1.0.0', 'export default class {}')
  await run(['plugin:install', path])
  t.match(await run(['plugin:enable', name]), { code: 0 })
  await publish('1.1.0', 'export default class { onEnable() { throw new Error("broken release") } }')
  t.match(await run(['plugin:update', name, '--from', path]), {
    code: 1,
    stderr: /Version 1\.1\.0 does not start, so that 1\.0\.0 stays in use: .*broken release.*plugin_start_failed/s,
  })
  t.match(await row(), `${name}\t1.0.0\tnotifier\tyes\t-\n`)
  t.equal(readdirSync(join(data, 'plugins', name)).length, 1, 'its files are removed')
  await publish('1.2.0', 'export default class {}')
  t.match(await run(['plugin:update', name, '--from', path]), {
    code: 0,
    stdout: `${name} has version 1.2.0, enabled.\n`,
  })
  t.match(await run(['plugin:disable', name]), { code: 0 })
  await publish('1.3.0', 'export default class { onEnable() { throw new Error("broken release") } }')
  t.match(await run(['plugin:update', name, '--from', path]), { code: 0 }, 'a disabled plugin is not started')
  t.match(await run(['plugin:enable', name]), { code: 1, stderr: /broken release/ })
  await run(['plugin:uninstall', name])
})

void t.test('plugins of a trusted catalogue are listed, installed and updated by name', async (t) => {
  const place = join(folder, 'catalogue')
  const url = pathToFileURL(join(place, 'plugins.json')).href
  const name = 'phlix-plugin-listed'
  mkdirSync(place)
  const versions: object[] = []
  const publish = async (version: string): Promise<void> => {
    const bytes = await pluginArchive('export default class {}', { name, version })
    writeFileSync(join(place, `${version}.tgz`), bytes)
    versions.push({ version, url: `${version}.tgz`, sha256: createHash('sha256').update(bytes).digest('hex') })
    const plugins = [{ name, title: 'Listed', type: 'notifier', summary: 'A \u001b[31mred one', versions }]
    writeFileSync(join(place, 'plugins.json'), JSON.stringify({ schemaVersion: 1, name: 'Own', plugins }))
  }
  await publish('1.0.0')
  t.match(await run(['plugin:install', name, '--catalog']), { code: 2, stderr: /no trusted catalogue/ })
  t.match(await run(['plugin:add-source', 'http://x/y']), { code: 2, stderr: /https or a file address/ })
  const missing = `${url}x`
  t.match(await run(['plugin:add-source', missing]), { code: 69, stderr: /There is no file .*plugin_catalogue_failed/ })
  t.match(await run(['plugin:catalog']), { stderr: /^(?!.*jsonx)/s }, 'it was not added')
  t.match(await run(['plugin:add-source', url]), { code: 0, stdout: /"Own" with 1 plugin is trusted/ })
  const catalog = await run(['plugin:catalog'])
  t.match(catalog, { code: 0, stdout: /phlix-plugin-listed +1\.0\.0 +- +notifier/ })
  t.notOk(catalog.stdout.includes('\u001b[31m'), 'a catalogue colours no terminal')
  t.match(await run(['plugin:install', name, '--catalog']), {
    code: 0,
    stdout: /Installed phlix-plugin-listed 1\.0\.0/,
  })
  await publish('1.1.0')
  t.match(await run(['plugin:updates', '--plain']), { code: 0, stdout: `${name}\t1.0.0\t1.1.0\tyes\t${url}\n` })
  t.match(await run(['plugin:update', name]), { code: 0, stdout: `${name} has version 1.1.0, disabled.\n` })
  await publish('1.2.0')
  t.match(await run(['plugin:update', '--all']), { code: 0, stdout: `${name} 1.1.0 -> 1.2.0, disabled\n` })
  writeFileSync(join(place, 'plugins.json'), 'x')
  t.match(await run(['plugin:catalog']), { code: 3, stderr: /not JSON/ })
  t.match(await run(['plugin:update', '--all']), { code: 3, stdout: 'Nothing changed.\n', stderr: /not JSON/ })
  for (const words of [['--all', name], ['--all', '--rollback'], [name, '--key', 'x'], ['--all', '--yes'], []]) {
    t.equal((await run(['plugin:update', ...words])).code, 2, words.join(' '))
  }
  t.match(await run(['plugin:remove-source', url]), { code: 0 })
  t.equal((await run(['plugin:remove-source', url])).code, 66)
  await run(['plugin:uninstall', name])
})
