import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ask, openRequest, readAnswer, responseOf } from '../../support/relay/ask.ts'
import { relayPair } from '../../support/relay/relay-pair.ts'
import { waitUntil } from '../../support/wait-until.ts'

const MEBIBYTE = 1024 * 1024

type Handle = (request: IncomingMessage, reply: ServerResponse) => void

/** One pair for the file; each test sets what the home server does. */
let handle: Handle = (_request, reply) => void reply.end()
const pair = await relayPair(t, { origin: (request, reply) => handle(request, reply) })
const { viewerUrl, refusals, relay } = pair

/** Nothing of an exchange is left: neither streams nor requests of the home. */
async function isIdle(t: Test): Promise<void> {
  await waitUntil('no stream is left', () => relay.counts().streams === 0 && pair.link.requests() === 0)
  t.equal(relay.counts().tunnels, 1)
}

void t.test(
  'a read is answered by the home server, with the token of the hub and the address of the viewer',
  async (t) => {
    let seen: IncomingMessage | undefined
    handle = (request, reply) => {
      seen = request
      reply.setHeader('set-cookie', 'a=b').setHeader('x-secret', '1').setHeader('etag', '"x"').end('{"a":1}')
    }
    const headers = { authorization: 'Bearer viewer', cookie: 'x', 'x-forwarded-for': '10.0.0.1', range: 'bytes=0-' }
    const answer = await ask(viewerUrl, '/api/v1/media/%31?limit=1&q=%2e%2e', { headers })
    t.match(answer, { status: 200, isComplete: true, headers: { 'content-length': '7', etag: '"x"' } })
    t.equal(answer.headers['set-cookie'], undefined)
    t.equal(answer.headers['x-secret'], undefined)
    t.equal(String(answer.body), '{"a":1}')
    t.equal(seen?.url, '/api/v1/media/1?limit=1&q=%2e%2e')
    t.match(seen?.headers, { 'x-forwarded-for': '203.0.113.9', host: 'relay.invalid', range: 'bytes=0-' })
    t.match(seen?.headers.authorization, /^Bearer minted-/)
    t.equal(seen?.headers.cookie, undefined)
    await isIdle(t)
  },
)

void t.test('RE-04: a part keeps its status, length and range; an unknown length is sent chunked', async (t) => {
  handle = (request, reply) => {
    if (request.url === '/hls/a/unknown') return void reply.write('one', () => reply.end('two'))
    if (request.url === '/media/a/none') return void reply.writeHead(416, { 'content-range': 'bytes */10' }).end()
    reply.writeHead(206, { 'content-length': 5, 'content-range': 'bytes 0-4/10', 'content-type': 'video/mp4' })
    reply.end('12345')
  }
  const part = await ask(viewerUrl, '/media/a/stream')
  t.match(part, { status: 206, headers: { 'content-length': '5', 'content-range': 'bytes 0-4/10' } })
  t.equal(String(part.body), '12345')
  const unknown = await ask(viewerUrl, '/hls/a/unknown')
  t.match(unknown, { status: 200, headers: { 'transfer-encoding': 'chunked' }, isComplete: true })
  t.equal(String(unknown.body), 'onetwo')
  t.match(await ask(viewerUrl, '/media/a/none'), { status: 416, headers: { 'content-range': 'bytes */10' } })
  t.match(await ask(viewerUrl, '/media/a/stream', { method: 'HEAD' }), {
    status: 206,
    headers: { 'content-length': '5' },
    isComplete: true,
  })
  await isIdle(t)
})

void t.test('a write has its body, and is never sent twice', async (t) => {
  const bodies: string[] = []
  handle = (request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(`${request.headers['content-length']} ${Buffer.concat(chunks).toString()}`)
      reply.writeHead(204).end()
    })
  }
  const options = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"rating":5}' }
  t.match(await ask(viewerUrl, '/api/v1/media/1/rating', options), { status: 204 })
  t.match(await ask(viewerUrl, '/api/v1/media/1/rating', { method: 'DELETE' }), { status: 204 })
  t.strictSame(bodies, ['12 {"rating":5}', '0 '])
  await isIdle(t)
})

void t.test('a token that the home server refuses is replaced; a viewer never sees that 401', async (t) => {
  const seen: (string | undefined)[] = []
  let isAccepted = (_count: number): boolean => false
  handle = (request, reply) => {
    seen.push(request.headers.authorization)
    reply.writeHead(isAccepted(seen.length) ? 200 : 401).end()
  }
  isAccepted = (count) => count === 2
  t.equal((await ask(viewerUrl, '/api/v1/media')).status, 200)
  t.equal(seen.length, 2)
  t.not(seen[0], seen[1], 'the repetition has a new token')
  isAccepted = () => false
  t.equal((await ask(viewerUrl, '/media/a/stream')).headers['x-code'], 'gateway.bad_reply')
  t.equal(seen.length, 4)
  const written = await ask(viewerUrl, '/api/v1/media/1/rating', { method: 'DELETE' })
  t.equal(written.headers['x-code'], 'gateway.bad_reply')
  t.equal(seen.length, 5, 'a write is never sent twice')
  await isIdle(t)
})

void t.test('RE-01: nothing outside the allowlist reaches the home server', async (t) => {
  let count = 0
  handle = (_request, reply) => {
    count += 1
    reply.end()
  }
  refusals.length = 0
  const paths = ['/hls/../api/v1/admin', '/hls/%2e%2e/x', '//hls/x', '/HLS/x', '/media/..;/x', '/api/v1/admin/users']
  for (const path of paths) t.equal((await ask(viewerUrl, path)).status, 599, path)
  for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS', 'POST'])
    t.equal((await ask(viewerUrl, '/hls/a/b', { method })).status, 599, method)
  t.strictSame([...new Set(refusals)], ['proxy.scope_denied'])
  t.equal(count, 0)
  await isIdle(t)
})

void t.test('ownership and the tunnel are checked before the path', async (t) => {
  const codeFor = async (state: typeof pair.directory.access) => {
    pair.directory.access = state
    return (await ask(viewerUrl, '/api/v1/admin/users')).headers['x-code']
  }
  t.equal(await codeFor('not_found'), 'server.not_found')
  t.equal(await codeFor('not_owned'), 'server.not_owned')
  t.equal(await codeFor('offline'), 'server.offline')
  t.equal(await codeFor('online'), 'proxy.scope_denied')
  await isIdle(t)
})

void t.test('RE-02: malformed headers of the home server do not reach the viewer', async (t) => {
  const replies = [
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx-a: \u00fc\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx a: b\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Range: nonsense\r\nContent-Length: 2\r\n\r\nok',
    `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(300)}Content-Length: 2\r\n\r\nok`,
    'HTTP/1.1 999 OK\r\nContent-Length: 2\r\n\r\nok',
    'nonsense',
  ]
  for (const reply of replies) {
    handle = (request) => request.socket.end(Buffer.from(reply, 'latin1'))
    const { status, body } = await ask(viewerUrl, '/media/a/stream')
    t.equal(status, 502, reply.slice(0, 60))
    t.equal(body.length, 0)
  }
  await isIdle(t)
})

void t.test('a fixed length that is not reached is seen as broken', async (t) => {
  handle = (request, reply) => {
    reply.writeHead(200, { 'content-length': 1000 })
    reply.write('begin', () => request.socket.destroy())
  }
  const answer = await ask(viewerUrl, '/media/a/stream')
  t.match(answer, { status: 200, isComplete: false })
  await isIdle(t)
})

void t.test('RE-05: without a first byte a segment is given up after 60 s and a film after 30 s', async (t) => {
  for (const [path, milliseconds] of [
    ['/hls/a/seg-1.ts', 60_000],
    ['/media/a/stream', 30_000],
  ] as const) {
    let isCancelled = false
    const arrived = new Promise<ServerResponse>((resolve) => {
      handle = (_request, reply) => {
        reply.once('close', () => (isCancelled = true))
        resolve(reply)
      }
    })
    mock.timers.enable({ apis: ['setTimeout'] })
    const answering = ask(viewerUrl, path)
    const late = await arrived
    mock.timers.tick(milliseconds - 1000)
    mock.timers.tick(500)
    t.equal(refusals.includes('gateway.timeout'), false, `${path} still waits`)
    mock.timers.tick(501)
    const answer = await answering
    mock.timers.reset()
    t.equal(answer.headers['x-code'], 'gateway.timeout', path)
    await waitUntil('the home server stops', () => isCancelled)
    late.end('too late')
    refusals.length = 0
    await isIdle(t)
  }
})

/** Sends an endless film as fast as it is read. @returns the number of bytes that were written so far */
function sendEndlessly(): () => number {
  let sent = 0
  handle = (_request, reply) => {
    const chunk = Buffer.alloc(65_536)
    const write = (): void => {
      while (!reply.destroyed) {
        sent += chunk.length
        if (!reply.write(chunk)) break
      }
      if (!reply.destroyed) reply.once('drain', write)
    }
    write()
  }
  return () => sent
}

/** Waits without timers, which may be mocked, until a number has been the same for a thousand turns of the event loop. */
async function untilStill(read: () => number): Promise<void> {
  let [before, turns] = [read(), 0]
  while (turns < 1000 || before === 0) {
    await turn()
    const now = read()
    turns = now === before ? turns + 1 : 0
    before = now
  }
}

void t.test('RE-06: a body that stalls ends the reply', async (t) => {
  handle = (_request, reply) => {
    reply.writeHead(200, { 'content-length': 1000 })
    reply.write('begin')
  }
  mock.timers.enable({ apis: ['setTimeout'] })
  const reply = await responseOf(openRequest(viewerUrl, '/media/a/stream').end())
  const reading = readAnswer(reply)
  await once(reply, 'data')
  mock.timers.tick(30_001)
  t.match(await reading, { isComplete: false, body: Buffer.from('begin') })
  mock.timers.reset()
  await isIdle(t)
})

void t.test(
  'RE-06: a viewer that reads nothing for half an hour keeps its reply, and the film is not read on',
  async (t) => {
    const sent = sendEndlessly()
    mock.timers.enable({ apis: ['setTimeout'] })
    const reply = await responseOf(openRequest(viewerUrl, '/media/a/stream').end())
    await untilStill(sent)
    mock.timers.tick(30 * 60_000)
    await untilStill(sent)
    const atPause = sent()
    t.ok(atPause < 32 * MEBIBYTE, `${atPause} bytes are in the buffers of six sockets and in the window of the stream`)
    let received = 0
    reply.on('data', (chunk: Buffer) => (received += chunk.length))
    while (received < 64 * MEBIBYTE) await once(reply, 'data')
    t.ok(sent() >= 64 * MEBIBYTE, 'the film goes on')
    mock.timers.reset()
    reply.destroy()
    await isIdle(t)
  },
)

void t.test('RE-07: a viewer that leaves ends the work of the home server, before and during the reply', async (t) => {
  for (const isBegun of [false, true]) {
    let isCancelled = false
    const arrived = new Promise<void>((resolve) => {
      handle = (_request, reply) => {
        reply.once('close', () => (isCancelled = true))
        if (isBegun) reply.write('begin')
        resolve()
      }
    })
    const request = openRequest(viewerUrl, '/hls/a/seg-1.ts').end()
    await arrived
    if (isBegun) await responseOf(request)
    request.destroy()
    await waitUntil('the request of the home server is closed', () => isCancelled)
    await isIdle(t)
  }
})

void t.test('JSON above 8 MiB and bodies above 1 MiB do not pass', async (t) => {
  handle = (_request, reply) => void reply.end(Buffer.alloc(8 * MEBIBYTE + 1))
  t.equal((await ask(viewerUrl, '/api/v1/media')).headers['x-code'], 'gateway.bad_reply')
  handle = (_request, reply) => void reply.end(Buffer.alloc(8 * MEBIBYTE))
  t.equal((await ask(viewerUrl, '/api/v1/media')).body.length, 8 * MEBIBYTE)
  let requests = 0
  handle = (_request, reply) => {
    requests += 1
    reply.end()
  }
  const options = { method: 'POST', body: Buffer.alloc(MEBIBYTE + 1) }
  t.equal((await ask(viewerUrl, '/api/v1/media/1/transcode', options)).status, 413)
  t.equal(requests, 0)
  await isIdle(t)
})

void t.test('the access to a server that ends, ends the requests of the user', async (t) => {
  handle = (_request, reply) => void reply.writeHead(200, { 'content-length': 10 }).write('begin')
  const reply = await responseOf(openRequest(viewerUrl, '/media/a/stream').end())
  const reading = readAnswer(reply)
  const { directory } = pair
  const { serverId } = directory.opened[0] ?? { serverId: '' }
  const mints = directory.mints
  directory.emit({ kind: 'access_revoked', serverId, userId: 'another' })
  t.equal(relay.counts().streams, 1, 'others go on')
  const userId = 'f2d2a7c5-0b6e-4a0c-8d2e-2a9c5c1d0001'
  directory.emit({ kind: 'access_revoked', serverId, userId })
  t.equal((await reading).isComplete, false)
  await isIdle(t)
  handle = (_request, reply) => void reply.end()
  await ask(viewerUrl, '/api/v1/media')
  t.equal(directory.mints, mints + 1, 'and its token is not used again')
})
