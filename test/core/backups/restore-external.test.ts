import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createBackup, restoreBackup, verifyBackup } from '../../../src/core/backups/index.ts'
import { dropDatabase, isUnused } from '../../../src/core/backups/queries.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import {
  openDatabase,
  withDedicatedConnection,
  replaceDatabaseName,
  type Database,
} from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { emptyDatabase, migratedDatabase, testDatabase } from '../../support/database.ts'
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
  await withDedicatedConnection(connectionUri, async (client) => {
    const { rows } = await client.query(`select datname from pg_database where datname like 'phlix_verify_%'`)
    t.strictSame(rows, [])
  })
})

void t.test('a role that may not create databases gets the comparison of checksums, and a statement', async (t) => {
  const role = `role_${process.pid}`
  await withDedicatedConnection(connectionUri, (client) => client.query(`create role ${role} login password 'x'`))
  t.teardown(() => withDedicatedConnection(connectionUri, (client) => client.query(`drop role ${role}`)))
  const externalUri = connectionUri.replace(/\/\/[^@]*@/, `//${role}:x@`)
  t.match(await verifyBackup({ config, log, externalUri }, { path: backup.path }), {
    result: 'partial',
    problem: /may not create databases/,
  })
  const target = await emptyDatabase(t)
  const name = target['DB_DATABASE'] ?? target['DB_NAME'] ?? ''
  await withDedicatedConnection(replaceDatabaseName(connectionUri, name), async (client) => {
    await client.query(`grant all on schema public to ${role}; grant create on database ${name} to ${role}`)
  })
  const into = await restoreBackup({ ...external, externalUri }, { ...input, force: false, intoDatabase: name })
  t.match(into, { previousDatabase: null, tables: backup.tables.length })
  t.strictSame(await usersOf(name), ['ada'])
  await t.rejects(restoreBackup(external, { ...input, intoDatabase: name }), { code: 'restore_not_empty' })
  await withDedicatedConnection(replaceDatabaseName(connectionUri, name), (client) =>
    client.query(`drop owned by ${role} cascade`),
  )
})

void t.test('a database that is served or in use is not replaced', async (t) => {
  await t.rejects(restoreBackup({ ...external, isServed: async () => true }, input), { code: 'restore_in_use' })
  await t.rejects(restoreBackup(external, { ...input, force: false }), { code: 'restore_not_empty' })
  await withDedicatedConnection(connectionUri, () =>
    t.rejects(restoreBackup(external, input), { code: 'restore_in_use' }),
  )
  t.strictSame(await usersOf(own), ['ada', 'bob'])
})

/** A database of the same server, made by a statement. */
async function externalOf(t: Test, statement: string) {
  const target = await emptyDatabase(t)
  const database = target['DB_DATABASE'] ?? target['DB_NAME'] ?? ''
  const externalUri = replaceDatabaseName(connectionUri, database)
  await withDedicatedConnection(externalUri, (client) => client.query(statement))
  const targetConfig = loadConfig({ dataDirectory: reachableDirectory(t), environment: target })
  return { database, needs: { ...external, config: targetConfig, externalUri } }
}

void t.test('a database of another program is replaced only with force, and is kept', async (t) => {
  const { database, needs } = await externalOf(t, 'create schema shop; create table shop.orders (id bigint)')
  await t.rejects(restoreBackup(needs, { ...input, force: false }), { code: 'restore_not_empty' })
  const { previousDatabase } = await restoreBackup(needs, input)
  t.strictSame(await usersOf(database), ['ada'])
  await withDedicatedConnection(replaceDatabaseName(connectionUri, previousDatabase ?? ''), async (client) => {
    t.equal((await client.query('select * from shop.orders')).rowCount, 0)
  })
  await withDedicatedConnection(connectionUri, (client) => dropDatabase(client, previousDatabase ?? ''))
})

void t.test('only an empty database, or one of Phlix without rows, may be dropped', async (t) => {
  const empty = await externalOf(t, 'select 1')
  const check = (uri: string) => withDedicatedConnection(uri, isUnused)
  t.equal(await check(empty.needs.externalUri), true)
  const migrated = await migratedDatabase(t)
  const uri = replaceDatabaseName(connectionUri, migrated['DB_DATABASE'] ?? migrated['DB_NAME'] ?? '')
  t.equal(await check(uri), true)
  await withDedicatedConnection(uri, async (client) => {
    for (const [change, undo] of [
      ['create table orders ()', 'drop table orders'],
      ['create view orders as select 1', 'drop view orders'],
      ['create sequence orders', 'drop sequence orders'],
      [`insert into settings (name, value, updated_at) values ('a', '1', now())`, 'delete from settings'],
    ] as const) {
      await client.query(change)
      t.equal(await isUnused(client), false, change)
      await client.query(undo)
      t.equal(await isUnused(client), true, undo)
    }
  })
  t.match(await restoreBackup(empty.needs, { ...input, force: false }), { previousDatabase: null })
  t.strictSame(await usersOf(empty.database), ['ada'])
})

void t.test('a backup with a table of an administrator is restored without it', async (t) => {
  await withDedicatedConnection(connectionUri, (client) =>
    client.query(
      `create table notes (id bigint primary key); insert into notes values (1); create table "Odd name" ()`,
    ),
  )
  const { path, tables } = await createBackup({ config, log, clock: systemClock, connectionUri })
  await withDedicatedConnection(connectionUri, (client) => client.query('drop table notes; drop table "Odd name"'))
  t.strictSame(
    tables.map(({ name }) => name).filter((name) => /notes|odd/i.test(name)),
    ['notes'],
  )
  t.match(await verifyBackup({ config, log, externalUri: connectionUri }, { path }), { result: 'ok' })
  const { database, needs } = await externalOf(t, 'select 1')
  await restoreBackup(needs, { ...input, path })
  t.strictSame(await usersOf(database), ['ada', 'bob'])
})

void t.test('the database of an external server is replaced by renames, and the old one is kept', async (t) => {
  writeFileSync(join(config.dataDirectory, 'keys/jwt-secret'), 'another secret')
  const { previousDatabase, previousFolder } = await restoreBackup(external, input)
  t.strictSame(await usersOf(own), ['ada'])
  t.strictSame(await usersOf(previousDatabase ?? ''), ['ada', 'bob'])
  t.equal(readFileSync(join(config.dataDirectory, 'keys/jwt-secret'), 'utf8'), 'secret of the backup')
  t.equal(readFileSync(join(previousFolder ?? '', 'keys/jwt-secret'), 'utf8'), 'another secret')
  await withDedicatedConnection(connectionUri, (client) => dropDatabase(client, previousDatabase ?? ''))
})
