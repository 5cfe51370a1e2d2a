import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { ENGINE_MAJOR_VERSION, migrate, migrationsOf } from '../../src/core/platform/database/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { copyOfDirectory, directoryOfFirstRelease, OLDER_MAJOR, useOlderCluster } from '../support/older-cluster.ts'
import { runPhlix, startPhlix } from '../support/phlix.ts'

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

  const { code, stdout } = await run('migrate', '--json')
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

void t.test('hub:serve upgrades the cluster of the hub', async (t) => {
  const data = copyOfDirectory(t, older.dataDirectory)
  const hub = join(data, 'hub')
  await useOlderCluster(hub, {
    log,
    use: (connectionUri) => migrate({ connectionUri, log, directory: migrationsOf('hub') }),
  })
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
  t.match(await result, { code: 0, stderr: /upgraded the embedded database/ })
  t.equal(versionOf(hub), ENGINE_MAJOR_VERSION)
  t.equal(versionOf(data), OLDER_MAJOR, 'that of the media server is another one')
})
