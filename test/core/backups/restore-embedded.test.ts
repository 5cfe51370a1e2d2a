import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { logIn } from '../../../src/core/accounts/index.ts'
import {
  createBackup,
  finishRestore,
  listBackups,
  restoreBackup,
  verifyBackup,
  type CreatedBackup,
} from '../../../src/core/backups/index.ts'
import { compareTables } from '../../../src/core/backups/load/compare-tables.ts'
import { openArchive } from '../../../src/core/backups/archive/read-archive.ts'
import { loadConfig, type Config } from '../../../src/core/platform/config/index.ts'
import { openDatabase, type OpenDatabase } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { acquireProcessLock } from '../../../src/core/platform/spawn/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'
import { noSignInProviders } from '../../support/sign-in-providers.ts'
import { dataDirectoryInMemory, reachableDirectory } from '../../support/directories.ts'
import { copyPreparedCluster } from '../../support/prepared-cluster.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const NAME = z.strictObject({ name: z.string() })

function configOf(dataDirectory: string): Config {
  return loadConfig({ dataDirectory, environment: {} })
}

async function withDatabase<T>(config: Config, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase({ config, log, statementTimeoutSeconds: 60 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const embedded = { log, clock: systemClock, externalUri: undefined, isServed: async () => false }
const wanted = { force: false, keepsConfig: false }

// One source for all tests: an account, items, keys, a plugin and a configuration.
const source = configOf(dataDirectoryInMemory(t))
await copyPreparedCluster(source.dataDirectory)
const media = reachableDirectory(t)
for (const folder of ['keys', 'plugins/notifier']) await mkdir(join(source.dataDirectory, folder), { recursive: true })
writeFileSync(join(source.dataDirectory, 'keys/jwt-secret'), 'a secret of the source', { mode: 0o600 })
writeFileSync(join(source.dataDirectory, 'plugins/notifier/index.js'), 'export {}')
writeFileSync(join(source.dataDirectory, 'config.toml'), '[metadata]\nlanguage = "de-DE"\n')
const backup = await withDatabase(source, async ({ pool: db, connectionUri }): Promise<CreatedBackup> => {
  await makeUser(db, 'ada')
  await makeItems(db, media, [{ name: 'Amélie\t"\\N"\n' }, { name: 'Heat' }])
  const config = configOf(source.dataDirectory)
  return createBackup({ ...embedded, config, connectionUri }, { label: 'nightly' })
})

async function namesIn(config: Config): Promise<string[]> {
  return withDatabase(config, async ({ pool }) =>
    (await pool.any(sql.type(NAME)`select name from media_items order by name`)).map(({ name }) => name),
  )
}

/** A data directory with another database. */
async function otherDirectory(t: Test): Promise<Config> {
  const config = configOf(dataDirectoryInMemory(t))
  await copyPreparedCluster(config.dataDirectory)
  await withDatabase(config, ({ pool }) => makeItems(pool, reachableDirectory(t), [{ name: 'Other' }]))
  return config
}

void t.test('a backup restored into an empty directory is the same database, with its files (F-28)', async (t) => {
  const config = configOf(dataDirectoryInMemory(t))
  const restored = await restoreBackup({ ...embedded, config }, { ...wanted, path: backup.path })
  t.match(restored, { tables: backup.tables.length, previousFolder: null, header: { id: backup.id, label: 'nightly' } })
  const archive = await openArchive(backup.path)
  await withDatabase(config, async ({ pool: db, connectionUri }) => {
    t.strictSame(await compareTables({ archive, connectionUri }), [])
    const signInProviders = noSignInProviders()
    const needs = { config, db, clock: systemClock, log, passwordHashing: cheapPasswordHashing(), signInProviders }
    const account = await logIn(needs, {
      usernameOrEmail: 'ada',
      password: 'correct horse',
      clientAddress: '127.0.0.1',
    })
    t.equal(account.username, 'ada')
    // Triggers, keys and identity columns work as before.
    const [more = ''] = await makeItems(db, reachableDirectory(t), [{ name: 'One more' }])
    t.not(more, '')
  })
  await archive.close()
  t.strictSame(await namesIn(config), ['Amélie\t"\\N"\n', 'Heat', 'One more'])
  const file = (name: string): string => readFileSync(join(config.dataDirectory, name), 'utf8')
  t.equal(file('keys/jwt-secret'), 'a secret of the source')
  t.equal(statSync(join(config.dataDirectory, 'keys/jwt-secret')).mode & 0o777, 0o600)
  t.equal(file('plugins/notifier/index.js'), 'export {}')
  t.match(file('config.toml'), /de-DE/)
  t.strictSame(
    readdirSync(config.dataDirectory).filter((name) => name.startsWith('restore')),
    [],
  )
})

void t.test('a running server stops a restore before it touches anything', async (t) => {
  const config = configOf(dataDirectoryInMemory(t))
  const lock = acquireProcessLock({ path: join(config.dataDirectory, 'serve.lock'), address: 'http://localhost:8096' })
  // The lock of this process counts as that of a server.
  const attempt = restoreBackup({ ...embedded, config }, { ...wanted, path: backup.path, force: true })
  await t.rejects(attempt, { code: 'restore_in_use', hint: /systemctl stop phlix/ })
  lock.release()
  t.strictSame(readdirSync(config.dataDirectory), [])
})

void t.test('a damaged backup is refused before anything is touched', async (t) => {
  const config = configOf(dataDirectoryInMemory(t))
  const path = join(reachableDirectory(t), 'damaged.tar')
  const bytes = readFileSync(backup.path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 20_000) ^ 1, bytes.length - 20_000)
  writeFileSync(path, bytes)
  await t.rejects(restoreBackup({ ...embedded, config }, { ...wanted, path }), { code: 'backup_damaged' })
  t.strictSame(readdirSync(config.dataDirectory), [])
  t.match(await verifyBackup({ config, log, externalUri: undefined }, { path }), { result: 'damaged' })
})

void t.test('verify restores with a server of its own and leaves nothing', async (t) => {
  const config = configOf(dataDirectoryInMemory(t))
  const verification = await verifyBackup({ config, log, externalUri: undefined }, { path: backup.path })
  t.match(verification, { result: 'ok', problem: null, differences: [], tables: backup.tables.length })
  t.strictSame(readdirSync(config.dataDirectory), [])
})

void t.test('an existing database is replaced only with force', async (t) => {
  const config = await otherDirectory(t)
  const attempt = restoreBackup({ ...embedded, config }, { ...wanted, path: backup.path })
  await t.rejects(attempt, { code: 'restore_not_empty' })

  const restoreUntil = (step: string) => {
    const script = join(import.meta.dirname, 'killed-restore.ts')
    const { signal, stderr } = spawnSync(process.execPath, [script, config.dataDirectory, backup.path, step])
    t.equal(signal, 'SIGKILL', `${step} ${stderr.toString()}`)
  }
  await t.test('after kill -9 while rows are loaded, the old data are in use (F-30)', async (t) => {
    restoreUntil('table')
    t.equal(await finishRestore({ dataDirectory: config.dataDirectory }), false)
    t.strictSame(await namesIn(config), ['Other'])
  })
  await t.test(
    'after kill -9 between renames, the next start finishes; the old data are a data directory',
    async (t) => {
      restoreUntil('moved-old')
      await t.rejects(namesIn(config), { code: 'engine_replaced' })
      t.equal(await finishRestore({ dataDirectory: config.dataDirectory }), true)
      t.strictSame(await namesIn(config), ['Amélie\t"\\N"\n', 'Heat'])
      const names = readdirSync(config.dataDirectory)
      t.strictSame(
        names.filter((name) => name.startsWith('restore')),
        [],
      )
      const previous = names.find((name) => name.startsWith('previous-')) ?? ''
      t.strictSame(await namesIn(configOf(join(config.dataDirectory, previous))), ['Other'])
    },
  )
})

void t.test('the source is unchanged by all of it', async (t) => {
  t.strictSame(await namesIn(source), ['Amélie\t"\\N"\n', 'Heat'])
  t.match(await listBackups({ config: source }), [{ id: backup.id, state: 'valid' }])
})
