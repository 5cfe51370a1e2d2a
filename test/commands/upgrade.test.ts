import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { ENGINE_MAJOR_VERSION, migrate, hubMigrationsFolder } from '../../src/core/platform/database/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { dataDirectoryInMemory } from '../support/directories.ts'
import {
  copyOfDirectory,
  directoryOfFirstRelease,
  killUpgrade,
  OLDER_MAJOR,
  olderVersion,
  useOlderCluster,
} from '../support/older-cluster.ts'
import { runPhlix, startPhlix, type PhlixResult } from '../support/phlix.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const older = await directoryOfFirstRelease(t, log)

function versionOf(dataDirectory: string): string {
  return readFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), 'utf8').trim()
}

void t.test('migrate upgrades the cluster of an older PostgreSQL; --check and other commands only tell', async (t) => {
  const data = copyOfDirectory(t, older.dataDirectory)
  const run = (...words: string[]) => runPhlix([...words, '--data-dir', data])
  t.match(await run('migrate', '--check'), { code: 4, stdout: /PostgreSQL 17; an upgrade to 18 is pending/ })
  const engine = { from: OLDER_MAJOR, to: ENGINE_MAJOR_VERSION }
  t.match(JSON.parse((await run('migrate', '--check', '--json')).stdout), { schema_version: null, engine })
  t.match(await run('library:list'), { code: 78, stderr: /PostgreSQL 17.*\n.*`phlix migrate` upgrades it/ })
  t.equal(versionOf(data), OLDER_MAJOR)

  const { postgres } = olderVersion.programs(data, undefined)
  const oldPrograms = relative(process.cwd(), dirname(postgres))
  const { code, stdout } = await run('migrate', '--old-programs', oldPrograms, '--json')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { applied: [], engine: { ...engine, backup: /\.tar$/, previous_folder: /previous-/ } })
  t.match(await run('user:list'), { code: 0, stdout: /\bann\b/ })
  t.match(JSON.parse((await run('migrate', '--json')).stdout), { engine: null })
})

void t.test('serve upgrades the cluster before it listens, unless it may not migrate', async (t) => {
  const data = copyOfDirectory(t, older.dataDirectory)
  const words = ['serve', '--host', '127.0.0.1', '--port', '0', '--websocket-port', '0', '--data-dir', data]
  const refused = await startPhlix(words, { environment: { PHLIX_RUN_MIGRATIONS: 'off' } }).result
  t.match(refused, { code: 78, stderr: /engine_version/ })
  t.equal(versionOf(data), OLDER_MAJOR)

  const daemon = await startDaemon(data)
  t.match(daemon.log(), /upgraded the embedded database/)
  const body = JSON.stringify({ username: 'ann', password: 'correct horse battery' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${daemon.address}/api/v1/auth/login`, { method: 'POST', headers, body })
  t.equal(reply.status, 200, await reply.text())
  await stopDaemon(daemon)
  t.equal(versionOf(data), ENGINE_MAJOR_VERSION)
})

/** Starts a hub on free ports, and stops it when it listens. */
async function serveHub(data: string): Promise<PhlixResult> {
  const environment = { PHLIX_HUB_TUNNEL_PORT: '0' }
  const words = ['hub:serve', '--host', '127.0.0.1', '--port', '0', '--data-dir', data]
  const { child, result } = startPhlix(words, { environment })
  await new Promise<void>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (piece: string) => {
      text += piece
      if (/"address":"http/.test(text)) resolve()
    })
    void result.then(({ stderr }) => reject(new Error(stderr)))
  })
  child.kill('SIGTERM')
  return result
}

/** Gives a data directory a hub, whose cluster belongs to the older PostgreSQL. */
async function addOlderHub(data: string): Promise<string> {
  const hub = join(data, 'hub')
  await useOlderCluster(hub, {
    log,
    use: (connectionUri) => migrate({ connectionUri, log, directory: hubMigrationsFolder('hub') }),
  })
  return hub
}

void t.test('hub:serve upgrades the cluster of the hub, and counts the days on which it works', async (t) => {
  const data = copyOfDirectory(t, older.dataDirectory)
  const hub = await addOlderHub(data)
  t.match(await serveHub(data), { code: 0, stderr: /upgraded the embedded database/ })
  t.equal(versionOf(hub), ENGINE_MAJOR_VERSION)
  t.equal(versionOf(data), OLDER_MAJOR, 'that of the media server is another one')
  const [mark = ''] = globSync('previous-*/replaced-cluster.json', { cwd: hub })
  t.match(JSON.parse(readFileSync(join(hub, mark), 'utf8')), { workedOn: [/^\d{4}-\d\d-\d\d$/] })
})

void t.test('after kill -9 between the renames of a hub, each command for hubs finishes its upgrade', async (t) => {
  const data = dataDirectoryInMemory(t)
  const dataDirectory = await addOlderHub(data)
  killUpgrade(t, { dataDirectory, step: 'moved-old', directory: hubMigrationsFolder('hub') })
  const other = dataDirectoryInMemory(t)
  execFileSync('cp', ['-a', dataDirectory, other])
  t.match(await serveHub(data), { code: 0 })
  t.equal(versionOf(dataDirectory), ENGINE_MAJOR_VERSION)
  t.match(await runPhlix(['hub:server:list', '--data-dir', other]), { code: 0 })
})
