import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { logIn } from '../../../src/core/accounts/index.ts'
import { finishRestore, listBackups, upgradeStoppedEngine } from '../../../src/core/backups/index.ts'
import { compareTables } from '../../../src/core/backups/load/compare-tables.ts'
import { openOlderCluster } from '../../../src/core/backups/scratch/open-older-cluster.ts'
import { removeReplacedClusters } from '../../../src/core/backups/upgrade/replaced-clusters.ts'
import { loadConfig, type Config } from '../../../src/core/platform/config/index.ts'
import {
  ENGINE_MAJOR_VERSION,
  latestSchemaVersion,
  migrate,
  hubMigrationsFolder,
  openDatabase,
  withDedicatedConnection,
} from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { acquireProcessLock } from '../../../src/core/platform/spawn/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'
import { dataDirectoryInMemory } from '../../support/directories.ts'
import {
  copyOfDirectory,
  directoryOfFirstRelease,
  killUpgrade,
  OLDER_MAJOR,
  olderDirectory,
  olderVersion,
  useOlderCluster,
} from '../../support/older-cluster.ts'
import { noSignInProviders } from '../../support/sign-in-providers.ts'
import { waitUntil } from '../../support/wait-until.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const NAME = z.strictObject({ name: z.string() })

const older = await directoryOfFirstRelease(t, log)

function needsOf(dataDirectory: string) {
  return { config: loadConfig({ dataDirectory, environment: {} }), log, clock: systemClock }
}

/** Major version of the cluster in a folder. */
function versionOf(folder: string): string {
  return readFileSync(join(folder, 'postgres', 'PG_VERSION'), 'utf8').trim()
}

function foldersOf(dataDirectory: string, prefix: string): string[] {
  const names = readdirSync(dataDirectory).filter((name) => name.startsWith(prefix))
  return names.map((name) => join(dataDirectory, name))
}

async function filmsIn(config: Config): Promise<string[]> {
  const database = await openDatabase({ config, log })
  try {
    return (await database.pool.any(sql.type(NAME)`select name from media_items order by name`)).map(({ name }) => name)
  } finally {
    await database.close()
  }
}

void t.test(
  'the data of an older PostgreSQL are moved into a new cluster, and the old one is kept (F-35)',
  async (t) => {
    const dataDirectory = copyOfDirectory(t, older.dataDirectory)
    const needs = needsOf(dataDirectory)
    const [from, to] = [OLDER_MAJOR, ENGINE_MAJOR_VERSION]
    const upgrade = await upgradeStoppedEngine(needs)
    t.match(upgrade, { from, to })
    t.equal(versionOf(dataDirectory), to)

    const database = await openDatabase(needs)
    const { pool: db } = database
    const login = { usernameOrEmail: 'ann', password: 'correct horse battery', clientAddress: '127.0.0.1' }
    const passwords = { passwordHashing: cheapPasswordHashing(), signInProviders: noSignInProviders() }
    t.match(await logIn({ ...needs, ...passwords, db }, login), { username: 'ann', isAdmin: true })
    for (const { name, rows } of older.archive.manifest.tables.filter((table) => table.name !== 'schema_migrations')) {
      const found = await db.oneFirst(sql.unsafe`select count(*)::int from ${sql.identifier([name])}`)
      t.ok(Number(found) >= rows, `${name} has its ${rows} rows`)
    }
    t.equal(await db.oneFirst(sql.unsafe`select max(version) from schema_migrations`), latestSchemaVersion())
    await database.close()
    t.match(await listBackups(needs), [
      {
        state: 'valid',
        path: upgrade?.backupPath,
        schemaVersion: 55,
        label: `before the upgrade of PostgreSQL ${from} to ${to}`,
      },
    ])

    const previousFolder = upgrade?.previousFolder ?? ''
    t.equal(versionOf(previousFolder), from)
    const differences = await useOlderCluster(previousFolder, {
      log,
      use: (connectionUri) => compareTables({ archive: older.archive, connectionUri }),
    })
    t.strictSame(differences, [], 'every row of the old cluster is as it was')
    t.strictSame(foldersOf(dataDirectory, 'restore'), [])
    t.equal(await upgradeStoppedEngine(needs), undefined, 'there is nothing left to do')

    const ofRestore = join(dataDirectory, 'previous-20260101T000000Z-abcdef')
    mkdirSync(ofRestore)
    const isKeptAt = async (time: string | number): Promise<boolean> => {
      const clock = { ...systemClock, now: () => new Date(time) }
      await removeReplacedClusters({ ...needs, clock })
      return existsSync(previousFolder)
    }
    t.equal(await isKeptAt('1970-01-01T00:00:00Z'), true, 'the clock of a board without a battery')
    const startedAt = Date.parse('2030-01-01T00:00:00Z')
    for (let hour = 0; hour < 13 * 24; hour += 8) {
      if (!(await isKeptAt(startedAt + hour * 3_600_000))) t.fail(`removed after ${hour} hours`)
    }
    const removed: (string | null)[] = []
    const watcher = watch(previousFolder, (_event, name) => removed.push(name))
    t.teardown(() => watcher.close())
    t.equal(await isKeptAt(startedAt + 13 * 86_400_000), false, 'after 14 days of work the old cluster is removed')
    const isSeen = (): boolean => removed.includes('postgres') && removed.includes('replaced-cluster.json')
    await waitUntil('the removals are reported', isSeen)
    t.ok(
      removed.indexOf('postgres') < removed.indexOf('replaced-cluster.json'),
      'the mark goes last: a removal that is killed can go on',
    )
    t.ok(existsSync(ofRestore), 'what a restore has replaced is kept')
  },
)

void t.test(
  'after kill -9 before the renames the old cluster is in place, and the next upgrade succeeds',
  async (t) => {
    const dataDirectory = copyOfDirectory(t, older.dataDirectory)
    killUpgrade(t, { dataDirectory, step: 'staged' })
    const needs = needsOf(dataDirectory)
    t.equal(await finishRestore({ dataDirectory }), false)
    t.equal(versionOf(dataDirectory), OLDER_MAJOR)
    await t.rejects(openDatabase(needs), { code: 'engine_version', hint: /phlix migrate/ })
    // The programs of another installation do it as well.
    const { postgres } = olderVersion.programs(dataDirectory, undefined)
    await upgradeStoppedEngine(needs, { oldPrograms: dirname(postgres) })
    t.strictSame(await filmsIn(needs.config), ['Heat', 'Ran'])
    t.strictSame(foldersOf(dataDirectory, 'restore'), [])
    t.equal((await listBackups(needs)).length, 1, 'the backup of the killed upgrade was removed')
  },
)

void t.test('after kill -9 between the renames the next start finishes the upgrade', async (t) => {
  const dataDirectory = copyOfDirectory(t, older.dataDirectory)
  killUpgrade(t, { dataDirectory, step: 'moved-old' })
  const needs = needsOf(dataDirectory)
  await t.rejects(openDatabase(needs), { code: 'engine_replaced' })
  t.equal(await finishRestore({ dataDirectory }), true)
  t.strictSame(await filmsIn(needs.config), ['Heat', 'Ran'])
  t.strictSame(foldersOf(dataDirectory, 'previous').map(versionOf), [OLDER_MAJOR])
})

void t.test('no process of this release joins the server of the older cluster, or stops it', async (t) => {
  const dataDirectory = copyOfDirectory(t, older.dataDirectory)
  const needs = needsOf(dataDirectory)
  const { connectionUri, ...cluster } = await openOlderCluster({ ...needs, version: olderVersion })
  const describe = `select current_setting('server_version') as version, pg_postmaster_start_time()::text as started`
  const server = async (): Promise<unknown[]> =>
    (await withDedicatedConnection(connectionUri, (client) => client.query(describe))).rows
  const before = await server()
  t.match(before, [{ version: new RegExp(`^${OLDER_MAJOR}`) }])
  await t.rejects(openDatabase(needs), { code: 'engine_version' })
  t.strictSame(await server(), before)
  await cluster.close()
  t.strictSame(foldersOf(dataDirectory, 'restore'), [])
})

void t.test('an upgrade is refused while a server runs, and without enough space; nothing is changed', async (t) => {
  const dataDirectory = copyOfDirectory(t, older.dataDirectory)
  const lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address: 'http://localhost:8096' })
  await t.rejects(upgradeStoppedEngine(needsOf(dataDirectory)), { code: 'restore_in_use' })
  lock.release()
  const flags = { 'hls.min_disk_space_bytes': String(Number.MAX_SAFE_INTEGER) }
  const config = loadConfig({ dataDirectory, environment: {}, flags })
  await t.rejects(upgradeStoppedEngine({ ...needsOf(dataDirectory), config }), { code: 'backup_no_space' })
  t.equal(versionOf(dataDirectory), OLDER_MAJOR)
  t.strictSame([...foldersOf(dataDirectory, 'restore'), ...foldersOf(dataDirectory, 'previous')], [])
})

void t.test('without the programs of the older version it says where to find them', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  mkdirSync(join(dataDirectory, 'postgres'))
  writeFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), '16\n')
  const needs = needsOf(dataDirectory)
  await t.rejects(upgradeStoppedEngine(needs), { code: 'engine_version', hint: /--old-programs .*postgresql\/16\/bin/ })
  const missing = upgradeStoppedEngine(needs, { oldPrograms: join(dataDirectory, 'none') })
  await t.rejects(missing, { code: 'engine_version', message: /does not exist/ })
  const bin = join(dataDirectory, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 15.3"\n')
  chmodSync(join(bin, 'postgres'), 0o755)
  const wrong = upgradeStoppedEngine(needs, { oldPrograms: bin })
  await t.rejects(wrong, { code: 'engine_version', message: /is of version 15/ })
  t.equal(versionOf(dataDirectory), '16')
})

void t.test('a cluster whose first start was killed before its tables existed becomes an empty database', async (t) => {
  const dataDirectory = await olderDirectory(t, { log, fill: async () => {} })
  t.match(await upgradeStoppedEngine(needsOf(dataDirectory)), { backupPath: null })
  t.strictSame(await filmsIn(needsOf(dataDirectory).config), [])
})

void t.test('the database of a hub is upgraded with its own migrations', async (t) => {
  const directory = hubMigrationsFolder('hub')
  const statement = `insert into hub_audit (action, actor, target, created_at) values ('test', 'ada', 'attic', now())`
  const dataDirectory = await olderDirectory(t, {
    log,
    fill: async (connectionUri) => {
      await migrate({ connectionUri, log, directory })
      await withDedicatedConnection(connectionUri, (client) => client.query(statement))
    },
  })
  const needs = needsOf(dataDirectory)
  await upgradeStoppedEngine(needs, { directory })
  const database = await openDatabase(needs)
  const { connectionUri } = database
  const { rows } = await withDedicatedConnection(connectionUri, (client) =>
    client.query('select action from hub_audit'),
  )
  t.strictSame(rows, [{ action: 'test' }])
  await database.close()
})
