import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import t from 'tap'
import { WebSocket } from 'ws'
import { RELAY_SUBPROTOCOL } from '../../../src/core/relay-protocol/index.ts'
import { movableClock } from '../../support/records.ts'
import { SERVER, USER } from '../../support/relay/fake-directory.ts'
import { ENROLLED } from '../../support/relay/hub-side.ts'
import { ask, openRequest, readAnswer, responseOf } from '../../support/relay/ask.ts'
import { relayPair } from '../../support/relay/relay-pair.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** A home server that answers with its name, and holds the replies of films. */
function origin() {
  const held: ServerResponse[] = []
  const answer = (request: { url?: string | undefined }, reply: ServerResponse): void => {
    if (request.url === '/media/a/stream') {
      reply.writeHead(200, { 'content-length': 8 }).write('half')
      held.push(reply)
    } else reply.end('ok')
  }
  return { answer, held }
}

void t.test('a new tunnel replaces the one before, whose requests finish', async (t) => {
  const { answer, held } = origin()
  const pair = await relayPair(t, { origin: answer })
  const reply = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  const reading = readAnswer(reply)
  const second = await pair.connect()
  t.strictSame(await pair.link.ended, { isDrained: true, reason: 'replaced' })
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
  t.equal(pair.link.requests(), 1, 'the film still comes through the first tunnel')
  held[0]?.end('half')
  t.match(await reading, { isComplete: true, body: Buffer.from('halfhalf') })
  await pair.link.closed
  await waitUntil('one tunnel is left', () => pair.relay.counts().tunnels === 1)
  t.equal(pair.directory.closed.length, 1)
  t.equal(second.socket.readyState, WebSocket.OPEN)
})

void t.test('of many tunnels at the same time one is left, and it works', async (t) => {
  const pair = await relayPair(t, { origin: origin().answer })
  await Promise.all(Array.from({ length: 8 }, () => pair.connect()))
  await waitUntil('one tunnel is left', () => pair.relay.counts().tunnels === 1)
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
  await waitUntil('the ends are stored', () => pair.directory.closed.length === 8)
})

void t.test('a tunnel that another process has replaced drains here', async (t) => {
  const pair = await relayPair(t, { origin: origin().answer })
  const [{ tunnelId } = { tunnelId: '' }] = pair.directory.opened
  pair.directory.emit({ kind: 'tunnel_replaced', serverId: SERVER, tunnelId: 'another' })
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
  pair.directory.emit({ kind: 'tunnel_replaced', serverId: SERVER, tunnelId })
  t.strictSame(await pair.link.ended, { isDrained: true, reason: 'replaced' })
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
})

void t.test('a process whose lease has ended sends its servers away, and keeps what it still holds', async (t) => {
  const pair = await relayPair(t, { origin: origin().answer, relay: { times: { aliveMilliseconds: 20 } } })
  let renewals = 0
  pair.directory.tunnelsAlive = async () => {
    renewals += 1
    return pair.directory.opened.map(({ tunnelId }) => tunnelId)
  }
  await waitUntil('the lease was renewed', () => renewals > 1)
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
  pair.directory.tunnelsAlive = async () => ['another']
  t.strictSame(await pair.link.ended, { isDrained: true, reason: 'stopping' })
  await waitUntil('no tunnel is left', () => pair.relay.counts().tunnels === 0)
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
})

void t.test('a renewal drains the tunnels of older tokens, and no others', async (t) => {
  const pair = await relayPair(t, { origin: origin().answer })
  pair.directory.emit({ kind: 'server_renewed', serverId: SERVER, generation: ENROLLED.generation })
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
  pair.directory.emit({ kind: 'server_renewed', serverId: USER, generation: 9 })
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200, 'another server')
  pair.directory.emit({ kind: 'server_renewed', serverId: SERVER, generation: ENROLLED.generation + 1 })
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
  t.strictSame(await pair.link.ended, { isDrained: true, reason: 'renewed' })
  await waitUntil('no tunnel is left', () => pair.relay.counts().tunnels === 0)
})

void t.test(
  'a tunnel takes no requests after the end of its token and the permitted difference of clocks',
  async (t) => {
    const clock = movableClock()
    const pair = await relayPair(t, { origin: origin().answer, relay: { clock } })
    const secondsLeft = (ENROLLED.expiresAt.getTime() - clock.now().getTime()) / 1000
    clock.advance(secondsLeft + 299)
    t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
    clock.advance(2)
    t.equal((await ask(pair.viewerUrl, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
    t.strictSame(await pair.link.ended, { isDrained: true, reason: 'renewed' })
  },
)

void t.test('the tunnel and the requests of a revoked server end', async (t) => {
  const pair = await relayPair(t, { origin: origin().answer })
  const reply = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  const reading = readAnswer(reply)
  const closed = once(pair.socket, 'close') as Promise<[number, Buffer]>
  pair.directory.emit({ kind: 'server_revoked', serverId: SERVER })
  t.equal((await reading).isComplete, false)
  const [code, reason] = await closed
  t.equal(code, 4403)
  t.equal(String(reason), 'revoked')
  await waitUntil('no tunnel is left', () => pair.relay.counts().tunnels === 0)
})

void t.test('a home server that does not read its close frame is cut off', async (t) => {
  const pair = await relayPair(t, { origin: origin().answer })
  pair.socket.pause()
  pair.directory.emit({ kind: 'server_revoked', serverId: SERVER })
  await waitUntil('no tunnel is left', () => pair.relay.counts().tunnels === 0)
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
})

void t.test('a tunnel that ends cuts its requests off, and those that wait get an error', async (t) => {
  const pair = await relayPair(t, {
    origin: (request, reply) => void (request.url === '/media/a/stream' && reply.writeHead(200).write('half')),
  })
  const reply = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  const waiting = ask(pair.viewerUrl, '/hls/a/seg-1.ts')
  await waitUntil('both requests run', () => pair.link.requests() === 2)
  pair.socket.terminate()
  t.equal((await readAnswer(reply)).isComplete, false)
  t.equal((await waiting).headers['x-code'], 'server.relay_unavailable')
  await waitUntil('no stream is left', () => pair.relay.counts().streams === 0)
})

void t.test(
  'a tunnel that cannot be stored is closed with 1013, and one that ended meanwhile is forgotten',
  async (t) => {
    const pair = await relayPair(t, { origin: origin().answer, isConnected: false })
    pair.directory.onOpened = () => Promise.reject(new Error('no database'))
    const open = (): WebSocket => new WebSocket(`ws://127.0.0.1:${pair.hubPort}/relay/${SERVER}`, RELAY_SUBPROTOCOL)
    const refused = open()
    const [code] = (await once(refused, 'close')) as [number]
    t.equal(code, 1013)
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const { promise: isStoring, resolve: storing } = Promise.withResolvers<void>()
    pair.directory.onOpened = () => {
      storing()
      return gate
    }
    const short = open()
    await Promise.all([isStoring, once(short, 'open')])
    short.terminate()
    await waitUntil('it is gone', () => pair.relay.counts().tunnels === 0)
    openGate()
    await waitUntil('its end is stored', () => pair.directory.closed.length === 1)
    t.equal((await ask(pair.viewerUrl, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
  },
)

void t.test('a home server that sends nothing any more is cut off', async (t) => {
  const times = { intervalMilliseconds: 20, limitMilliseconds: 10 }
  const pair = await relayPair(t, { origin: origin().answer, relay: { times } })
  t.type(await pair.link.ping(), 'number', 'PINGs are answered')
  t.equal((await ask(pair.viewerUrl, '/api/v1/media')).status, 200)
  pair.socket.pause()
  await waitUntil('no tunnel is left', () => pair.relay.counts().tunnels === 0)
})

void t.test('a hub that stops sends its home servers away and lets requests finish', async (t) => {
  const { answer, held } = origin()
  const pair = await relayPair(t, { origin: answer })
  const reply = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  const reading = readAnswer(reply)
  const closing = pair.relay.close()
  t.strictSame(await pair.link.ended, { isDrained: true, reason: 'stopping' })
  held[0]?.end('half')
  t.equal((await reading).isComplete, true)
  await closing
  t.equal(pair.directory.closed.length, 1, 'the end is stored')
})

void t.test('a request above the limit of streams waits until one ends, and no longer than 20 s', async (t) => {
  const { answer, held } = origin()
  const pair = await relayPair(t, { origin: answer, relay: { streamsPerUser: 2 } })
  const one = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  const two = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  const waiting = ask(pair.viewerUrl, '/api/v1/media')
  const left = openRequest(pair.viewerUrl, '/api/v1/media').end()
  await once(left, 'finish')
  left.destroy()
  held[0]?.end('half')
  await readAnswer(one)
  t.equal((await waiting).status, 200)
  const three = await responseOf(openRequest(pair.viewerUrl, '/media/a/stream').end())
  mock.timers.enable({ apis: ['setTimeout'] })
  const refused = ask(pair.viewerUrl, '/api/v1/media')
  await once(pair.hubServer, 'request')
  await new Promise((resolve) => setImmediate(resolve))
  mock.timers.tick(20_001)
  t.equal((await refused).headers['x-code'], 'stream.limit')
  mock.timers.reset()
  for (const reply of [two, three]) reply.destroy()
  await waitUntil('no stream is left', () => pair.relay.counts().streams === 0)
})

void t.test('a bandwidth limit delays whole and streamed replies of one user, and loses nothing', async (t) => {
  let bytes = 300_000
  const pair = await relayPair(t, {
    origin: (_request, reply) => void reply.end(Buffer.alloc(bytes, 7)),
    // Its clock stands still, so that nothing is earned.
    relay: { bytesPerSecondPerUser: 250_000, clock: movableClock() },
  })
  const timers = mock.method(globalThis, 'setTimeout')
  t.teardown(() => mock.restoreAll())
  const delays = (): number[] => timers.mock.calls.map(({ arguments: [, milliseconds = 0] }) => milliseconds)
  const whole = await ask(pair.viewerUrl, '/api/v1/media')
  t.ok(whole.isComplete && whole.body.equals(Buffer.alloc(bytes, 7)))
  t.ok(delays().includes(200), '50,000 bytes above the limit')
  bytes = 25_000
  const before = timers.mock.callCount()
  const streamed = await ask(pair.viewerUrl, '/media/a/stream')
  t.ok(streamed.isComplete && streamed.body.equals(Buffer.alloc(bytes, 7)))
  t.ok(
    delays()
      .slice(before)
      .some((milliseconds) => milliseconds > 200 && milliseconds <= 300),
    'up to 25,000 bytes more',
  )
})
