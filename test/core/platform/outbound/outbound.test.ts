import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer, isIP, type AddressInfo, type Socket } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import {
  createOutbound,
  type OutboundOptions,
  type OutboundRequest,
  type SentRequest,
} from '../../../../src/core/platform/outbound/index.ts'
import { guardedLookup } from '../../../../src/core/platform/outbound/guarded-lookup.ts'
import { selfSigned } from '../../../support/self-signed.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const text = (body: Uint8Array): string => Buffer.from(body).toString()

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function listen(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function serve(t: Test, answer: Answer): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(answer))}`
}

/** A server that sends these bytes to each client. */
async function serveSocket(t: Test, talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => talk(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function openOutbound(t: Test, input: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({ log, ...input })
  t.teardown(() => outbound.close())
  return outbound
}

function request(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { purpose: 'webhook', url, trust: 'configured', timeoutMilliseconds: 60_000, maximumBytes: 65_536, ...more }
}

void t.test('a request arrives unchanged, and the reply is complete', async (t) => {
  const outbound = openOutbound(t)
  const seen: unknown[] = []
  const origin = await serve(t, (incoming, response) => {
    let body = ''
    incoming.on('data', (chunk) => (body += String(chunk)))
    incoming.on('end', () => {
      seen.push([incoming.method, incoming.url, incoming.headers['x-api-key'], body])
      response.writeHead(201, { 'x-twice': ['a', 'b'], 'content-type': 'application/json' }).end('{"ä":1}')
    })
  })
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    const body = method === 'GET' ? {} : { body: '{"é":2}' }
    const url = `${origin}/base/api?term=a%20b&x=1`
    const reply = await outbound.send(request(url, { method, ...body, headers: { 'x-api-key': 'k' } }))
    t.match(reply, { status: 201, headers: { 'x-twice': 'a, b', 'content-type': 'application/json' } })
    t.equal(text(reply.body), '{"ä":1}')
  }
  t.strictSame(seen, [
    ['GET', '/base/api?term=a%20b&x=1', 'k', ''],
    ['POST', '/base/api?term=a%20b&x=1', 'k', '{"é":2}'],
    ['PUT', '/base/api?term=a%20b&x=1', 'k', '{"é":2}'],
    ['DELETE', '/base/api?term=a%20b&x=1', 'k', '{"é":2}'],
  ])
})

void t.test('each request is reported once with its purpose and its result', async (t) => {
  const outbound = openOutbound(t)
  const sent: SentRequest[] = []
  outbound.listeners.add((one) => sent.push(one))
  const origin = await serve(t, (incoming, response) => {
    if (incoming.url === '/silent') return
    response.writeHead(incoming.url === '/redirect' ? 302 : 503, { location: '/else' }).end('x')
  })
  await outbound.send(request(`${origin}/busy`))
  await outbound.send(request(`${origin}/redirect`, { returnsRedirects: true, purpose: 'bucket' }))
  await t.rejects(outbound.send(request(`${origin}/redirect`)), { code: 'outbound_refused' })
  await t.rejects(outbound.send(request('ftp://example.org')), { code: 'outbound_refused' })
  await t.rejects(outbound.send(request(`${origin}/silent`, { timeoutMilliseconds: 100 })), {
    code: 'outbound_timeout',
  })
  const stop = new AbortController()
  const aborted = outbound.send(request(`${origin}/silent`), stop.signal)
  stop.abort(new Error('left'))
  await t.rejects(aborted, { message: 'left' })
  t.strictSame(
    sent.map(({ purpose, result }) => `${purpose} ${result}`),
    ['webhook 5xx', 'bucket 3xx', 'webhook refused', 'webhook refused', 'webhook failed'],
  )
})

void t.test('an error status is a reply like any other', async (t) => {
  const outbound = openOutbound(t)
  const origin = await serve(t, (incoming, response) =>
    response.writeHead(Number((incoming.url ?? '').slice(1))).end('why'),
  )
  for (const status of [204, 304, 400, 401, 404, 429, 500, 503]) {
    t.equal((await outbound.send(request(`${origin}/${status}`))).status, status)
  }
})

void t.test('a name whose addresses change is checked at each resolution (SS-03)', async (t) => {
  const answers = ['93.184.216.34', '127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1']
  const found = (): Promise<unknown> =>
    new Promise((resolve) => {
      const lookup = guardedLookup('public', (_host, _options, callback) => {
        const address = answers.shift() ?? ''
        callback(null, [{ address, family: isIP(address) }])
      })
      lookup('rebind.test', { all: true }, (error, addresses) => resolve(error ?? addresses))
    })
  t.strictSame(await found(), [{ address: '93.184.216.34', family: 4 }])
  while (answers.length > 0) t.match(await found(), { code: 'outbound_refused' })
})

void t.test('a connection uses the checked address; the name is resolved once (SS-03)', async (t) => {
  const port = Number(new URL(await serve(t, (_incoming, response) => response.end('inside'))).port)
  const answers = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
  const asked: string[] = []
  const outbound = openOutbound(t, {
    resolveName: (host, _options, callback) => {
      asked.push(host)
      callback(null, [{ address: answers.shift() ?? '', family: 4 }])
    },
  })
  const url = `http://rebind.test:${port}/`
  await t.rejects(outbound.send(request(url, { trust: 'public' })), { code: 'outbound_refused' })
  t.equal(text((await outbound.send(request(url))).body), 'inside', 'the administrator may mean it')
  t.strictSame(asked, ['rebind.test', 'rebind.test'])
  await t.rejects(
    outbound.send(request(url, { trust: 'public' })),
    { code: 'outbound_refused' },
    'the connection is not shared',
  )
})

void t.test('forbidden addresses among several are excluded', async (t) => {
  const port = Number(new URL(await serve(t, (_incoming, response) => response.end('ok'))).port)
  const outbound = openOutbound(t, {
    resolveName: (_host, _options, callback) =>
      callback(null, [
        { address: '169.254.169.254', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
  })
  t.equal(text((await outbound.send(request(`http://mixed.test:${port}/`))).body), 'ok')
})

void t.test('localhost under any name is not a public address (SS-01)', async (t) => {
  const outbound = openOutbound(t)
  const port = new URL(await serve(t, (_incoming, response) => response.end('inside'))).port
  // Not every system resolves the name with a trailing dot.
  for (const [host, code] of [
    ['localhost', 'outbound_refused'],
    ['LOCALHOST', 'outbound_refused'],
    ['localhost.', /^outbound_/],
  ]) {
    await t.rejects(outbound.send(request(`http://${host}:${port}/`, { trust: 'public' })), { code }, String(host))
  }
})

void t.test('redirects are not followed, regardless of their target (SS-04)', async (t) => {
  const outbound = openOutbound(t)
  const seen: string[] = []
  const origin = await serve(t, (incoming, response) => {
    seen.push(incoming.url ?? '')
    const [, status, where] = (incoming.url ?? '').split('/', 3)
    response.writeHead(Number(status), { location: decodeURIComponent(where ?? '') }).end('moved')
  })
  for (const status of [300, 301, 302, 303, 307, 308]) {
    for (const where of [origin, '', 'http://169.254.169.254/', 'file:///etc/passwd']) {
      const url = `${origin}/${status}/${encodeURIComponent(where)}`
      await t.rejects(outbound.send(request(url, { method: 'POST', body: 'b' })), { code: 'outbound_refused' })
    }
  }
  t.equal(seen.length, 24, 'each was asked for once')
})

void t.test('a server that never answers, stalls or drips is abandoned at the time limit (SS-05)', async (t) => {
  const outbound = openOutbound(t)
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'
  const talks: [string, (socket: Socket) => void][] = [
    ['silence', () => undefined],
    ['half a head', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')],
    ['half a body', (socket) => socket.write(`${head}half`)],
    ['a drip', (socket) => void socket.write(head, () => drip(socket))],
  ]
  for (const [name, talk] of talks) {
    const url = await serveSocket(t, talk)
    await t.rejects(outbound.send(request(url, { timeoutMilliseconds: 400 })), { code: 'outbound_timeout' }, name)
  }
  const slowNames = openOutbound(t, { resolveName: () => undefined })
  const waiting = slowNames.send(request('http://slow.test/', { timeoutMilliseconds: 300 }))
  await t.rejects(waiting, { code: 'outbound_timeout' }, 'a name service that does not answer')
})

function drip(socket: Socket): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 50)
  socket.once('close', () => clearInterval(timer))
}

void t.test('a reply is read up to the limit and no byte further, for every compression (SS-05)', async (t) => {
  const outbound = openOutbound(t)
  const bomb = Buffer.alloc(16 * 1024 * 1024)
  const bodies: Record<string, [string, Buffer]> = {
    '/gzip': ['gzip', gzipSync(bomb)],
    '/deflate': ['deflate', deflateSync(bomb)],
    '/br': ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  }
  const origin = await serve(t, (incoming, response) => {
    const [encoding, body] = bodies[incoming.url ?? ''] ?? [
      'identity',
      Buffer.alloc(Number(incoming.url?.slice(1)), 'a'),
    ]
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  })
  for (const path of Object.keys(bodies)) {
    await t.rejects(outbound.send(request(origin + path)), { code: 'outbound_too_large' }, path)
  }
  t.equal((await outbound.send(request(`${origin}/65536`))).body.length, 65_536)
  await t.rejects(outbound.send(request(`${origin}/65537`)), { code: 'outbound_too_large' })
  t.equal((await outbound.send(request(`${origin}/0`, { maximumBytes: 0 }))).body.length, 0)
  const endless = await serveSocket(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = (): void => void socket.write('x'.repeat(65_536), (error) => (error ? undefined : more()))
    more()
  })
  await t.rejects(outbound.send(request(endless)), { code: 'outbound_too_large' }, 'a body without end')
  const heads = await serveSocket(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`))
  await t.rejects(outbound.send(request(heads)), { code: 'outbound_too_large' }, 'a megabyte of headers')
})

void t.test('compressed replies are decoded, damaged and unknown encodings are failures (SS-05)', async (t) => {
  const outbound = openOutbound(t)
  const whole = Buffer.from('a text as the body')
  const encoded: Record<string, [string, Buffer]> = {
    '/gzip': ['gzip', gzipSync(whole)],
    '/deflate': ['Deflate', deflateSync(whole)],
    '/br': ['br', brotliCompressSync(whole)],
    '/plain': ['identity', whole],
    '/cut': ['gzip', gzipSync(whole).subarray(0, 15)],
    '/false': ['gzip', whole],
    '/unknown': ['zstd', whole],
    '/twice': ['gzip, gzip', gzipSync(gzipSync(whole))],
  }
  const origin = await serve(t, (incoming, response) => {
    const [encoding, body] = encoded[incoming.url ?? ''] ?? ['', whole]
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  })
  for (const path of ['/gzip', '/deflate', '/br', '/plain']) {
    t.equal(text((await outbound.send(request(origin + path))).body), whole.toString(), path)
  }
  for (const path of ['/cut', '/false', '/unknown', '/twice']) {
    await t.rejects(outbound.send(request(origin + path)), { code: 'outbound_unreachable' }, path)
  }
})

void t.test(
  'refused connections, broken replies and invalid certificates mean an unreachable server (SS-05)',
  async (t) => {
    const outbound = openOutbound(t)
    const midway = await serveSocket(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
    const rubbish = await serveSocket(t, (socket) => socket.end('220 mail.test ESMTP\r\n'))
    const closing = await serveSocket(t, (socket) => socket.destroy())
    const secure = createSecureServer(selfSigned, (_incoming, response) => response.end('never'))
    const port = await listen(t, secure)
    const wrong = [
      midway,
      rubbish,
      closing,
      'http://127.0.0.1:1/',
      `https://127.0.0.1:${port}/`,
      'http://nobody.invalid/',
    ]
    for (const url of wrong) await t.rejects(outbound.send(request(url)), { code: 'outbound_unreachable' }, url)
  },
)

void t.test('a request with a line break in a header is not sent', async (t) => {
  const outbound = openOutbound(t)
  const seen: unknown[] = []
  const origin = await serve(t, (incoming, response) => {
    seen.push(incoming.headers)
    response.end()
  })
  for (const value of ['a\r\nx-forged: 1', 'a\nb', 'a\0b']) {
    const sent = outbound.send(request(origin, { headers: { 'x-api-key': value } }))
    await t.rejects(sent, { code: 'outbound_refused' })
  }
  t.strictSame(seen, [])
})

void t.test('an aborted call throws the signal’s reason', async (t) => {
  const outbound = openOutbound(t)
  const controller = new AbortController()
  const url = await serveSocket(t, () => controller.abort(new Error('the user left')))
  await t.rejects(outbound.send(request(url), controller.signal), { message: 'the user left' })
  await t.rejects(outbound.send(request(url), controller.signal), { message: 'the user left' }, 'before the start')
})

void t.test('closing aborts running requests, is idempotent, and prevents further requests', async (t) => {
  const outbound = openOutbound(t)
  let reached: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => (reached = resolve))
  const url = await serveSocket(t, () => reached())
  const broken = t.rejects(outbound.send(request(url)), { code: 'outbound_unreachable' })
  await arrived
  await outbound.close()
  await broken
  await outbound.close()
  await t.rejects(outbound.send(request(url)), { code: 'outbound_unreachable' })
  const resolving = openOutbound(t, { resolveName: () => void resolving.close() })
  await t.rejects(resolving.send(request('http://slow.test/')), { code: 'outbound_unreachable' }, 'while connecting')
})

void t.test('a thousand requests to a dead server each end with an error, over few connections (SS-06)', async (t) => {
  const outbound = openOutbound(t)
  const open = new Set<Socket>()
  let most = 0
  const server = createSocketServer((socket) => {
    open.add(socket)
    most = Math.max(most, open.size)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const sent = Array.from({ length: 1000 }, () => outbound.send(request(url, { timeoutMilliseconds: 500 })))
  const codes = (await Promise.allSettled(sent)).map((result) => result.status === 'rejected' && result.reason.code)
  t.strictSame(new Set(codes), new Set(['outbound_timeout']))
  t.ok(most <= 16, `at most ${most} concurrent connections`)
})
