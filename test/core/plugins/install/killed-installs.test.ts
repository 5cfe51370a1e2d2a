import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { checkFiles } from '../../../../src/core/plugins/archive/check-files.ts'
import { listPlugins } from '../../../../src/core/plugins/index.ts'
import { versionFolder } from '../../../../src/core/plugins/plugin-folders.ts'
import { testDatabase } from '../../../support/database.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { runPhlix, startPhlix } from '../../../support/phlix.ts'
import { pluginArchive } from '../../../support/plugin-archives.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { testServices } from '../../../support/services.ts'

const NAME = 'phlix-plugin-killed'
/** Whole rounds: the last one uninstalls. */
const KILLS = 10
/** About the duration of a command on an idle machine. */
const MOST_MILLISECONDS = 900

const database = await testDatabase(t)
const services = await testServices(t, { database })
const { dataDirectory } = services.config
const environment = { ...database.environment, PHLIX_PLUGINS_ALLOW_WEAK_ISOLATION: 'true' }

/** The names in the folder of plugins. */
function filesOfPlugins(): string {
  const folder = join(dataDirectory, 'plugins')
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted().join('\n') : ''
}

void t.test('kill -9 at any moment leaves each plugin as it was or as it is meant to be (PI-03)', async (t) => {
  const random = seededRandom(20)
  const folder = reachableDirectory(t)
  const archives: string[] = []
  for (const version of ['1.0.0', '1.1.0']) {
    const source = `export default class { async onEnable({ log }) { log('${version}') } }`
    const path = join(folder, `${version}.tgz`)
    writeFileSync(path, await pluginArchive(source, { name: NAME, version }))
    archives.push(path)
  }
  const [first = '', second = ''] = archives
  const works = [
    ['plugin:install', first],
    ['plugin:enable', NAME],
    ['plugin:update', NAME, '--from', second, '--yes'],
    ['plugin:disable', NAME],
    ['plugin:uninstall', NAME],
  ]
  const run = (words: readonly string[]) => runPhlix([...words, '--data-dir', dataDirectory], { environment })
  const killedAt: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const words = works[kill % works.length] ?? []
    const before = filesOfPlugins()
    const running = startPhlix([...words, '--data-dir', dataDirectory], { environment })
    // Every other time it is killed while it changes files.
    if (kill % 2 === 0) while (running.child.exitCode === null && filesOfPlugins() === before) await pause(1)
    await pause(random.below(kill % 2 === 0 ? 20 : MOST_MILLISECONDS))
    running.child.kill('SIGKILL')
    const { signal } = await running.result
    if (signal === 'SIGKILL') killedAt.push(words[0] ?? '')
    const plugins = await listPlugins(services)
    const listed = await run(['plugin:list', '--json'])
    t.equal(listed.code, 0, `after ${words[0]}`)
    const { plugins: rows } = JSON.parse(listed.stdout) as { plugins: { name: string }[] }
    t.strictSame(
      rows.map(({ name }) => name),
      plugins.map(({ name }) => name),
    )
    // Whatever a row says is on the disk, whole.
    for (const plugin of plugins) await checkFiles(versionFolder(dataDirectory, plugin), plugin.fileHashes)
    // The same command completes the work, or finds it done.
    const again = await run(words)
    t.ok([0, 1, 66].includes(again.code ?? -1), `${words.join(' ')}: ${again.code} ${again.stderr}`)
    for (const plugin of await listPlugins(services))
      await checkFiles(versionFolder(dataDirectory, plugin), plugin.fileHashes)
  }
  t.comment(`killed: ${killedAt.join(', ')}`)
  const installed = await run(['plugin:install', first])
  t.equal(installed.code, 0, installed.stderr)
  t.strictSame(readdirSync(join(dataDirectory, 'plugins')), [NAME], 'nothing of the killed commands is left')
})

void t.test(
  'of two installations of one plugin at once one succeeds, and the other one is refused (F-31)',
  async (t) => {
    const name = 'phlix-plugin-twice'
    const path = join(t.testdir(), 'twice.tgz')
    writeFileSync(path, await pluginArchive('export default class {}', { name }))
    const words = ['plugin:install', path, '--data-dir', dataDirectory]
    const results = await Promise.all([1, 2].map(() => startPhlix(words, { environment }).result))
    const codes = results.map(({ code }) => code ?? -1).toSorted((one, other) => one - other)
    t.equal(codes[0], 0)
    t.ok(
      [1, 75].includes(codes[1] ?? -1),
      `the other one ends with ${codes[1]}: ${results.map(({ stderr }) => stderr).join(' ')}`,
    )
    const plugins = (await listPlugins(services)).filter((plugin) => plugin.name === name)
    t.equal(plugins.length, 1)
    for (const plugin of plugins) await checkFiles(versionFolder(dataDirectory, plugin), plugin.fileHashes)
  },
)
