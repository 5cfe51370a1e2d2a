import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { sql, type QuerySqlToken } from 'slonik'
import type { Test } from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import {
  joinEngine,
  migrate,
  openDatabase,
  type Database,
  type EngineLease,
} from '../../src/core/platform/database/index.ts'
import { readMigrationFiles } from '../../src/core/platform/database/migration-files.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { timeSetup } from '../runner/setup-times.ts'
import { memoryParent } from './memory-directory.ts'

/**
 * A database per test file, cloned from a migrated template, on one real PostgreSQL that all test files share. It is not durable:
 * what a test writes is not kept.
 */

const ROOT = join(import.meta.dirname, '..', '..')
const TEMPLATE_LOCK = 'phlix:test-template'

/** Longer than the daemon's own limit: how fast a loaded machine is, is not what these tests are about. */
const STATEMENT_TIMEOUT_SECONDS = 60

/**
 * Runs a statement that makes thousands of rows with the time that a loaded machine needs: the limit of the product is for the
 * statements of the product.
 */
export async function fillTable(db: Database, statement: QuerySqlToken): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.query(sql.unsafe`set local statement_timeout = '60s'`)
    await transaction.query(statement)
  })
}

export type TestDatabase = {
  pool: Database
  connectionUri: string
  /** What DB_HOST and its companions must say to reach it. */
  environment: Record<string, string>
}

/** Joins the shared test engine; it stops when the last test file leaves. */
export async function joinTestEngine(): Promise<EngineLease> {
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
  const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  const dataDirectory = join(memoryParent(), `phlix-test-engine-${process.getuid?.() ?? 0}-${hash}`)
  return joinEngine({ dataDirectory, log, isDurable: false })
}

/** A fresh, migrated, empty database for the calling test file; dropped when the test ends. */
export function testDatabase(t: Test): Promise<TestDatabase> {
  return timeSetup('database', () => openClone(t))
}

async function openClone(t: Test): Promise<TestDatabase> {
  const environment = await createDatabase(t, (template) => `template ${template} strategy file_copy`)
  const config = loadConfig({ environment })
  const log = await createLogger(config, { level: 'critical' })
  const database = await openDatabase({ config, log, statementTimeoutSeconds: STATEMENT_TIMEOUT_SECONDS })
  t.teardown(() => database.close())
  return { pool: database.pool, connectionUri: database.connectionUri, environment }
}

/** The environment of a fresh database without any schema, for tests of migrations; dropped when the test ends. */
export function emptyDatabase(t: Test): Promise<TestDatabase['environment']> {
  return createDatabase(t, () => '')
}

/** @param source the words of `create database` that say what it is made from */
async function createDatabase(t: Test, source: (template: string) => string): Promise<Record<string, string>> {
  const lease = await joinTestEngine()
  // At once: whatever fails below must not leave the lease behind, which would keep the test's process alive.
  t.teardown(() => lease.leave())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // For an empty database too: making the template drops databases to which nothing is connected yet.
  const template = await ensureTemplate(lease.connectionUri)
  await administer(lease.connectionUri, (client) => client.query(`create database ${name} ${source(template)}`))
  t.teardown(() =>
    administer(lease.connectionUri, (client) => client.query(`drop database if exists ${name} with (force)`)),
  )
  return environmentFor(lease.connectionUri, name)
}

/** The template of today's migrations: made once, by whoever comes first, while the others wait. */
async function ensureTemplate(adminUri: string): Promise<string> {
  const name = `template_${migrationsHash()}`
  await administer(adminUri, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [TEMPLATE_LOCK])
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    await dropLeftovers(client)
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished}`)
    const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
    await migrate({ connectionUri: withDatabase(adminUri, unfinished), log })
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

/** Clones and templates of killed runs or older migrations, unless somebody is connected to them. */
async function dropLeftovers(client: Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database d where (datname like 'test\\_%' or datname like 'template\\_%')
     and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
  )
  for (const { datname } of rows) await client.query(`drop database if exists "${datname}"`).catch(() => undefined)
}

function migrationsHash(): string {
  const hash = createHash('sha256')
  for (const { name, checksum } of readMigrationFiles()) hash.update(`${name}:${checksum}\n`)
  return hash.digest('hex').slice(0, 12)
}

async function administer(adminUri: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: adminUri })
  client.on('error', () => {
    // The statement that was under way throws it.
  })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(uri: string, name: string): string {
  return uri.replace(/\/[^/]*$/, `/${name}`)
}

function environmentFor(uri: string, name: string): Record<string, string> {
  const host = decodeURIComponent(/@([^/]+)\//.exec(uri)?.[1] ?? '')
  return { DB_HOST: host, DB_NAME: name, DB_USER: 'phlix' }
}
