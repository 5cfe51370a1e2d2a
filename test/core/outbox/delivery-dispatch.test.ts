import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { startPlaybackSession, recordProgress } from '../../../src/core/playback/index.ts'
import { enqueueEvent, startDeliveryDispatch, type OutboxEvent } from '../../../src/core/outbox/index.ts'
import { MAX_WAITING_DELIVERIES } from '../../../src/core/outbox/delivery-dispatch.ts'
import { deleteOldDeliveries } from '../../../src/core/outbox/queries/waiting-deliveries.ts'
import { createWebhook, deleteWebhook, listWebhooks, sendWebhook } from '../../../src/core/webhooks/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createServices, type Services } from '../../../src/core/services.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { movableClock } from '../../support/records.ts'
import { restoreResponses, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts'

const SECRET = 'a shared secret'
const ROOT = join(import.meta.dirname, '../../..')

const { environment: databaseEnvironment } = await testDatabase(t)
const clock = movableClock()
const environment = { ...databaseEnvironment, PHLIX_WEBHOOKS_ALLOW_PRIVATE: 'true' }

async function open(flags: object = {}): Promise<Services> {
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment, flags: { ...flags } })
  const services = await createServices({ config, clock, log: await createLogger(config, { level: 'critical' }) })
  t.teardown(() => services.close())
  return services
}

const services = await open({ 'webhooks.timeout_seconds': '10' })
const { db } = services
const EVENTS = ['playback.started', 'library.updated']

const hook = (url: string, name = 'hook') => createWebhook(services, { name, url, secret: SECRET, events: EVENTS })
const dispatchOf = (from: Services) =>
  startDeliveryDispatch(from, {
    webhook: (delivery, signal) => sendWebhook(from, delivery, signal),
    channel: () => Promise.reject(new Error('no channels here')),
    scrobbler: () => Promise.reject(new Error('no scrobblers here')),
  })

/** One round: everything that is due now. */
async function settle(from = services): Promise<void> {
  const dispatch = dispatchOf(from)
  await dispatch.settle()
  await dispatch.stop()
}

const change = (name: string): OutboxEvent => ({
  event: 'library.updated',
  change: 'item_added',
  libraryId: 'a',
  libraryName: name,
  mediaItemIds: [name],
  itemCount: 1,
  titles: [],
})
const tell = (name: string): Promise<void> => enqueueEvent(db, change(name), clock.now())
const heard = (receiver: WebhookReceiver): string[] =>
  receiver.events.map(({ payload }) => String((payload as Record<string, unknown>)['media_item_id']))
const logged = async (): Promise<Record<string, unknown>[]> => [
  ...((await db.any(sql.unsafe`
    select status, attempts, status_code, error_message from deliveries order by position`)) as Record<
    string,
    unknown
  >[]),
]

async function cleared(t: Test): Promise<void> {
  t.teardown(async () => {
    for (const { id } of await listWebhooks(services)) await deleteWebhook(services, id)
  })
}

void t.test('a failed delivery is retried exactly twice, with growing delays, and then counted', async (t) => {
  await cleared(t)
  const receiver = await startWebhookReceiver(t, SECRET)
  await hook(receiver.url)
  receiver.answer = (_, response) => void response.writeHead(404).end()
  await tell('a')
  await settle()
  t.equal(receiver.requests.length, 1)
  clock.advance(0.9)
  await settle()
  t.equal(receiver.requests.length, 1, 'not before its time')
  clock.advance(0.4)
  await settle()
  t.equal(receiver.requests.length, 2)
  clock.advance(1.9)
  await settle()
  t.equal(receiver.requests.length, 2)
  t.match(await listWebhooks(services), [{ failureCount: 0 }])
  clock.advance(0.7)
  await settle()
  t.match(await logged(), [{ status: 'failed', attempts: 3, statusCode: 404 }])
  t.match(await listWebhooks(services), [{ failureCount: 1 }])
  clock.advance(3600)
  await settle()
  t.equal(receiver.requests.length, 3)
  restoreResponses(receiver)
  await tell('b')
  await settle()
  t.strictSame(heard(receiver), ['b'], 'later events are delivered')
})

const drip = (response: ServerResponse): void => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'), 100)
  response.on('close', () => clearInterval(timer))
}
const pour = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': 10 * 1024 ** 3 })
  const chunk = Buffer.alloc(1024 * 1024)
  const more = (): void => void response.write(chunk, (error) => (error == null ? more() : undefined))
  more()
}

/** The behaviour of a malicious or broken target (SS-04, SS-05). */
const TARGETS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  silent: () => undefined,
  dripping: (_, response) => drip(response),
  'ten gigabytes': (_, response) => pour(response),
  'gzip bomb': (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024))),
  'a megabyte of headers': (_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(1024 * 1024) }).end(),
  'closing in the middle': (request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy())
  },
}

void t.test(
  'malicious targets use only their time limit: the other targets receive everything without delay (SS-04, SS-05)',
  async (t) => {
    await cleared(t)
    const inside = await startWebhookReceiver(t, SECRET)
    const good = await startWebhookReceiver(t, SECRET)
    for (const [name, answer] of Object.entries(TARGETS)) {
      const target = await startWebhookReceiver(t, SECRET)
      target.answer = answer
      await hook(target.url, name)
    }
    for (const status of [301, 302, 303, 307, 308]) {
      const target = await startWebhookReceiver(t, SECRET)
      target.answer = (_, response) => void response.writeHead(status, { location: inside.url }).end()
      await hook(target.url, `redirect ${status}`)
    }
    const dead = createSocketServer().listen(0, '127.0.0.1')
    await once(dead, 'listening')
    const { port } = dead.address() as AddressInfo
    dead.close()
    await hook(`http://127.0.0.1:${port}/`, 'dead')
    const userId = await makeUser(db, 'viewer')
    const [item = ''] = await makeItems(db, t.testdir(), [{}])
    const noRetries = { 'webhooks.max_retries': '0' }
    const patient = await open({ ...noRetries, 'webhooks.timeout_seconds': '60' })
    const hasty = await open({ ...noRetries, 'webhooks.timeout_seconds': '1' })
    let release: () => void = () => undefined
    const goodHasBoth = new Promise<void>((resolve) => (release = resolve))
    const { id: goodId } = await hook(good.url, 'good')
    const dispatch = startDeliveryDispatch(patient, {
      webhook: async (delivery, signal) => {
        if (delivery.targetId === goodId) return sendWebhook(patient, delivery, signal)
        const result = await sendWebhook(hasty, delivery, signal)
        // The others have not ended before the working target has received both events.
        await goodHasBoth
        return result
      },
      channel: () => Promise.reject(new Error('no channels here')),
      scrobbler: () => Promise.reject(new Error('no scrobblers here')),
    })
    await tell('a')
    await good.received(1)
    const { id: sessionId } = await startPlaybackSession(services, {
      profileId: userId,
      deviceId: null,
      deviceName: null,
      deviceType: null,
    })
    await recordProgress(services, {
      profileId: userId,
      sessionId,
      mediaItemId: item,
      positionTicks: 0,
      isPaused: false,
    })
    t.equal((await good.received(2))[1]?.['event_type'], 'playback.started', 'while the others are still being asked')
    release()
    await dispatch.settle()
    await dispatch.stop()
    const states = await db.any(sql.unsafe`
      select t.name, d.status, d.attempts, count(*) from deliveries d join delivery_targets t on t.id = d.target_id group by 1, 2, 3`)
    for (const { name, status, attempts, count } of states as Record<string, unknown>[]) {
      const expected = name === 'good' ? ['success', 1, 2] : ['failed', 1, 2]
      t.strictSame([status, attempts, count], expected, String(name))
    }
    t.equal(states.length, 13)
    t.strictSame(inside.requests, [], 'no redirect was followed')
    const errors = await db.anyFirst(sql.unsafe`
      select distinct d.error_message from deliveries d where d.status = 'failed' order by 1`)
    t.notMatch(errors.join(' '), /hook|secret/, 'the host and no more')
  },
)

void t.test(
  'the queue of a dead target is bounded: the oldest deliveries are dropped and counted (SS-06)',
  async (t) => {
    await cleared(t)
    const receiver = await startWebhookReceiver(t, SECRET)
    const { id } = await hook(receiver.url)
    receiver.answer = (_, response) => void response.writeHead(500).end()
    await tell('first')
    await settle()
    t.equal(receiver.requests.length, 1)
    await db.query(sql.unsafe`
    insert into deliveries (target_id, facts, occurred_at, next_attempt_at)
    select ${id}, facts || jsonb_build_object('libraryName', n::text), occurred_at, next_attempt_at + interval '1 hour'
    from deliveries, generate_series(1, ${MAX_WAITING_DELIVERIES + 199}) n order by n`)
    await settle()
    t.match(await listWebhooks(services), [{ droppedCount: 200 }])
    const names = await db.anyFirst(sql.unsafe`select facts ->> 'libraryName' from deliveries order by position`)
    t.strictSame(
      [names.length, names[0], names.at(-1)],
      [MAX_WAITING_DELIVERIES, '200', String(MAX_WAITING_DELIVERIES + 199)],
    )
  },
)

void t.test(
  'the requests to a target that is down get rarer, regardless of events; when it is back it receives the rest',
  async (t) => {
    await cleared(t)
    const receiver = await startWebhookReceiver(t, SECRET)
    const good = await startWebhookReceiver(t, SECRET)
    await hook(receiver.url)
    await hook(good.url)
    receiver.answer = (_, response) => void response.writeHead(500).end()
    const names = Array.from({ length: 40 }, (_, index) => `e${index}`)
    for (const name of names) {
      await tell(name)
      await settle()
      clock.advance(0.25)
    }
    t.ok(receiver.requests.length <= 7, `${receiver.requests.length} attempts in ten seconds`)
    t.strictSame(heard(good), names, 'no other target is paused')
    const before = receiver.requests.length
    for (let second = 0; second < 300; second += 1) {
      clock.advance(1)
      await settle()
    }
    const during = receiver.requests.length - before
    t.ok(during >= 6 && during <= 14, `${during} attempts in five minutes`)
    restoreResponses(receiver)
    receiver.events.length = 0
    for (let second = 0; second < 45; second += 1) {
      clock.advance(1)
      await settle()
    }
    const arrived = new Set(heard(receiver))
    const states = (await logged()).map(({ status }) => status)
    t.notOk(states.includes('pending'))
    t.ok(arrived.size >= names.length - during, `${arrived.size} of ${names.length} arrive after all`)
    t.equal(arrived.size + states.filter((status) => status === 'failed').length, names.length)
    receiver.answer = (_, response) => void response.writeHead(500).end()
    const [asked] = [receiver.requests.length]
    for (const name of ['x', 'y']) await tell(name)
    await settle()
    t.equal(receiver.requests.length, asked + 2, 'earlier failures are reset')
  },
)

void t.test('deliveries are sequential if configured; two daemons share the work and send nothing twice', async (t) => {
  await cleared(t)
  const serial = await open({ 'webhooks.parallel_dispatch': 'false' })
  let [busy, most] = [0, 0]
  const receivers = await Promise.all(Array.from({ length: 4 }, () => startWebhookReceiver(t, SECRET)))
  for (const receiver of receivers) await hook(receiver.url)
  for (const receiver of receivers) {
    receiver.answer = (_, response) => {
      most = Math.max(most, (busy += 1))
      // A request that was sent concurrently arrives before the database has answered.
      void db.query(sql.unsafe`select`).then(() => {
        busy -= 1
        response.end()
      })
    }
  }
  for (const name of ['a', 'b', 'c']) await tell(name)
  await settle(serial)
  t.equal(most, 1)
  t.strictSame(
    receivers.map(({ requests }) => requests.length),
    [3, 3, 3, 3],
  )
  for (let index = 0; index < 20; index += 1) await tell(String(index))
  await Promise.all([settle(services), settle(serial), settle(services)])
  t.strictSame(
    receivers.map(({ requests }) => requests.length),
    [23, 23, 23, 23],
  )
})

void t.test('a delivery that is aborted by stopping is released without an attempt', async (t) => {
  await cleared(t)
  const receiver = await startWebhookReceiver(t, SECRET)
  await hook(receiver.url)
  await tell('a')
  const asked = new Promise<void>((resolve) => (receiver.answer = () => resolve()))
  const dispatch = dispatchOf(services)
  await asked
  await dispatch.stop()
  t.match(await logged(), [{ status: 'pending', attempts: 0 }])
  restoreResponses(receiver)
  await settle()
  t.strictSame(heard(receiver), ['a'], 'and sent immediately after the next start')
})

void t.test(
  'after a kill during delivery nothing is lost, and only the deliveries in progress are sent again',
  async (t) => {
    await cleared(t)
    const receiver = await startWebhookReceiver(t, SECRET)
    await hook(receiver.url)
    // The other process uses the real clock.
    clock.advance((Date.now() - clock.now().getTime()) / 1000)
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    for (const name of names) await tell(name)
    const take = receiver.answer
    const inHand = new Promise<void>((resolve) => {
      receiver.answer = (_, response) => {
        if (receiver.requests.length <= 5) return void response.end()
        resolve()
      }
    })
    const from = (path: string): string => JSON.stringify(join(ROOT, 'src/core', path))
    const script = `
    const { loadConfig } = await import(${from('platform/config/index.ts')})
    const { createLogger } = await import(${from('platform/logging/index.ts')})
    const { createServices } = await import(${from('services.ts')})
    const { startDeliveryDispatch } = await import(${from('outbox/index.ts')})
    const { sendWebhook } = await import(${from('webhooks/index.ts')})
    const config = loadConfig({ dataDirectory: ${JSON.stringify(reachableDirectory(t))} })
    const log = await createLogger(config, { level: 'critical' })
    const services = await createServices({ config, log })
    startDeliveryDispatch(services, { webhook: (delivery, signal) => sendWebhook(services, delivery, signal) })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    })
    t.teardown(() => child.kill('SIGKILL'))
    await inHand
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const [ids, seen] = [new Set<unknown>(), receiver.requests.map(({ raw }) => JSON.parse(String(raw))['id'])]
    receiver.answer = take
    clock.advance((Date.now() - clock.now().getTime()) / 1000 + 60)
    await settle()
    const sent = receiver.requests.map(({ raw }) => JSON.parse(String(raw)))
    for (const { id } of sent) ids.add(id)
    t.equal(ids.size, names.length)
    t.equal(sent.length, names.length + 1)
    t.equal(sent[6]?.['id'], seen[5], 'the one in hand, with the same id')
    t.strictSame([...new Set(sent.map(({ payload }) => payload.media_item_id))], names)
    t.strictSame(new Set((await logged()).map(({ status }) => status)), new Set(['success']))
  },
)

void t.test('the log is kept for 30 days, up to a maximum per target', async (t) => {
  await cleared(t)
  const receiver = await startWebhookReceiver(t, SECRET)
  await hook(receiver.url)
  for (const name of ['a', 'b', 'c']) await tell(name)
  await settle()
  clock.advance(31 * 24 * 3600)
  for (const name of ['d', 'e', 'f']) await tell(name)
  const before = new Date(clock.now().getTime() - 30 * 24 * 3_600_000)
  await deleteOldDeliveries(db, { before, kept: 10 })
  t.equal((await logged()).length, 3)
  await settle()
  await deleteOldDeliveries(db, { before, kept: 2 })
  t.strictSame(await db.anyFirst(sql.unsafe`select facts ->> 'libraryName' from deliveries order by position`), [
    'e',
    'f',
  ])
})
