import net from 'node:net'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import type { Logger } from '../../../../src/core/platform/logging/index.ts'
import type { Services } from '../../../../src/core/services.ts'
import { createReadiness } from '../../../../src/daemon/routes/health/readiness.ts'
import { startApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'

void t.test('probes need no token', async (t) => {
  const { ask } = await startApp(t)
  t.match(await ask('GET', '/healthz'), { status: 200, json: { status: 'ok' } })
  t.match(await ask('GET', '/health'), { status: 200, json: { status: 'ok' } })
  t.match(await ask('GET', '/readyz'), { status: 200, json: { status: 'ready', missing: [] } })
})

void t.test('a stopping daemon is not ready, and accepts no new requests', async (t) => {
  const { ask, lifecycle } = await startApp(t)
  lifecycle.isStopping = true
  const ready = await ask('GET', '/readyz')
  t.match(ready, { status: 503, json: { status: 'not_ready', missing: ['the daemon is stopping'] } })
  t.equal(ready.headers.get('retry-after'), '3')
  const other = await ask('GET', '/api/v1/libraries')
  t.match(other, { status: 503, json: { error: 'Service is stopping', code: 'stopping' } })
  t.equal(other.headers.get('connection'), 'close')
})

void t.test(
  'without its database the daemon answers 503 and keeps running, and serves again when it is back (F-03, F-06)',
  async (t) => {
    const line = await cuttableLine(t, await testServices(t))
    const services = await testServices(t, { environment: line.environment })
    const { ask } = await startApp(t, { services })
    const body = { username: 'ann', password: 'correct horse' }
    t.equal((await ask('POST', '/api/v1/auth/login', { body })).status, 401)
    line.cut()
    t.match(await ask('GET', '/readyz'), { status: 503, json: { missing: ['the database is not reachable'] } })
    const login = await ask('POST', '/api/v1/auth/login', { body })
    t.equal(login.status, 503)
    t.same(login.json, { error: 'Database unavailable', code: 'database_unavailable' })
    t.match(login.headers.get('retry-after'), /^[1-9]\d*$/)
    t.equal((await ask('GET', '/healthz')).status, 200)
    await line.mend()
    let status = 503
    await waitUntil('the daemon serves again', async () => {
      ;({ status } = await ask('POST', '/api/v1/auth/login', { body }))
      return status !== 503
    })
    t.equal(status, 401)
  },
)

void t.test('killed connections fail running requests at most, and the daemon continues (F-04)', async (t) => {
  const { ask, registerAdmin, services } = await startApp(t)
  const { token } = await registerAdmin()
  const list = () => ask('GET', '/api/v1/libraries', { token })
  const client = new Client({ connectionString: services.connectionUri })
  await client.connect()
  t.teardown(() => client.end())
  for (let round = 0; round < 5; round += 1) {
    const asked = Array.from({ length: 12 }, list)
    const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    t.ok(Number(rowCount) > 0, 'connections were there')
    for (const { status, json } of await Promise.all(asked)) {
      if (status !== 200) t.match({ status, json }, { status: 503, json: { code: 'database_unavailable' } })
    }
    await waitUntil('it serves', async () => (await list()).status === 200)
    const later = await Promise.all(Array.from({ length: 12 }, list))
    t.ok(
      later.every(({ status }) => status === 200),
      'every connection is a new one',
    )
  }
})

void t.test('an outdated schema or a disk below its minimum is reported', async (t) => {
  const services = await testServices(t, { flags: { 'hls.min_disk_space_bytes': String(Number.MAX_SAFE_INTEGER) } })
  const empty = services.connectionUri.replace(/\/[^/]*$/, '/postgres')
  const { ask } = await startApp(t, { services: { ...services, connectionUri: empty } })
  const missing = ['the database schema is older than the program', 'free disk space is below the configured minimum']
  t.match(await ask('GET', '/readyz'), { status: 503, json: { status: 'not_ready', missing } })
})

void t.test('the log says once that the disk is below its floor, and once that it is not any more', async (t) => {
  const clock = movableClock('2026-01-01T00:00:00Z')
  const services = await testServices(t, { clock })
  let floor = Number.MAX_SAFE_INTEGER
  const options = Object.defineProperty({ ...services.config.options }, 'hls.min_disk_space_bytes', {
    get: () => floor,
  })
  const lines: string[] = []
  const note = (_: object, line: string): void => void lines.push(line)
  const log = Object.assign(Object.create(services.log) as Logger, { warning: note, notice: note })
  const readiness = createReadiness(
    { ...services, log, config: { ...services.config, options } },
    { isStopping: false },
  )
  const look = async () => {
    clock.advance(2)
    return readiness.problems()
  }
  for (let i = 0; i < 5; i += 1) t.strictSame(await look(), ['free disk space is below the configured minimum'])
  floor = 0
  for (let i = 0; i < 5; i += 1) t.strictSame(await look(), [])
  t.strictSame(lines, ['free disk space is below the configured minimum', 'the disk has enough free space again'])
})

/** A TCP proxy to the test database that can be interrupted like a network cable. */
async function cuttableLine(t: Test, { connectionUri }: Services) {
  const [, password = '', host = '', name = ''] = /:([^:@]+)@([^/]+)\/(.+)$/.exec(connectionUri) ?? []
  const [directory, port = '5432'] = decodeURIComponent(host).split(':')
  const sockets = new Set<net.Socket>()
  const relay = net.createServer((client) => {
    const server = net.connect(`${directory}/.s.PGSQL.${port}`)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => [client, server].map((end) => end.destroy()))
    }
    client.pipe(server).pipe(client)
  })
  const listen = (wanted: number): Promise<void> =>
    new Promise((resolve) => relay.listen(wanted, '127.0.0.1', () => resolve()))
  const cut = (): void => {
    relay.close()
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const taken = (relay.address() as net.AddressInfo).port
  t.teardown(cut)
  const environment = { DB_HOST: '127.0.0.1', DB_PORT: String(taken), DB_NAME: name, DB_PASSWORD: password }
  return { environment, cut, mend: () => listen(taken) }
}
