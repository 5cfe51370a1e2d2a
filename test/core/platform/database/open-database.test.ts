import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { asDatabaseError, openDatabase, requireServerVersion } from '../../../../src/core/platform/database/index.ts'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../../support/database.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const { pool, environment } = await testDatabase(t)
const ONE = sql.type(z.strictObject({ one: z.number() }))`select 1 as one`

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

void t.test('a killed backend costs one statement; the next one works on a new connection', async (t) => {
  const killed = failureOf(pool.query(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`))
  t.match(asDatabaseError(await killed), { code: 'database_unavailable' })
  t.strictSame(await pool.one(ONE), { one: 1 })
})

void t.test('a statement over its time limit is cut off and reported as unavailable', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log, statementTimeoutSeconds: 0.2 })
  t.teardown(() => database.close())
  t.match(asDatabaseError(await failureOf(database.pool.query(sql.unsafe`select pg_sleep(30)`))), {
    code: 'database_unavailable',
  })
  t.strictSame(await database.pool.one(ONE), { one: 1 })
})

void t.test('with the pool off there is one connection, and work waits for it', async (t) => {
  const config = loadConfig({ environment: { ...environment, DB_POOL_ENABLED: 'off' } })
  const database = await openDatabase({ config, log })
  t.teardown(() => database.close())
  const single = sql.type(z.strictObject({ pid: z.number() }))`select pg_backend_pid() as pid`
  const rows = await Promise.all(Array.from({ length: 5 }, () => database.pool.one(single)))
  t.equal(new Set(rows.map((row) => row.pid)).size, 1)
})

void t.test('a server that is not there, or a wrong name, is unavailable or an error, never a hang', async (t) => {
  const nowhere = loadConfig({ environment: { DB_HOST: '127.0.0.1', DB_PORT: '1' } })
  await t.rejects(openDatabase({ config: nowhere, log }), { code: 'database_unavailable', kind: 'unavailable' })
  const unknown = loadConfig({ environment: { ...environment, DB_NAME: 'no_such_database' } })
  await t.rejects(openDatabase({ config: unknown, log }))
})

void t.test('servers before PostgreSQL 16 are refused', (t) => {
  t.throws(() => requireServerVersion(150_018), { code: 'database_too_old', kind: 'misconfigured' })
  t.doesNotThrow(() => requireServerVersion(160_000))
  t.end()
})

void t.test('only errors of an absent database become unavailable', (t) => {
  const outer = new Error('outer', { cause: Object.assign(new Error('inner'), { code: '57P01' }) })
  t.match(asDatabaseError(outer), { code: 'database_unavailable' })
  const syntax = Object.assign(new Error('syntax error'), { code: '42601' })
  t.equal(asDatabaseError(syntax), syntax)
  const known = new AppError({ kind: 'invalid', code: 'x', title: 'X' })
  t.equal(asDatabaseError(known), known)
  t.end()
})

void t.test('closing twice is closing once', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log })
  await Promise.all([database.close(), database.close()])
  await database.close()
  t.pass('no error')
})
