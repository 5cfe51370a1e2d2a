import { once } from 'node:events'
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws'
import { CLIENT_SESSION_OPTIONS, WEB_SOCKET_LIMITS } from '../../../src/core/relay-protocol/index.ts'
import { openHomeSide } from '../../support/relay/home-side.ts'

/** A hub that checks nothing, and a home server that reports what reaches it. */
const seen: IncomingMessage[] = []
const home = await openHomeSide((request, reply) => {
  seen.push(request)
  reply.end('ok')
})
t.teardown(() => home.close())
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...WEB_SOCKET_LIMITS })
await once(server, 'listening')
t.teardown(() => server.close())
const accepted = once(server, 'connection') as Promise<[WebSocket]>
const { link } = await home.connect((server.address() as AddressInfo).port)
const [socket] = await accepted
const session: ClientHttp2Session = connect('http://home', {
  ...CLIENT_SESSION_OPTIONS,
  createConnection: () => createWebSocketStream(socket),
})
t.teardown(() => session.destroy())

/** The status; undefined if the stream was reset without a reply. */
async function send(headers: OutgoingHttpHeaders, body?: Buffer): Promise<number | undefined> {
  const stream = session.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  let status: number | undefined
  stream.on('response', (reply) => (status = reply[':status']))
  stream.on('error', () => undefined).resume()
  await new Promise((resolve) => stream.once('close', resolve))
  return status
}

void t.test('RE-01: the home server checks method and path again', async (t) => {
  const refused = [
    ['GET', '/api/v1/admin/users'],
    ['GET', '/hls/../api/v1/admin/users'],
    ['GET', '/hls/%2e%2e/x'],
    ['GET', '//hls/x'],
    ['PATCH', '/api/v1/media/1/rating'],
    ['OPTIONS', '/hls/a/b'],
    ['POST', '/api/v1/auth/login'],
  ] as const
  for (const [method, path] of refused)
    t.equal(await send({ ':method': method, ':path': path }), 403, `${method} ${path}`)
  for (const path of ['http://evil.example/hls/x', '*', 'hls/a'])
    t.equal(await send({ ':path': path }), undefined, `${path} is no path of HTTP/2`)
  t.equal(seen.length, 0)
})

void t.test('RE-02: malformed requests do not reach the server', async (t) => {
  t.equal(await send({ ':path': '/media/1/stream', 'x-a': 'ü' }), 400)
  t.equal(await send({ ':path': '/media/1/stream' }, Buffer.from('body')), 400)
  const post = { ':method': 'POST', ':path': '/api/v1/media/1/transcode' }
  t.equal(await send(post, Buffer.alloc(1024 * 1024 + 1)), 413)
  t.equal(seen.length, 0)
  t.equal(await send(post, Buffer.alloc(1024)), 200)
  t.match(seen.pop()?.headers, { 'content-length': '1024', 'transfer-encoding': undefined })
})

void t.test('RE-10: a relayed request is never one of the local network', async (t) => {
  t.equal(await send({ ':path': '/media/1/stream', ':authority': 'localhost', 'x-real-ip': '127.0.0.1' }), 200)
  t.match(seen.pop()?.headers, { host: 'relay.invalid', 'x-forwarded-for': '0.0.0.0', 'x-real-ip': undefined })
  t.equal(await send({ ':path': '/media/1/stream', 'x-forwarded-for': '203.0.113.9' }), 200)
  t.match(seen.pop()?.headers, { host: 'relay.invalid', 'x-forwarded-for': '203.0.113.9' })
  t.equal(link.requests(), 0)
})
