import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import {
  toDatabaseError,
  joinEngine,
  type EngineLease,
  openDatabase,
  openPool,
  requireServerVersion,
  violatedUniqueConstraint,
} from '../../../../src/core/platform/database/index.ts'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import { createBackgroundThrottle } from '../../../../src/core/platform/threads/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { dataDirectoryInMemory } from '../../../support/directories.ts'
import { processesOf, untilNoProcessOf } from '../../../support/processes.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const { pool, environment } = await testDatabase(t)
const ONE = sql.type(z.strictObject({ one: z.number() }))`select 1 as one`

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/** The engine of a lease as an external server. */
function environmentOf({ connectionUri }: EngineLease): Record<string, string> {
  const { hostname, password } = new URL(connectionUri)
  return { DB_HOST: decodeURIComponent(hostname), DB_PASSWORD: password }
}

void t.test('a killed backend costs one statement; the next one works on a new connection (F-04)', async (t) => {
  const killed = failureOf(pool.query(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`))
  t.match(toDatabaseError(await killed), { code: 'database_unavailable' })
  t.strictSame(await pool.one(ONE), { one: 1 })
})

void t.test(
  'a connection that fails for want of a descriptor means that the database is unavailable, a file does not',
  (t) => {
    const scarce = (syscall: string) =>
      new Error('x', { cause: Object.assign(new Error(`${syscall} EMFILE`), { code: 'EMFILE', syscall }) })
    t.match(toDatabaseError(scarce('connect')), { code: 'database_unavailable' })
    t.notMatch(toDatabaseError(scarce('open')), { code: 'database_unavailable' })
    t.end()
  },
)

void t.test('a longer statement timeout applies to its transaction only', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log, statementTimeoutSeconds: 2 })
  t.teardown(() => database.close())
  const sleep = sql.unsafe`select pg_sleep(3)`
  await database.pool.transaction(async (connection) => {
    await connection.query(sql.unsafe`set local statement_timeout = '60s'`)
    await connection.query(sleep)
  })
  await t.rejects(database.pool.transaction((connection) => connection.query(sleep)))
})

void t.test('a statement over its time limit is aborted and reported as unavailable', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log, statementTimeoutSeconds: 2 })
  t.teardown(() => database.close())
  t.match(toDatabaseError(await failureOf(database.pool.query(sql.unsafe`select pg_sleep(600)`))), {
    code: 'database_unavailable',
  })
  t.strictSame(await database.pool.one(ONE), { one: 1 })
})

void t.test('the server has the time limit too, so that an abandoned statement ends', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log, statementTimeoutSeconds: 2 })
  t.teardown(() => database.close())
  const setting = sql.type(z.strictObject({ limit: z.string() }))`select current_setting('statement_timeout') as limit`
  t.equal(await database.pool.oneFirst(setting), '2s')
  t.equal(await database.pool.transaction((connection) => connection.oneFirst(setting)), '2s')
})

void t.test('with the pool disabled there is one connection, and work waits for it', async (t) => {
  const config = loadConfig({ environment: { ...environment, DB_POOL_ENABLED: 'off' } })
  const database = await openDatabase({ config, log })
  t.teardown(() => database.close())
  const single = sql.type(z.strictObject({ pid: z.number() }))`select pg_backend_pid() as pid`
  const rows = await Promise.all(Array.from({ length: 5 }, () => database.pool.one(single)))
  t.equal(new Set(rows.map((row) => row.pid)).size, 1)
})

void t.test('a missing server or a wrong name is an error, never a hang', async (t) => {
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
  t.match(toDatabaseError(outer), { code: 'database_unavailable' })
  const syntax = Object.assign(new Error('syntax error'), { code: '42601' })
  t.equal(toDatabaseError(syntax), syntax)
  const known = new AppError({ kind: 'invalid', code: 'x', title: 'X' })
  t.equal(toDatabaseError(known), known)
  t.end()
})

void t.test('a backend that stops answering is abandoned soon after the statement timeout (F-05)', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log, statementTimeoutSeconds: 2 })
  t.teardown(() => database.close())
  const unanswered = database.pool.transaction(async (connection) => {
    const pid = await connection.oneFirst(sql.type(z.strictObject({ pid: z.number() }))`select pg_backend_pid() as pid`)
    process.kill(pid, 'SIGSTOP')
    t.teardown(() => process.kill(pid, 'SIGCONT'))
    return connection.one(ONE)
  })
  t.match(await failureOf(unanswered), {
    code: 'database_unavailable',
    kind: 'unavailable',
    cause: { cause: { message: 'the database does not answer' } },
  })
  t.strictSame(await database.pool.one(ONE), { one: 1 }, 'others are served')
})

void t.test(
  'a stopped server process costs each caller its limit, and serves all of them when it continues (F-05)',
  async (t) => {
    const dataDirectory = dataDirectoryInMemory(t)
    const lease = await joinEngine({ dataDirectory, log, isDurable: false })
    t.teardown(() => lease.leave())
    const config = loadConfig({ environment: { ...environmentOf(lease), DB_POOL_SIZE: '3' } })
    const database = await openDatabase({ config, log, statementTimeoutSeconds: 2 })
    t.teardown(() => database.close())
    const askers = (): Promise<unknown>[] => Array.from({ length: 10 }, () => failureOf(database.pool.one(ONE)))
    t.strictSame(new Set(await Promise.all(askers())), new Set([undefined]))
    const processes = processesOf(dataDirectory).filter(
      ({ command }) => /postgres/.test(command) && !/keeper/.test(command),
    )
    const signal = (name: NodeJS.Signals): void => processes.forEach(({ pid }) => process.kill(pid, name))
    t.ok(processes.length > 3, 'the server and its connections')
    signal('SIGSTOP')
    const failures = await Promise.all(askers()).finally(() => signal('SIGCONT'))
    t.ok(failures.every((failure) => failure instanceof AppError && failure.code === 'database_unavailable'))
    await waitUntil('it serves', async () => (await failureOf(database.pool.one(ONE))) === undefined)
    t.strictSame(new Set(await Promise.all(askers())), new Set([undefined]), 'no place in the pool is lost')
  },
)

void t.test('a server that accepts connections without answering is tried twice at most (F-05)', async (t) => {
  const [relayed, silent]: [Socket[], Socket[]] = [[], []]
  let isSilent = false
  const relay = createServer((near) => {
    near.on('error', () => {})
    if (isSilent) return void silent.push(near)
    const far = connect(join(environment['DB_HOST'] ?? '', '.s.PGSQL.5432')).on('error', () => {})
    relayed.push(near, far)
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => {
    relay.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    relay.close()
    for (const socket of [...relayed, ...silent]) socket.destroy()
  })
  const { port } = relay.address() as AddressInfo
  const config = loadConfig({ environment: { ...environment, DB_HOST: '127.0.0.1', DB_PORT: String(port) } })
  const database = await openDatabase({ config, log, statementTimeoutSeconds: 2 })
  t.teardown(() => database.close())
  await database.pool.one(ONE)
  isSilent = true
  for (const socket of relayed) socket.destroy()
  await waitUntil('the lost connection is noticed', async () => {
    t.match(await failureOf(database.pool.one(ONE)), { code: 'database_unavailable' })
    return silent.length > 0
  })
  t.equal(silent.length, 2)
})

void t.test('when the server ends every caller gets an error, also those beyond the size of the pool', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  const lease = await joinEngine({ dataDirectory, log, isDurable: false })
  const config = loadConfig({ environment: { ...environmentOf(lease), DB_POOL_SIZE: '3' } })
  const database = await openDatabase({ config, log })
  t.teardown(() => database.close())
  await database.pool.one(ONE)
  await lease.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
  const failures = await Promise.all(Array.from({ length: 20 }, () => failureOf(database.pool.one(ONE))))
  t.strictSame(
    new Set(failures.map((failure) => failure instanceof AppError && failure.code)),
    new Set(['database_unavailable']),
  )
})

void t.test('background processes of the embedded server have a lower priority, the others do not', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  const lease = await joinEngine({ dataDirectory, log, isDurable: false })
  t.teardown(() => lease.leave())
  const input = { config: loadConfig({ dataDirectory, environment: {} }), log, connectionUri: lease.connectionUri }
  const [background, usual] = await Promise.all([
    openPool({ ...input, throttle: createBackgroundThrottle() }),
    openPool(input),
  ])
  t.teardown(() => Promise.all([background.end(), usual.end()]))
  const pidOf = (database: typeof usual): Promise<number> =>
    database.oneFirst(sql.type(z.strictObject({ pid: z.number() }))`select pg_backend_pid() as pid`)
  const [stepping, staying] = [await pidOf(background), await pidOf(usual)]
  t.equal(await pidOf(background), stepping, 'the connection is kept')
  t.strictSame([getPriority(stepping), getPriority(staying)], [10, getPriority()])
  if (!existsSync('/proc/self/autogroup')) return
  const sessionOf = (pid: number): string => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim()
  await waitUntil('the priority of the session is lowered', () => sessionOf(stepping).endsWith('nice 10'))
  t.match(sessionOf(staying), /nice 0$/)
})

void t.test('a unique violation is logged at debug level only', async (t) => {
  const lines: string[] = []
  const config = loadConfig({ environment })
  const heard = await createLogger(config, { level: 'info', destination: { write: (line) => void lines.push(line) } })
  const database = await openDatabase({ config, log: heard })
  t.teardown(() => database.close())
  await database.pool.query(sql.unsafe`create table twice (id int primary key)`)
  await database.pool.query(sql.unsafe`insert into twice values (1)`)
  t.equal(
    violatedUniqueConstraint(await failureOf(database.pool.query(sql.unsafe`insert into twice values (1)`))),
    'twice_pkey',
  )
  t.strictSame(lines, [])
})

void t.test('closing is idempotent', async (t) => {
  const database = await openDatabase({ config: loadConfig({ environment }), log })
  await Promise.all([database.close(), database.close()])
  await database.close()
  t.pass('no error')
})

void t.test('a server that cannot be used is named with its address and the cause, without the password', async (t) => {
  const { DB_HOST: host = '', DB_PORT: port } = environment
  const own = port === undefined ? {} : { DB_PORT: port }
  const secret = 's3cret-canary'
  const cases: [Record<string, string>, string, RegExp][] = [
    [{ DB_HOST: '127.0.0.1', DB_PORT: '1' }, 'database_unavailable', /at 127\.0\.0\.1:1 .*nothing listens there/],
    [{ DB_HOST: 'none.invalid' }, 'database_unavailable', /at none\.invalid:5432 .*name (?:is unknown|cannot be)/],
    [{ DB_HOST: '/nowhere' }, 'database_unavailable', /at \/nowhere\/\.s\.PGSQL\.5432 .*no such socket/],
    [{ ...own, DB_HOST: host }, 'database_refused', /refuses the connection: password authentication failed/],
  ]
  for (const [more, code, message] of cases) {
    const config = loadConfig({ environment: { ...more, DB_PASSWORD: secret } })
    const failure = await failureOf(openDatabase({ config, log }))
    t.match(failure, { code, message, hint: /config:show --origin/ }, message.source)
    t.notMatch(JSON.stringify(failure) + String(failure), secret)
  }
  const config = loadConfig({ environment: { ...environment, DB_NAME: 'none' } })
  t.match(await failureOf(openDatabase({ config, log })), {
    code: 'database_refused',
    message: /"none" does not exist/,
  })
})
