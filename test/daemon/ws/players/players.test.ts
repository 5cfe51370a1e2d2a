import t from 'tap'
import { asMainProfile } from '../../../../src/core/accounts/index.ts'
import { startSocketServer } from '../../../../src/daemon/ws/server.ts'
import type { SocketConnection } from '../../../../src/daemon/ws/connection.ts'
import { createPlayerSessions } from '../../../../src/daemon/ws/players/players.ts'
import { startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { testDatabase } from '../../../support/database.ts'
import { runPhlix } from '../../../support/phlix.ts'
import { testServices } from '../../../support/services.ts'
import { dial, type Client } from '../../../support/sockets.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const database = await testDatabase(t)

/** One of two daemons on one database. */
async function startDaemon() {
  const flags = { 'server.host': '127.0.0.1', 'server.websocket_port': '0' } as const
  const services = await testServices(t, { database, flags, environment: { RATE_LIMIT_WS_CONNECT_MAX: '1000' } })
  const app = await startApp(t, { services })
  const server = await startSocketServer(services, app)
  t.teardown(() => server.close())
  const connect = async (token: string): Promise<Client> => {
    const client = await dial(`ws://127.0.0.1:${server.port}`, { headers: { authorization: `Bearer ${token}` } })
    await client.next('connected')
    return client
  }
  return { ...app, server, connect }
}

const [one, other] = [await startDaemon(), await startDaemon()]
const [admin, user] = [await one.registerAdmin(), await one.registerUser()]

async function startPlayer(fields: object = {}) {
  const client = await one.connect(user.token)
  client.send({ type: 'session_start', data: { device_name: 'The telly', device_type: 'tv', ...fields } })
  const { data } = await client.next('session_start')
  return { client, id: String(data?.['session_id']) }
}

type Daemon = typeof one

/** Each of the daemons has its own secret. */
const tokens = new Map([
  [one, user.token],
  [other, await other.signIn(user.account.id)],
])
const strangers = new Map([
  [one, admin.token],
  [other, await other.signIn(admin.account.id)],
])

const list = async (daemon: Daemon, token = tokens.get(daemon) ?? '') =>
  ((await daemon.ask('GET', '/api/v1/me/players', { token })).json as { players: { id: string }[] }).players

const tell = (daemon: Daemon, id: string, body: object, token = tokens.get(daemon) ?? '') =>
  daemon.ask('POST', `/api/v1/me/players/${id}/command`, { token, body })

async function answer(client: Client, ok: boolean) {
  const { data } = await client.next('session_command')
  client.send({ type: 'session_command_result', data: { command_id: data?.['command_id'], ok } })
  return data
}

void t.test('a player is listed and controlled by its user, on every server of the database', async (t) => {
  const { client, id } = await startPlayer()
  client.send({ type: 'playback_start', data: { media_item_id: 'm', position: 5000 } })
  for (const daemon of [one, other]) {
    await waitUntil('the player plays', async () => JSON.stringify(await list(daemon)).includes('"is_paused":false'))
    t.match(await list(daemon), [
      { id, username: 'user', device_name: 'The telly', device_type: 'tv', media_item_id: 'm', position: 5000 },
    ])
    t.strictSame(await list(daemon, strangers.get(daemon)), [], 'others do not see it, not even administrators')
    const told = tell(daemon, id, { command: 'seek', position: 1500 })
    t.match(await answer(client, true), { command: 'seek', position: 1500 })
    t.match(await told, { status: 200, json: { success: true } })
    const refused = tell(daemon, id, { command: 'next' })
    await answer(client, false)
    t.match(await refused, { status: 409, json: { code: 'command_refused' } })
    t.match(await tell(daemon, id, { command: 'stop' }, strangers.get(daemon)), {
      status: 404,
      json: { code: 'player_not_found' },
    })
    t.match(await tell(daemon, 'x', { command: 'stop' }), { status: 404 })
    t.match(await tell(daemon, id, { command: 'dance' }), { status: 400 })
    t.match(await tell(daemon, id, { command: 'volume', volume: 101 }), { status: 400 })
  }
  const unanswered = tell(one, id, { command: 'pause' })
  await client.next('session_command')
  client.socket.close()
  t.match(await unanswered, { status: 409 }, 'a player that goes away does nothing')
  await waitUntil('it is gone', async () => (await list(other)).length === 0)
  t.equal(one.server.sizes().players, 0)
})

const [item = ''] = await makeItems(one.services.db, t.testdir(), [{}])

void t.test('an unknown item is refused before any player is told to play it', async (t) => {
  const { client, id } = await startPlayer()
  for (const unknown of ['m', UNKNOWN])
    t.match(await tell(one, id, { command: 'play', media_item_id: unknown }), {
      status: 404,
      json: { code: 'media_item_not_found' },
    })
  const told = tell(one, id, { command: 'play', media_item_id: item })
  t.match(await answer(client, true), { command: 'play', media_item_id: item }, 'the first command that it gets')
  t.match(await told, { status: 200 })
  client.socket.close()
})

void t.test('players are listed and controlled by the command line', async (t) => {
  const { client, id } = await startPlayer()
  const run = (...words: string[]) =>
    runPhlix(['session:control', ...words, '--data-dir', one.services.config.dataDirectory], {
      environment: database.environment,
    })
  t.match(JSON.parse((await run('--json')).stdout), { players: [{ id, username: 'user', is_paused: true }] })
  const told = run(id, 'play', '--item', item, '--position', '2.5')
  t.match(await answer(client, true), { command: 'play', media_item_id: item, position: 2500 })
  t.match(await told, { code: 0, stdout: `${id}: play.\n` })
  t.match(await run(UNKNOWN, 'stop'), { code: 66, stderr: /player_not_found/ })
  t.match(await run(id, 'play', '--item', UNKNOWN), { code: 66, stderr: /media_item_not_found/ })
  for (const wrong of [
    ['seek'],
    ['volume'],
    ['pause', '--volume', '5'],
    ['stop', '--item', 'm'],
    ['seek', '--position', 'x'],
    ['dance'],
    [],
  ])
    t.match(await run(id, ...wrong), { code: 2 }, wrong.join(' '))
  client.send({ type: 'session_end', data: {} })
  await client.next('session_end')
  t.match(await run(), { code: 0, stdout: 'No player is connected\n' })
  client.socket.close()
})

void t.test('a player is followed by its own user only, and answers only its own commands', async (t) => {
  const { client, id } = await startPlayer()
  const [follower, stranger] = [await one.connect(user.token), await one.connect(admin.token)]
  for (const type of ['session_join', 'session_leave']) {
    follower.send({ type, data: {} })
    t.match(await follower.next('error'), { data: { code: 'invalid_message' } }, type)
  }
  stranger.send({ type: 'session_join', data: { session_id: id } })
  t.match(await stranger.next('error'), { data: { code: 'player_not_found' } })
  follower.send({ type: 'session_join', data: { session_id: id } })
  t.match(await follower.next('session_join'), { data: { session_id: id } })
  client.send({ type: 'playback_seek', data: { media_item_id: 'm', position: 7000, is_paused: true } })
  t.match(await follower.next('playback_seek'), { data: { session_id: id, position: 7000 } })
  client.send({ type: 'playback_progress', data: { position: -1 } })
  t.match(await client.next('error'), { data: { code: 'invalid_message' } })

  const told = tell(one, id, { command: 'pause' })
  const { data } = await client.next('session_command')
  stranger.send({ type: 'session_command_result', data: { command_id: data?.['command_id'], ok: true } })
  stranger.send({ type: 'ping' })
  await stranger.next('pong')
  client.send({ type: 'session_command_result', data: { command_id: data?.['command_id'], ok: false } })
  t.match(await told, { status: 409 }, 'the answer of a stranger does not count')
  client.socket.close()
  t.match(await follower.next('session_end'), { data: { session_id: id } })
  for (const socket of [follower, stranger]) socket.socket.close()
  await waitUntil('nothing is left', () => one.server.sizes().connections === 0)
  t.equal(one.server.sizes().players, 0)
})

void t.test('messages that are handled after the end of their connection leave nothing', (t) => {
  const sessions = createPlayerSessions(one.services.players, { envelope: () => ({}) })
  const account = asMainProfile(user.account)
  const connect = (id: string, isOpen: boolean) =>
    ({ id, account, isOpen: () => isOpen, send() {} }) as unknown as SocketConnection
  const [open, closed] = [connect('open', true), connect('closed', false)]
  sessions.handle(open, 'session_start', { data: {} })
  const before = sessions.size()
  sessions.handle(closed, 'session_start', { data: {} })
  sessions.handle(closed, 'session_join', { data: { session_id: 'open' } })
  t.equal(sessions.size(), before)
  sessions.remove(open)
  t.equal(sessions.size(), 0)
  t.end()
})
