import t, { type Test } from 'tap'
import { createFindSessionAccount, disableAccount } from '../../../src/core/accounts/index.ts'
import { startSocketServer } from '../../../src/daemon/ws/server.ts'
import { breakableDatabase } from '../../support/breakable-database.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import {
  clientFrame,
  closeCode,
  dial,
  rawSocket,
  startSockets,
  type Refused,
  type TestSockets,
} from '../../support/sockets.ts'
import { waitUntil } from '../../support/wait-until.ts'

const environment = { RATE_LIMIT_WS_CONNECT_MAX: '2000' }

/** Waits until the server holds no state: a disconnected client is removed after 2 s. */
async function emptied(t: Test, { server }: Pick<TestSockets, 'server'>): Promise<void> {
  await waitUntil('all connections are closed', () => server.sizes().connections === 0)
  t.strictSame(server.sizes(), { connections: 0, watchers: 0, seats: 0, players: 0 })
}

void t.test(
  '1,000 connections that are lost without a close are removed after 300 s of silence (F-24, WS-07)',
  async (t) => {
    const app = await startSockets(t, { environment })
    const { token } = await app.registerAdmin()
    const answering = await app.connect(token)
    // The clients neither read nor answer, as if their network were down.
    const sockets = await Promise.all(Array.from({ length: 100 }, () => rawSocket(app.server.port, token)))
    for (let count = 1; count < 10; count += 1) {
      const guest = await app.signIn(await makeUser(app.services.db, `guest${count}`))
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => rawSocket(app.server.port, guest)))))
    }
    sockets[0]?.write(clientFrame(0x81, Buffer.from('{"type":"subscribe_dashboard"}')))
    await waitUntil('the dashboard has a subscriber', () => app.server.sizes().watchers > 0)
    t.strictSame(app.server.sizes(), { connections: 1001, watchers: 1, seats: 0, players: 0 })
    for (const seconds of [30, 100, 169.9]) {
      app.clock.advance(seconds)
      const pinged = new Promise((resolve) => answering.socket.once('ping', resolve))
      await app.server.sweep()
      await pinged
      t.equal(app.server.sizes().connections, 1001, 'none before its time')
      // The pong has arrived when the reply to a later message has.
      answering.send({ type: 'ping' })
      await answering.next('pong')
    }
    app.clock.advance(0.1)
    await app.server.sweep()
    await waitUntil('one connection is left', () => app.server.sizes().connections <= 1)
    t.strictSame(app.server.sizes(), { connections: 1, watchers: 0, seats: 0, players: 0 }, 'who answers pings stays')
    for (const socket of sockets) socket.destroy()
    answering.socket.close()
    await emptied(t, app)
  },
)

void t.test('a silent connection is closed with 4408', async (t) => {
  const app = await startSockets(t)
  const { token } = await app.registerUser()
  const socket = await rawSocket(app.server.port, token)
  app.clock.advance(300)
  await app.server.sweep()
  t.equal(await closeCode(socket), 4408)
  await emptied(t, app)
})

void t.test(
  'an account that is disabled or deleted loses its connections without waiting for the next check',
  async (t) => {
    const app = await startSockets(t)
    const admin = await app.registerAdmin()
    const user = await app.registerUser()
    const ask = (method: string, path: string) =>
      app.ask(method, `/api/v1/admin/users/${user.account.id}${path}`, { token: admin.token })
    const watching = await app.connect(admin.token)
    for (const [method, path] of [
      ['POST', '/disable'],
      ['DELETE', ''],
    ] as const) {
      const token = await app.signIn(user.account.id)
      const connection = await app.connect(token)
      t.equal((await ask(method, path)).status, 200)
      t.match(await connection.closed, { code: 4001, reason: 'the session has ended' })
      t.match(await dial(app.socketUrl, { headers: { authorization: `Bearer ${token}` } }).catch(String), /401/)
      if (path !== '') t.equal((await ask('POST', '/approve')).status, 200)
    }
    watching.send({ type: 'ping' })
    t.ok(await watching.next('pong'), 'others stay')
    watching.socket.close()
    await emptied(t, app)
  },
)

void t.test('a token that ends closes its connection with 4001, unless a newer one was brought (WS-08)', async (t) => {
  const app = await startSockets(t)
  const { token, account } = await app.registerUser()
  const [leaving, staying] = [await app.connect(token), await app.connect(token)]
  app.clock.advance(3590)
  const newer = await app.signIn(account.id)
  staying.send({ type: 'auth_request', data: { token: newer } })
  t.strictSame((await staying.next('auth_success')).data, { user_id: account.id, expires_in: 3600 })
  leaving.send({ type: 'ping' })
  await leaving.next('pong')
  app.clock.advance(10)
  await app.server.sweep()
  t.match(await leaving.closed, { code: 4001, reason: 'the token has expired' })
  staying.send({ type: 'ping' })
  t.ok(await staying.next('pong'))
  staying.socket.close()
  await emptied(t, app)
})

void t.test('a disabled account loses its connections with the next sweep, others keep theirs (WS-08)', async (t) => {
  const app = await startSockets(t)
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  const clients = [await app.connect(user.token), await app.connect(user.token)]
  const other = await app.connect(admin.token)
  await disableAccount(app.services, { usernameOrEmail: 'user' })
  app.clock.advance(30)
  await app.server.sweep()
  for (const { closed } of clients) t.match(await closed, { code: 4001, reason: 'the session has ended' })
  other.send({ type: 'ping' })
  t.ok(await other.next('pong'))
  other.socket.close()
  await emptied(t, app)
})

void t.test('an internal error is answered without its message, and closes no connection (F-39)', async (t) => {
  const app = await startSockets(t)
  const { token } = await app.registerAdmin()
  let isBroken = false
  const db = new Proxy(app.services.db, {
    get(target, name, receiver) {
      if (isBroken) throw new TypeError('something that nobody thought of')
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  const services = { ...app.services, db, findSessionAccount: createFindSessionAccount({ ...app.services, db }) }
  const broken = await startSocketServer(services, app)
  t.teardown(() => broken.close())
  const url = `ws://127.0.0.1:${broken.port}?token=${token}`
  const client = await dial(url)
  isBroken = true
  client.send({ type: 'subscribe_dashboard' })
  t.strictSame((await client.next('error')).data, {
    error: 'Internal Server Error',
    code: 'internal',
    message: 'Internal Server Error',
  })
  const refused = (await dial(url).catch((error: unknown) => error)) as Refused
  t.strictSame([refused.status, refused.text], [500, '{"error":"Internal Server Error","code":"internal"}'])
  app.clock.advance(31)
  await broken.sweep()
  isBroken = false
  client.send({ type: 'subscribe_dashboard' })
  t.ok(await client.next('dashboard_now_playing'))
})

void t.test(
  'without a database handshakes answer 503, connections stay and messages that need it get an error',
  async (t) => {
    const database = await breakableDatabase(t, await testDatabase(t))
    const app = await startSockets(t, { environment: { ...environment, ...database.environment } })
    const { token } = await app.registerAdmin()
    const client = await app.connect(token)
    client.send({ type: 'subscribe_dashboard' })
    await client.next('dashboard_now_playing')
    await database.stop()
    app.clock.advance(30)
    await app.server.sweep()
    client.send({ type: 'subscribe_dashboard' })
    t.match(await client.next('error'), { data: { code: 'database_unavailable' } })
    const refused: unknown = await dial(`${app.socketUrl}?token=${token}`).catch((error: unknown) => error)
    t.match(refused, { status: 503, headers: { 'retry-after': /^\d+$/ } })
    await database.start()
    client.send({ type: 'subscribe_dashboard' })
    t.ok(await client.next('dashboard_now_playing'))
    client.socket.close()
    await emptied(t, app)
  },
)

void t.test(
  'a stopping server closes all connections of both ports with 1001 and does not wait long for any',
  async (t) => {
    const app = await startSockets(t, { environment })
    const { token } = await app.registerUser()
    const clients = [
      await app.connect(token),
      await dial(`${app.baseUrl.replace('http:', 'ws:')}/api/v1/syncplay/x?token=${token}`),
    ]
    const silent = await rawSocket(app.server.port, token)
    await Promise.all([app.server.close(), app.app.close()])
    for (const { closed } of clients) t.match(await closed, { code: 1001 })
    t.strictSame(app.server.sizes(), { connections: 0, watchers: 0, seats: 0, players: 0 })
    silent.destroy()
    await t.rejects(dial(app.socketUrl), { code: 'ECONNREFUSED' })
    await app.server.close()
  },
)
