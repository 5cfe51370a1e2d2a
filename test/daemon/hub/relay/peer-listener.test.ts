import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import t from 'tap'
import type { PeerKeys } from '../../../../src/core/hub/index.ts'
import { createPeerKeys } from '../../../../src/core/hub/keys/peer-keys.ts'
import { PEER_TLS } from '../../../../src/core/hub-relay/index.ts'
import { ask, openRequest, readAnswer, responseOf } from '../../../support/relay/ask.ts'
import { SERVER, USER } from '../../../support/relay/fake-directory.ts'
import { peerPair } from '../../../support/relay/peer-pair.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const keys = createPeerKeys(randomBytes(32))
const FILM = randomBytes(300_000)

const sendFilm: RequestListener = ({ method, headers }, reply) => {
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? []
  const part = FILM.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
  const range = to === '' ? {} : { 'content-range': `bytes ${from}-${to}/${FILM.length}` }
  reply.writeHead(to === '' ? 200 : 206, { 'content-length': part.length, ...range })
  reply.end(method === 'HEAD' ? undefined : part)
}

/** A home server with a film, whose other replies are held. */
function home() {
  const held: ServerResponse[] = []
  const seen: string[] = []
  const answer: RequestListener = (request, reply) => {
    seen.push(`${request.method ?? ''} ${request.url ?? ''}`)
    if (request.url === '/media/held/stream') {
      reply.writeHead(200, { 'content-length': 8 }).write('half')
      held.push(reply)
    } else if (request.url === '/media/unsized/stream') {
      reply.writeHead(200).write('half')
      held.push(reply)
    } else if (request.url === '/media/film/stream') sendFilm(request, reply)
    else if (request.method === 'PUT') {
      let body = ''
      request.on('data', (piece: Buffer) => (body += String(piece)))
      request.on('end', () => reply.end(`got ${body}`))
    } else if (request.url?.endsWith('/favorite') === true) reply.writeHead(204).end()
    else reply.writeHead(200, { 'content-type': 'application/json', 'x-secret': '1' }).end('[]')
  }
  return { answer, held, seen }
}

void t.test('a viewer of one process reads from a server whose tunnel another process holds', async (t) => {
  const { other } = await peerPair(t, { origin: home().answer, keys })
  const list = await ask(other.url, '/api/v1/media?limit=1')
  t.match(list, { status: 200, body: Buffer.from('[]'), isComplete: true })
  t.equal(list.headers['x-secret'], undefined, 'headers are checked as with one process')
  t.ok((await ask(other.url, '/media/film/stream')).body.equals(FILM))
  const part = await ask(other.url, '/media/film/stream', { headers: { range: 'bytes=1000-200000' } })
  t.match(part, { status: 206, headers: { 'content-range': `bytes 1000-200000/${FILM.length}` }, isComplete: true })
  t.ok(part.body.equals(FILM.subarray(1000, 200_001)))
  const head = await ask(other.url, '/media/film/stream', { method: 'HEAD' })
  t.match(head, { status: 200, headers: { 'content-length': String(FILM.length) }, isComplete: true })
  const body = '{"rating":4}'
  t.match(await ask(other.url, '/api/v1/media/a/rating', { method: 'PUT', body }), { body: Buffer.from(`got ${body}`) })
  t.equal((await ask(other.url, '/api/v1/media/a/favorite', { method: 'POST', body: '{}' })).status, 204)
})

void t.test('what is not on the allowlist does not reach the other process', async (t) => {
  const { answer, seen } = home()
  const { other } = await peerPair(t, { origin: answer, keys })
  t.equal((await ask(other.url, '/api/v1/admin/users')).headers['x-code'], 'proxy.scope_denied')
  t.strictSame(seen, [])
})

void t.test('a viewer who leaves ends the request at the home server', async (t) => {
  const { answer, held } = home()
  const { other, holder } = await peerPair(t, { origin: answer, keys })
  const request = openRequest(other.url, '/media/held/stream').end()
  await responseOf(request)
  request.destroy()
  await waitUntil('the home server notices', () => held[0]?.destroyed === true)
  await waitUntil('nothing is left', () => holder.relay.counts().streams + other.relay.counts().streams === 0)
  t.equal(holder.link.requests(), 0)
})

void t.test('many requests that are left leave nothing', async (t) => {
  const { other, holder } = await peerPair(t, { origin: home().answer, keys })
  for (let round = 0; round < 10; round += 1) {
    const requests = Array.from({ length: 20 }, () => openRequest(other.url, '/media/held/stream').end())
    await Promise.all(requests.map(responseOf))
    for (const request of requests) request.destroy()
  }
  await waitUntil('nothing is left', () => holder.relay.counts().streams + other.relay.counts().streams === 0)
  await waitUntil('nor at home', () => holder.link.requests() === 0)
  t.equal((await ask(other.url, '/api/v1/media')).status, 200)
})

void t.test('a reply that breaks off at home does not seem complete', async (t) => {
  const { answer, held } = home()
  const { other, holder } = await peerPair(t, { origin: answer, keys })
  const open = async () => readAnswer(await responseOf(openRequest(other.url, '/media/unsized/stream').end()))
  const first = open()
  await waitUntil('it has begun', () => held.length === 1)
  held[0]?.destroy()
  t.match(await first, { isComplete: false })
  const second = open()
  await waitUntil('it has begun', () => held.length === 2)
  holder.socket.terminate()
  t.match(await second, { isComplete: false }, 'with the tunnel too')
})

void t.test('a request names the tunnel: one that was replaced is not used, and reads are sent again', async (t) => {
  const { answer, seen } = home()
  const { other, holder, answers } = await peerPair(t, { origin: answer, keys })
  const stale = { ...holder.tunnel(), tunnelId: randomUUID() }
  answers.push(stale)
  t.equal((await ask(other.url, '/api/v1/media')).status, 200, 'a read finds the new one')
  answers.push(stale)
  const written = await ask(other.url, '/api/v1/media/a/favorite', { method: 'POST', body: '{}' })
  t.equal(written.headers['x-code'], 'server.relay_unavailable', 'a write is not repeated')
  answers.push(stale, null)
  t.equal((await ask(other.url, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
  t.strictSame(seen, ['GET /api/v1/media'])
})

void t.test('the limit of a user holds at the process that holds the tunnel', async (t) => {
  const { answer, held } = home()
  const { other, holder } = await peerPair(t, { origin: answer, keys, streamsPerUser: 2 })
  const open = () => openRequest(other.url, '/media/held/stream').end()
  await Promise.all([open(), open()].map(responseOf))
  const third = responseOf(open())
  await waitUntil('the third one has arrived', () => other.relay.counts().streams === 3)
  t.equal(holder.relay.counts().streams, 2)
  held[0]?.end('half')
  t.equal((await third).statusCode, 200, 'it waits for one of them')
})

void t.test('a process that is gone, or has the address of another one, is unavailable', async (t) => {
  const { other, holder, answers } = await peerPair(t, { origin: home().answer, keys })
  const code = async (): Promise<unknown> => (await ask(other.url, '/api/v1/media')).headers['x-code']
  answers.push({ ...holder.tunnel(), processAddress: 'https://127.0.0.1:1' })
  t.equal(await code(), 'server.relay_unavailable', 'nobody listens')
  answers.push({ ...holder.tunnel(), processId: randomUUID() })
  t.equal(await code(), 'server.relay_unavailable', 'the process was started again at the same address')
  answers.push({ ...holder.tunnel(), processAddress: 'http://127.0.0.1:1' })
  t.equal(await code(), 'server.relay_unavailable', 'a process without a port for others')
  t.equal((await ask(other.url, '/api/v1/media')).status, 200)
})

void t.test('a process with another secret is refused, and believes no other', async (t) => {
  const { answer, seen } = home()
  const keysOfOther = createPeerKeys(randomBytes(32))
  const { other } = await peerPair(t, { origin: answer, keys, keysOfOther })
  t.equal((await ask(other.url, '/api/v1/media')).headers['x-code'], 'server.relay_unavailable')
  t.strictSame(seen, [])
})

/** How a foreign process identifies itself. */
type Claim = (own: string) => { psk: Buffer; identity: string }

const foreignKey = randomBytes(32)
const stranger = randomUUID()
const foreigners: Record<string, Claim> = {
  'with a key of its own': (own) => ({ psk: foreignKey, identity: `${stranger} ${own}` }),
  'with the key of another pair': (own) => ({
    psk: keys.of({ from: stranger, to: randomUUID() }),
    identity: `${stranger} ${own}`,
  }),
  'with the key of the other direction': (own) => ({
    psk: keys.of({ from: own, to: stranger }),
    identity: `${stranger} ${own}`,
  }),
  'that names another process': () => {
    const to = randomUUID()
    return { psk: keys.of({ from: stranger, to }), identity: `${stranger} ${to}` }
  },
  'that names no process': () => ({ psk: foreignKey, identity: '' }),
  'with a long identity': (own) => ({ psk: foreignKey, identity: `${stranger} ${own} ${'x'.repeat(20)}` }),
}

/** The result of one request on a connection of its own. */
async function askAsForeigner(url: string, tls: object): Promise<string> {
  const session: ClientHttp2Session = connectHttp2(url, { checkServerIdentity: () => undefined, ...tls })
  const { promise, resolve } = Promise.withResolvers<string>()
  session.once('error', () => resolve('refused'))
  session.once('close', () => resolve('closed'))
  const fields = { 'x-phlix-hub-server': SERVER, 'x-phlix-hub-user': USER }
  const stream = session.request({ ':path': '/api/v1/media', ...fields })
  stream.on('error', () => undefined)
  stream.once('response', () => resolve('answered'))
  stream.once('close', () => resolve('unanswered'))
  const result = await promise
  session.destroy()
  return result
}

for (const [claim, identify] of Object.entries(foreigners)) {
  void t.test(`a foreign process ${claim} is refused in the handshake`, async (t) => {
    const { answer, seen } = home()
    const { holder } = await peerPair(t, { origin: answer, keys })
    const tls = { ...PEER_TLS, pskCallback: () => identify(holder.processId) }
    t.not(await askAsForeigner(holder.address, tls), 'answered')
    t.strictSame(seen, [])
  })
}

void t.test('a client without a key, or without TLS, is refused', async (t) => {
  const { answer, seen } = home()
  const { holder } = await peerPair(t, { origin: answer, keys })
  t.not(await askAsForeigner(holder.address, { rejectUnauthorized: false }), 'answered')
  t.not(await askAsForeigner(holder.address.replace('https', 'http'), {}), 'answered')
  t.strictSame(seen, [])
})

void t.test('a process with the key is answered; each pair and direction has a key of its own', async (t) => {
  const { holder } = await peerPair(t, { origin: home().answer, keys })
  const pair = { from: stranger, to: holder.processId }
  const psk = keys.of(pair)
  const tls = { ...PEER_TLS, pskCallback: () => ({ psk, identity: `${pair.from} ${pair.to}` }) }
  t.equal(await askAsForeigner(holder.address, tls), 'unanswered', 'it names no tunnel')
  const own: PeerKeys = createPeerKeys(randomBytes(32))
  const all = [keys.of(pair), keys.of({ from: pair.to, to: pair.from }), own.of(pair), keys.of({ ...pair, to: USER })]
  t.equal(new Set(all.map((key) => key.toString('hex'))).size, all.length)
})
