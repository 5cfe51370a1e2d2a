import { randomUUID } from 'node:crypto'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { checkMigrations, migrate, pendingMigrations } from '../../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { holdLocks } from '../../../support/row-locks.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const FIRST = { '0001_first.sql': 'create table first (id int);' }

/** A database without the product's own migrations. */
async function emptyDatabase(t: Test) {
  const database = await testDatabase(t)
  await database.pool.query(sql.unsafe`drop schema public cascade`)
  await database.pool.query(sql.unsafe`create schema public`)
  return database
}

async function tablesOf({ pool }: Awaited<ReturnType<typeof testDatabase>>): Promise<string[]> {
  const rows = await pool.any(
    sql.type(
      z.strictObject({ name: z.string() }),
    )`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map((row) => row.name)
}

void t.test('pending files are applied in order, once', async (t) => {
  const database = await emptyDatabase(t)
  const directory = t.testdir({ ...FIRST, '0002_second.sql': 'alter table first add name text;' })
  const input = { connectionUri: database.connectionUri, log, directory }
  t.strictSame(await checkMigrations(input), {
    schemaVersion: 0,
    applied: [],
    pending: ['0001_first.sql', '0002_second.sql'],
  })
  t.strictSame(await pendingMigrations(database.pool, directory), ['0001_first.sql', '0002_second.sql'])
  t.strictSame(await tablesOf(database), [], 'a check changes nothing')
  t.strictSame(await migrate(input), { schemaVersion: 2, applied: ['0001_first.sql', '0002_second.sql'], pending: [] })
  t.strictSame(await migrate(input), { schemaVersion: 2, applied: [], pending: [] }, 'twice is no change')
  t.strictSame(await checkMigrations(input), { schemaVersion: 2, applied: [], pending: [] })
  t.strictSame(await pendingMigrations(database.pool, directory), [])
})

void t.test('ten concurrent migrations apply each file once (F-34)', async (t) => {
  const { connectionUri } = await emptyDatabase(t)
  const directory = t.testdir(FIRST)
  const reports = await Promise.all(Array.from({ length: 10 }, () => migrate({ connectionUri, log, directory })))
  t.equal(reports.flatMap((report) => report.applied).length, 1)
})

void t.test('a failed file has no effects, and previous files remain applied (F-34)', async (t) => {
  const database = await emptyDatabase(t)
  const directory = t.testdir({ ...FIRST, '0002_broken.sql': 'create table half (id int); select nonsense;' })
  const input = { connectionUri: database.connectionUri, log, directory }
  await t.rejects(migrate(input), { code: 'migration_failed', message: /0002_broken\.sql/ })
  t.strictSame(await tablesOf(database), ['first', 'schema_migrations'])
  writeFileSync(join(directory, '0002_broken.sql'), 'create table whole (id int);')
  t.match(await migrate(input), { applied: ['0002_broken.sql'] }, 'after the correction the migration continues')
})

void t.test('an edited, renumbered or missing migration is refused', async (t) => {
  const { connectionUri } = await emptyDatabase(t)
  const directory = t.testdir({ ...FIRST, '0002_second.sql': 'select 1;' })
  await migrate({ connectionUri, log, directory })
  const edited = t.testdir({ ...FIRST, '0002_second.sql': 'select 2;' })
  await t.rejects(migrate({ connectionUri, log, directory: edited }), {
    code: 'migration_edited',
    kind: 'misconfigured',
  })
})

void t.test('a database that a newer release migrated is refused, and not changed (F-35)', async (t) => {
  const { connectionUri, pool } = await emptyDatabase(t)
  const newer = t.testdir({ ...FIRST, '0002_second.sql': 'select 1;' })
  await migrate({ connectionUri, log, directory: newer })
  rmSync(join(newer, '0002_second.sql'))
  for (const act of [migrate, checkMigrations]) {
    await t.rejects(act({ connectionUri, log, directory: newer }), { code: 'schema_too_new', kind: 'misconfigured' })
  }
  await t.rejects(pendingMigrations(pool, newer), { code: 'schema_too_new', kind: 'misconfigured' })
})

void t.test('a file marked as not transactional runs outside of a transaction', async (t) => {
  const { connectionUri } = await emptyDatabase(t)
  const directory = t.testdir({
    ...FIRST,
    '0002_index.sql': '-- no transaction\ncreate index concurrently i on first (id);',
  })
  t.match(await migrate({ connectionUri, log, directory }), { schemaVersion: 2 })
})

void t.test('files that are not numbered without gaps are refused', async (t) => {
  const { connectionUri } = await emptyDatabase(t)
  for (const name of ['0003_gap.sql', '1_short.sql', '0002-dash.sql', '0002_UPPER.sql']) {
    const directory = t.testdir({ ...FIRST, [name]: 'select 1;' })
    await t.rejects(migrate({ connectionUri, log, directory }), Error, name)
  }
})

void t.test('the migrations of the product apply to an empty database', async (t) => {
  const { connectionUri } = await emptyDatabase(t)
  const directory = t.testdir({})
  cpSync(join(import.meta.dirname, '../../../../migrations'), directory, { recursive: true })
  t.match(await migrate({ connectionUri, log, directory }), { pending: [] })
})

void t.test('a missing server is reported as unavailable', async (t) => {
  const directory = t.testdir(FIRST)
  const connectionUri = 'postgresql://phlix@127.0.0.1:1/phlix'
  await t.rejects(migrate({ connectionUri, log, directory }), { code: 'database_unavailable', kind: 'unavailable' })
})

const STEPS = [
  'create table step (id int primary key);',
  'insert into step values (1);',
  'alter table step add name text;',
  'create index step_name on step (name);',
]

/** Columns and indexes of all tables. */
async function schemaOf({ pool }: Awaited<ReturnType<typeof testDatabase>>): Promise<readonly unknown[]> {
  return pool.any(sql.unsafe`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as part
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public' order by 1`)
}

void t.test(
  'a migration that is killed at any statement has no effects, and the next run completes it (F-34)',
  async (t) => {
    const database = await emptyDatabase(t)
    const directory = t.testdir({ ...FIRST })
    const input = { connectionUri: database.connectionUri, log, directory }
    const file = join(directory, '0002_steps.sql')
    for (let done = 0; done <= STEPS.length; done += 1) {
      writeFileSync(file, STEPS.toSpliced(done, 0, 'select pg_terminate_backend(pg_backend_pid());').join('\n'))
      await t.rejects(migrate(input), { code: 'database_unavailable' }, `after ${done} statements`)
      t.strictSame(await tablesOf(database), ['first', 'schema_migrations'])
    }
    writeFileSync(file, STEPS.join('\n'))
    t.match(await migrate(input), { applied: ['0002_steps.sql'], pending: [] })
    const fresh = await emptyDatabase(t)
    await migrate({ connectionUri: fresh.connectionUri, log, directory })
    t.strictSame(await schemaOf(database), await schemaOf(fresh))
  },
)

void t.test('an account that may not change tables gets an error, and can use a current database (F-34)', async (t) => {
  const database = await emptyDatabase(t)
  const { pool } = database
  const role = `reader_${randomUUID().replaceAll('-', '')}`
  await pool.query(sql.unsafe`create role ${sql.identifier([role])} login`)
  t.teardown(async () => {
    await pool.query(sql.unsafe`drop owned by ${sql.identifier([role])}`)
    await pool.query(sql.unsafe`drop role ${sql.identifier([role])}`)
  })
  const directory = t.testdir(FIRST)
  const owner = { connectionUri: database.connectionUri, log, directory }
  const reader = { ...owner, connectionUri: database.connectionUri.replace(/\/\/[^@]*@/, `//${role}@`) }
  await t.rejects(migrate(reader), { code: 'migration_failed', message: /^schema_migrations: / })
  await migrate(owner)
  await pool.query(sql.unsafe`grant usage on schema public to ${sql.identifier([role])}`)
  await pool.query(sql.unsafe`grant select on schema_migrations to ${sql.identifier([role])}`)
  t.match(await migrate(reader), { schemaVersion: 1, applied: [] })
  writeFileSync(join(directory, '0002_second.sql'), 'alter table first add name text;')
  await t.rejects(migrate(reader), { code: 'migration_failed', message: /permission denied|must be owner/ })
  t.match(await migrate(owner), { applied: ['0002_second.sql'] })
})

void t.test(
  'a locked table ends the migration with its name and the reason, and it can be repeated (F-34)',
  async (t) => {
    const { connectionUri } = await emptyDatabase(t)
    const directory = t.testdir(FIRST)
    const input = { connectionUri, log, directory }
    await migrate(input)
    const holder = await holdLocks(t, connectionUri)
    await holder.query('select from first')
    // Shorter than the product's limit, to keep the test fast.
    writeFileSync(
      join(directory, '0002_second.sql'),
      `set local lock_timeout = '50ms'; alter table first add name text;`,
    )
    await t.rejects(migrate(input), { code: 'migration_failed', message: /^0002_second\.sql: .*lock timeout/ })
    await holder.commit()
    t.match(await migrate(input), { applied: ['0002_second.sql'] })
  },
)
