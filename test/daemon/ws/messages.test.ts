import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { createLibrary } from '../../../src/core/libraries/index.ts'
import { recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { setAdministrator } from '../../../src/core/accounts/index.ts'
import { denyRequest, submitRequest } from '../../../src/core/requests/index.ts'
import { queueScan, runScanJob } from '../../../src/core/scanning/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { sampleMedia } from '../../support/media.ts'
import { startSockets } from '../../support/sockets.ts'
import { waitUntil } from '../../support/wait-until.ts'

const app = await startSockets(t)
const [admin, user] = [await app.registerAdmin(), await app.registerUser()]

void t.test('a ping is answered in the envelope of general messages', async (t) => {
  const client = await app.connect(user.token)
  client.send({ type: 'ping', data: {}, timestamp: 1 })
  t.strictSame(await client.next('pong'), { type: 'pong', data: {}, timestamp: app.clock.unixSeconds() })
  client.socket.close()
})

void t.test('a time ping is answered flat, with whole and precise times of receiving and sending', async (t) => {
  app.clock.advance(0.00025)
  const client = await app.connect(user.token)
  client.send({ type: 'syncplay_time_ping', client_time: 12.5 })
  const now = app.clock.now().getTime()
  t.strictSame(await client.next('syncplay_time_pong'), {
    type: 'syncplay_time_pong',
    protocol_version: 1,
    timestamp: now,
    client_time: 12.5,
    server_time: now,
    server_send_time: now,
    precise_server_time: now + 0.25,
    precise_server_send_time: now + 0.25,
    process_id: app.services.watchGroups.processId,
  })
  app.clock.advance(-0.00025)
  client.socket.close()
})

const WRONG: [claim: string, message: object | string, answer: object][] = [
  ['no JSON', '{', { type: 'error', data: { code: 'invalid_message' } }],
  ['deep JSON', '['.repeat(16_000), { type: 'error', data: { code: 'invalid_message' } }],
  ['33 levels', `{"type":"ping","data":${'['.repeat(32)}${']'.repeat(32)}}`, { data: { code: 'invalid_message' } }],
  ['a list', '[]', { type: 'error', data: { code: 'invalid_message' } }],
  ['null', 'null', { type: 'error', data: { code: 'invalid_message' } }],
  ['no type', '{}', { type: 'error', data: { code: 'invalid_message' } }],
  ['a type that is not a string', '{"type":1}', { type: 'error', data: { code: 'invalid_message' } }],
  ['a type of 101 characters', { type: 'x'.repeat(101) }, { type: 'error', data: { code: 'invalid_message' } }],
  ['an unknown type', { type: 'dance' }, { type: 'error', data: { code: 'unknown_type' } }],
  ['a name of every object', { type: 'constructor' }, { type: 'error', data: { code: 'unknown_type' } }],
  ['an unknown type of groups', { type: 'syncplay_dance' }, { type: 'syncplay_error', error_code: 'unknown_type' }],
  ['a name of every object after the prefix', { type: 'syncplay_toString' }, { error_code: 'unknown_type' }],
  ['a time that is none', '{"type":"syncplay_time_ping","client_time":"1"}', { error_code: 'invalid_message' }],
  ['a time beyond numbers', '{"type":"syncplay_time_ping","client_time":1e400}', { error_code: 'invalid_message' }],
  ['a token that is none', { type: 'auth_request', data: { token: 1 } }, { data: { code: 'invalid_message' } }],
  ['another user’s token', { type: 'auth_request', data: { token: admin.token } }, { type: 'auth_failure' }],
  ['a token that is not ours', { type: 'auth_request', data: { token: 'a.b.c' } }, { data: { code: 'auth.required' } }],
  ['the dashboard, by a user', { type: 'subscribe_dashboard' }, { type: 'error', data: { code: 'auth.not_admin' } }],
]

void t.test('an invalid message is answered with an error, and the connection stays open', async (t) => {
  const client = await app.connect(user.token)
  for (const [claim, message, answer] of WRONG) {
    client.send(message)
    const reply = await new Promise((resolve) =>
      client.socket.once('message', (bytes: Buffer) => resolve(String(bytes))),
    )
    t.match(JSON.parse(String(reply)), answer, claim)
    app.clock.advance(1)
  }
  client.waiting.length = 0
  client.socket.send(Buffer.from('{"type":"ping"}'))
  t.match(await client.next('error'), { data: { code: 'invalid_message', message: 'messages are JSON text' } })
  client.send({ type: 'ping' })
  t.ok(await client.next('pong'))
  client.socket.close()
})

void t.test('all clients are notified of the end of a scan', async (t) => {
  const clients = [await app.connect(user.token), await app.connect(admin.token)]
  const folder = reachableDirectory(t)
  await copyFile(await sampleMedia('film-mp4'), join(folder, 'A film (1999).mp4'))
  const library = await createLibrary(app.services, { name: 'Films', type: 'movie', path: folder })
  const { id } = await queueScan(app.services, { libraryId: library.id, type: 'scan' })
  await runScanJob(app.services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  const data = { library_id: library.id, job_id: id, job_type: 'scan', status: 'completed' }
  const [ofUser, ofAdmin] = await Promise.all(clients.map((client) => client.next('library_updated')))
  t.strictSame(ofUser?.data, data, 'without numbers, which may count what is hidden')
  t.strictSame(ofAdmin?.data, { ...data, items_added: 1, items_removed: 0 })
  for (const client of clients) client.socket.close()
})

void t.test('administrators receive the progress of a running job, others do not', async (t) => {
  const [watcher, other] = [await app.connect(admin.token), await app.connect(user.token)]
  const library = await createLibrary(app.services, { name: 'Running', type: 'movie', path: reachableDirectory(t) })
  const { id } = await queueScan(app.services, { libraryId: library.id, type: 'scan' })
  await app.services.db.query(sql.unsafe`update scan_jobs set status = 'running', started_at = now() where id = ${id}`)
  t.match(await watcher.next('scan_progress'), {
    data: { id, library_id: library.id, status: 'running', items_found: 0 },
  })
  await app.services.db.query(sql.unsafe`update scan_jobs set items_found = 7 where id = ${id}`)
  t.match(await watcher.next('scan_progress'), { data: { id, items_found: 7 } })
  other.send({ type: 'ping' })
  await other.next('pong')
  t.notOk(other.waiting.some(({ type }) => type === 'scan_progress'))
  await app.services.db.query(
    sql.unsafe`update scan_jobs set status = 'cancelled', completed_at = now() where id = ${id}`,
  )
  for (const client of [watcher, other]) client.socket.close()
})

void t.test(
  'administrators receive the current plays and their changes, and nothing after they are demoted',
  async (t) => {
    const { services, clock, server } = app
    const [itemId = ''] = await makeItems(services.db, reachableDirectory(t), [{ name: 'A film' }])
    const watcher = await app.connect(admin.token)
    watcher.send({ type: 'subscribe_dashboard' })
    t.match(await watcher.next('dashboard_now_playing'), { data: { now_playing: [], subscribed: true } })
    t.equal(server.sizes().watchers, 1)

    const { id: sessionId } = await startPlaybackSession(services, {
      profileId: user.account.id,
      deviceId: null,
      deviceName: 'The telly',
      deviceType: 'roku',
    })
    const report = { profileId: user.account.id, sessionId, mediaItemId: itemId, isPaused: false }
    await recordProgress(services, { ...report, positionTicks: 10_000_000 })
    await server.sweep()
    t.match((await watcher.next('dashboard_now_playing')).data, {
      now_playing: [
        {
          session_id: sessionId,
          username: 'user',
          media_item_id: itemId,
          media_title: 'A film',
          media_type: 'movie',
          device_name: 'The telly',
          is_paused: false,
          position_ticks: 10_000_000,
          duration_ticks: 1_000_000_000,
        },
      ],
      subscribed: true,
    })
    await server.sweep()
    clock.advance(20)
    await recordProgress(services, { ...report, positionTicks: 30_000_000, isPaused: true })
    await server.sweep()
    const paused = (await watcher.next('dashboard_now_playing')).data
    t.match(paused, { now_playing: [{ is_paused: true, position_ticks: 30_000_000 }] }, 'unchanged plays are not sent')
    clock.advance(121)
    await server.sweep()
    t.match(
      (await watcher.next('dashboard_now_playing')).data,
      { now_playing: [] },
      'who says nothing any more is gone',
    )

    const other = await app.connect(user.token)
    await setAdministrator(services, { usernameOrEmail: 'user', isAdmin: true })
    await setAdministrator(services, { usernameOrEmail: 'admin', isAdmin: false })
    clock.advance(31)
    await server.sweep()
    t.match((await watcher.next('dashboard_now_playing')).data, { now_playing: [], subscribed: false })
    t.equal(server.sizes().watchers, 0)
    other.send({ type: 'subscribe_dashboard' })
    t.match(await other.next('dashboard_now_playing'), { data: { subscribed: true } }, 'the right is read immediately')
    for (const client of [watcher, other]) client.socket.close()
    await waitUntil('all connections are closed', () => server.sizes().connections === 0)
    t.strictSame(server.sizes(), { connections: 0, watchers: 0, seats: 0, players: 0 })
  },
)

void t.test('a denied media request is reported on every connection of its user, and on no other', async (t) => {
  const [one, other, stranger] = [
    await app.connect(user.token),
    await app.connect(user.token),
    await app.connect(admin.token),
  ]
  const fields = { type: 'movie', catalogId: 603, title: 'The Matrix' }
  const { id } = await submitRequest(app.services, { userId: user.account.id, fields })
  await denyRequest(app.services, { id, reason: 'Not now.' })
  const data = {
    kind: 'request',
    request_id: id,
    title: 'The Matrix',
    status: 'rejected',
    rejection_reason: 'Not now.',
  }
  for (const client of [one, other]) t.match(await client.next('notification'), { data })
  stranger.send({ type: 'ping' })
  await stranger.next('pong')
  t.notOk(stranger.waiting.some(({ type }) => type === 'notification'))
  for (const client of [one, other, stranger]) client.socket.close()
})
