import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
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
import { withDedicatedConnection } from '../../src/core/platform/database/with-dedicated-connection.ts'
import { readMigrationFiles } from '../../src/core/platform/database/migration-files.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { readProcessorMilliseconds } from '../runner/processor-time.ts'
import { timeSetup } from '../runner/setup-times.ts'
import { memoryParent } from './memory-directory.ts'

/**
 * A database per test file, cloned from a migrated template, on one real PostgreSQL server that all test files share. It is not durable.
 */

const ROOT = join(import.meta.dirname, '..', '..')
const TEMPLATE_LOCK = 'phlix:test-template'

/** Higher than the daemon's own limit, because these tests do not measure the speed of a loaded machine. */
const STATEMENT_TIMEOUT_SECONDS = 60

/**
 * Runs a statement that inserts thousands of rows, with a higher time limit for loaded machines: the product's limit is for the product's
 * statements.
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
  /** Values of DB_HOST and related variables that connect to it. */
  environment: Record<string, string>
}

/** Joins the shared test engine, which stops when the last test file leaves it. */
export async function joinTestEngine(): Promise<EngineLease> {
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
  return joinEngine({ dataDirectory: engineDirectory(), log, isDurable: false })
}

/** Processor time in milliseconds of the running test engine, with its ended connections. */
export function readEngineProcessorMilliseconds(): number {
  const [pid = ''] = readFileSync(join(engineDirectory(), 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return readProcessorMilliseconds(pid)
}

function engineDirectory(): string {
  const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  return join(memoryParent(), `phlix-test-engine-${process.getuid?.() ?? 0}-${hash}`)
}

/** Creates a migrated, empty database for the calling test file; dropped at the end of the test. */
export function testDatabase(t: Test): Promise<TestDatabase> {
  return timeSetup('database', () => openClone(t))
}

/** The same without connections, for services that open their own: values of DB_HOST and related variables. */
export function migratedDatabase(t: Test): Promise<TestDatabase['environment']> {
  return timeSetup('database', () => createClone(t))
}

function createClone(t: Test): Promise<TestDatabase['environment']> {
  return createDatabase(t, (template) => `template ${template} strategy file_copy`)
}

async function openClone(t: Test): Promise<TestDatabase> {
  const environment = await createClone(t)
  const config = loadConfig({ environment })
  const log = await createLogger(config, { level: 'critical' })
  const database = await openDatabase({ config, log, statementTimeoutSeconds: STATEMENT_TIMEOUT_SECONDS })
  t.teardown(() => database.close())
  return { pool: database.pool, connectionUri: database.connectionUri, environment }
}

/** The environment of a new database without a schema, for tests of migrations; dropped at the end of the test. */
export function emptyDatabase(t: Test): Promise<TestDatabase['environment']> {
  return createDatabase(t, () => '')
}

/** @param source the clause of `create database` that names its template */
async function createDatabase(t: Test, source: (template: string) => string): Promise<Record<string, string>> {
  const lease = await joinTestEngine()
  // Registered first: a failure below must not leave the lease open, which would keep the test's process alive.
  t.teardown(() => lease.leave())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Also for an empty database: creating the template drops databases without connections.
  template ??= await ensureTemplate(lease.connectionUri)
  const statement = `create database ${name} ${source(template)}`
  await administer(lease.connectionUri, (client) => client.query(statement))
  t.teardown(() =>
    administer(lease.connectionUri, (client) => client.query(`drop database if exists ${name} with (force)`)),
  )
  return environmentFor(lease.connectionUri, name)
}

// The files of a worker share its template and its administrative connection: a new connection costs as much as a statement.
let template: string | undefined
let administrator: Promise<AdministratorClient> | undefined
let administratorUses = 0

/** Creates the template for the current migrations. The first caller creates it, while the others wait. */
async function ensureTemplate(adminUri: string): Promise<string> {
  const name = `template_${migrationsHash()}`
  // The lock is held until its connection ends.
  await withDedicatedConnection(adminUri, async (client) => {
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

/** Drops clones and templates of killed runs or older migrations that have no connections. */
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

/** The type declarations of pg lack these methods of its documentation: whether the connection keeps the process alive. */
type AdministratorClient = Client & { ref(): void; unref(): void }

/** Does work on the administrative connection of this process, which does not keep the process alive between two calls. */
async function administer(adminUri: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await (administrator ??= connectAdministrator(adminUri))
  administratorUses += 1
  client.ref()
  try {
    await work(client)
  } finally {
    administratorUses -= 1
    if (administratorUses === 0) client.unref()
  }
}

async function connectAdministrator(adminUri: string): Promise<AdministratorClient> {
  const client = new Client({ connectionString: adminUri }) as AdministratorClient
  const forget = (): void => {
    administrator = undefined
  }
  // The engine has ended. The running statement throws the error; the next one connects again.
  client.on('error', forget).on('end', forget)
  try {
    await client.connect()
  } catch (error) {
    forget()
    throw error
  }
  return client
}

function withDatabase(uri: string, name: string): string {
  return uri.replace(/\/[^/]*$/, `/${name}`)
}

function environmentFor(uri: string, name: string): Record<string, string> {
  const [, password = '', host = ''] = /:([^:@]+)@([^/]+)\//.exec(uri) ?? []
  return { DB_HOST: decodeURIComponent(host), DB_NAME: name, DB_USER: 'phlix', DB_PASSWORD: password }
}
