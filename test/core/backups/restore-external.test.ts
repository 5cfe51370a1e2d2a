import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { createBackup, restoreBackup, verifyBackup } from '../../../src/core/backups/index.ts'
import { dropDatabase } from '../../../src/core/backups/queries.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { openDatabase, withClient, withDatabaseName, type Database } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { emptyDatabase, testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const { environment, connectionUri, pool } = await testDatabase(t)
const config = loadConfig({ dataDirectory: reachableDirectory(t), environment })
await mkdir(join(config.dataDirectory, 'keys'))
writeFileSync(join(config.dataDirectory, 'keys/jwt-secret'), 'secret of the backup')
await makeUser(pool, 'ada')
const backup = await createBackup({ config, log, clock: systemClock, connectionUri })
await makeUser(pool, 'bob')
await pool.end()

const external = { config, log, clock: systemClock, externalUri: connectionUri, isServed: async () => false }
const input = { path: backup.path, force: true, keepsConfig: false }

async function usersOf(database: string): Promise<readonly unknown[]> {
  const opened = await openDatabase({
    config: loadConfig({ environment: { ...environment, DB_DATABASE: database } }),
    log,
  })
  try {
    return await namesOf(opened.pool)
  } finally {
    await opened.close()
  }
}

async function namesOf(db: Database): Promise<readonly unknown[]> {
  return db.anyFirst(sql.unsafe`select username from users order by 1`)
}

const own = environment['DB_DATABASE'] ?? environment['DB_NAME'] ?? ''

void t.test('verify uses a database that is dropped', async (t) => {
  t.match(await verifyBackup({ config, log, externalUri: connectionUri }, { path: backup.path }), { result: 'ok' })
  await withClient(connectionUri, async (client) => {
    const { rows } = await client.query(`select datname from pg_database where datname like 'phlix_verify_%'`)
    t.strictSame(rows, [])
  })
})

void t.test('a role that may not create databases gets the comparison of checksums, and a statement', async (t) => {
  const role = `role_${process.pid}`
  await withClient(connectionUri, (client) => client.query(`create role ${role} login`))
  t.teardown(() => withClient(connectionUri, (client) => client.query(`drop role ${role}`)))
  const externalUri = connectionUri.replace(/\/\/[^@]*@/, `//${role}:x@`)
  t.match(await verifyBackup({ config, log, externalUri }, { path: backup.path }), {
    result: 'partial',
    problem: /may not create databases/,
  })
  const target = await emptyDatabase(t)
  const name = target['DB_DATABASE'] ?? target['DB_NAME'] ?? ''
  await withClient(withDatabaseName(connectionUri, name), async (client) => {
    await client.query(`grant all on schema public to ${role}; grant create on database ${name} to ${role}`)
  })
  const into = await restoreBackup({ ...external, externalUri }, { ...input, force: false, intoDatabase: name })
  t.match(into, { previousDatabase: null, tables: backup.tables.length })
  t.strictSame(await usersOf(name), ['ada'])
  await t.rejects(restoreBackup(external, { ...input, intoDatabase: name }), { code: 'restore_not_empty' })
  await withClient(withDatabaseName(connectionUri, name), (client) => client.query(`drop owned by ${role} cascade`))
})

void t.test('a database that is served or in use is not replaced', async (t) => {
  await t.rejects(restoreBackup({ ...external, isServed: async () => true }, input), { code: 'restore_in_use' })
  await t.rejects(restoreBackup(external, { ...input, force: false }), { code: 'restore_not_empty' })
  await withClient(connectionUri, () => t.rejects(restoreBackup(external, input), { code: 'restore_in_use' }))
  t.strictSame(await usersOf(own), ['ada', 'bob'])
})

void t.test('the database of an external server is replaced by renames, and the old one is kept', async (t) => {
  writeFileSync(join(config.dataDirectory, 'keys/jwt-secret'), 'another secret')
  const { previousDatabase, previousFolder } = await restoreBackup(external, input)
  t.strictSame(await usersOf(own), ['ada'])
  t.strictSame(await usersOf(previousDatabase ?? ''), ['ada', 'bob'])
  t.equal(readFileSync(join(config.dataDirectory, 'keys/jwt-secret'), 'utf8'), 'secret of the backup')
  t.equal(readFileSync(join(previousFolder ?? '', 'keys/jwt-secret'), 'utf8'), 'another secret')
  await withClient(connectionUri, (client) => dropDatabase(client, previousDatabase ?? ''))
})
