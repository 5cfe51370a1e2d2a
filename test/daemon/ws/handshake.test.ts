import net from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { disableAccount } from '../../../src/core/accounts/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { isAllowedOrigin } from '../../../src/daemon/ws/origin.ts'
import { parseUpgradeTarget } from '../../../src/daemon/ws/upgrade-url.ts'
import { startSocketServer } from '../../../src/daemon/ws/server.ts'
import { startApp } from '../../support/app.ts'
import { dial, Refused, startSockets, type Dial } from '../../support/sockets.ts'

const environment = { RATE_LIMIT_WS_CONNECT_MAX: '1000' }
const app = await startSockets(t, { environment })
const { token, account } = await app.registerUser()
const httpUrl = app.baseUrl.replace('http:', 'ws:')

const bearer = { headers: { authorization: `Bearer ${token}` } }

/** The refusal of a handshake; fails if it was accepted. */
async function refusal(url: string, wish: Dial = {}): Promise<Refused> {
  try {
    await dial(url, wish)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
  throw new Error(`${url} was let in`)
}

const FORMS: [claim: string, url: string, wish: Dial, room: string | null, protocol: string][] = [
  ['web', `${app.socketUrl}?token=${token}&room=r%201`, {}, 'r 1', ''],
  ['roku', `${app.socketUrl}/syncplay`, { protocols: ['bearer', token] }, null, 'bearer'],
  ['a header', `${app.socketUrl}/`, bearer, null, ''],
  ['console', `${httpUrl}/api/v1/syncplay/living%20room?token=${token}`, {}, 'living room', ''],
  ['the same on the other port', `${app.socketUrl}/api/v1/syncplay/x?token=${token}`, {}, 'x', ''],
  ['a header beside an old token', `${app.socketUrl}/?token=old`, bearer, null, ''],
]

for (const [claim, url, wish, room, protocol] of FORMS) {
  void t.test(`a handshake as clients write it is let in: ${claim}`, async (t) => {
    const client = await dial(url, wish)
    t.match(await client.next('connected'), {
      data: { connection_id: /^[0-9a-f-]{36}$/, user_id: account.id, username: 'user', room },
      timestamp: app.clock.unixSeconds(),
    })
    t.equal(client.socket.protocol, protocol)
    t.equal(client.socket.extensions, '', 'nothing is compressed')
    client.socket.close()
  })
}

void t.test('without a good access token a handshake is refused with 401 before the upgrade (WS-01)', async (t) => {
  const expired = await app.signIn(account.id)
  const now = app.clock.now()
  const refresh = app.tokens.issueRefresh({
    accountId: account.id,
    jti: 'x',
    issuedAt: now,
    expiresAt: new Date(now.getTime() + 9e6),
  })
  const nobody = app.tokens.issueAccess({
    accountId: '00000000-0000-4000-8000-000000000000',
    sessionId: '00000000-0000-4000-8000-000000000000',
    profileId: '00000000-0000-4000-8000-000000000000',
    epoch: 0,
  })
  const cases: [claim: string, query: string, wish?: Dial][] = [
    ['none', ''],
    ['nonsense', '?token=a.b.c'],
    ['two', `?token=${token}&token=${token}`],
    ['a refresh token', `?token=${refresh}`],
    ['unknown', `?token=${nobody}`],
    ['a subprotocol without token', '', { protocols: ['bearer'] }],
    ['another subprotocol', '', { protocols: ['chat', token] }],
    ['another scheme', `?token=${token}`, { headers: { authorization: 'Basic eDp5' } }],
    ['a cookie', '', { headers: { cookie: `phlix_session=${token}` } }],
  ]
  for (const [claim, query, wish] of cases) {
    for (const url of [`${app.socketUrl}/${query}`, `${httpUrl}/api/v1/syncplay/x${query}`]) {
      const { status, text, headers } = await refusal(url, wish)
      t.equal(status, 401, claim)
      t.strictSame(JSON.parse(text), { error: 'Unauthorized', code: 'auth.required' })
      t.match(headers, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    }
  }
  app.clock.advance(3600)
  t.equal((await refusal(`${app.socketUrl}?token=${expired}`)).status, 401, 'expired')
  app.clock.advance(-3600)
})

void t.test('tokens are in no log line, whether let in or refused (WS-01, LG-01)', async (t) => {
  let lines = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines += String(chunk)
      done()
    },
  })
  const log = await createLogger(app.services.config, { level: 'debug', destination })
  const other = await startApp(t, { services: { ...app.services, log } })
  const server = await startSocketServer({ ...app.services, log }, other)
  t.teardown(() => server.close())
  const client = await dial(`ws://127.0.0.1:${server.port}?token=${token}`)
  client.send({ type: 'auth_request', data: { token } })
  await client.next('auth_success')
  await refusal(`ws://127.0.0.1:${server.port}?token=x${token}`)
  await dial(`ws://127.0.0.1:${server.port}`, { protocols: ['bearer', token] })
  await server.close()
  t.match(lines, /"msg":"a WebSocket was refused"/)
  t.match(lines, /"msg":"a WebSocket was opened"[^]*"msg":"a WebSocket was closed"/)
  for (const part of token.split('.')) t.notMatch(lines, part)
})

void t.test('a page of another host is refused with 403, programs send no origin (WS-02)', async (t) => {
  for (const origin of ['http://evil.example', 'null', 'file://', 'https://127.0.0.1.evil.example']) {
    const { status, text } = await refusal(app.socketUrl, { headers: { ...bearer.headers, origin } })
    t.equal(status, 403, origin)
    t.match(JSON.parse(text), { code: 'origin_not_allowed' })
  }
  for (const headers of [bearer.headers, { ...bearer.headers, origin: app.baseUrl }]) {
    ;(await dial(app.socketUrl, { headers })).socket.close()
  }
  const options = { 'server.public_url': 'https://media.example.org' }
  const host = 'inside:8097'
  t.equal(isAllowedOrigin(options, { origin: 'https://media.example.org', host }), true)
  t.equal(isAllowedOrigin(options, { origin: 'http://media.example.org', host }), false)
  t.equal(isAllowedOrigin({ 'server.public_url': undefined }, { origin: 'http://inside:8096', host }), true)
  t.equal(isAllowedOrigin({ 'server.public_url': undefined }, { origin: 'http://a', host: undefined }), false)
  t.equal(isAllowedOrigin({ 'server.public_url': undefined }, { origin: 'http://a', host: '@/?' }), false)
})

void t.test('the 31st handshake in a minute is refused with 429, on both ports together (RL-01, WS-03)', async (t) => {
  const fresh = await startSockets(t)
  const { token } = await fresh.registerUser()
  const other = fresh.baseUrl.replace('http:', 'ws:')
  for (let count = 0; count < 30; count++) {
    const url = count % 2 === 0 ? fresh.socketUrl : `${other}/api/v1/syncplay/x`
    if (count < 10) t.equal((await refusal(url)).status, 401)
    else (await dial(`${url}?token=${token}`)).socket.close()
  }
  for (const url of [fresh.socketUrl, `${other}/api/v1/syncplay/x`]) {
    const { status, text, headers } = await refusal(`${url}?token=${token}`)
    t.equal(status, 429)
    t.strictSame(JSON.parse(text), { error: 'Too Many Requests', code: 'rate_limited' })
    t.equal(headers['retry-after'], '60')
  }
  fresh.clock.advance(60)
  ;(await dial(`${fresh.socketUrl}?token=${token}`)).socket.close()
})

void t.test('a disabled account is refused, and a stopping server refuses all handshakes', async (t) => {
  const fresh = await startSockets(t)
  const admin = await fresh.registerAdmin()
  const user = await fresh.registerUser()
  await disableAccount(fresh.services, { usernameOrEmail: 'user' })
  t.equal((await refusal(`${fresh.socketUrl}?token=${user.token}`)).status, 401)
  fresh.lifecycle.isStopping = true
  const { status, headers, text } = await refusal(`${fresh.socketUrl}?token=${admin.token}`)
  t.strictSame([status, headers['retry-after']], [503, '3'])
  t.match(JSON.parse(text), { code: 'stopping' })
})

void t.test('other requests get 426, and other paths 404', async (t) => {
  const port = app.socketUrl.split(':').at(-1)
  const plain = await fetch(`http://127.0.0.1:${port}/anything`)
  t.equal(plain.status, 426)
  t.equal(plain.headers.get('upgrade'), 'websocket')
  t.match(await plain.json(), { code: 'upgrade_required' })
  t.equal((await refusal(`${app.socketUrl}/admin`, bearer)).status, 404)
  t.equal((await refusal(`${httpUrl}/api/v1/syncplay/a/b`, bearer)).status, 404)
  t.equal((await refusal(`${httpUrl}/api/v1/syncplay/%ff`, bearer)).status, 404)
  t.equal((await refusal(`${httpUrl}/api/v1/media`, bearer)).status, 200, 'any other upgrade is an ordinary request')
  t.equal((await refusal(`${httpUrl}/nowhere`)).status, 404)
})

/** The first line of the server's response to raw bytes. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  socket.write(bytes)
  return (await text(socket)).split('\r\n')[0] ?? ''
}

void t.test('a handshake of another form is answered with an error, never with an upgrade', async (t) => {
  const { port } = app.server
  const start = `GET /?token=${token} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n`
  const [version, key] = ['Sec-WebSocket-Version: 13\r\n', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n']
  const web = 'Upgrade: websocket\r\n'
  t.match(await answerTo(port, `${start}${web}${version}\r\n`), 'HTTP/1.1 400 Bad request', 'without a key')
  t.match(await answerTo(port, `${start}${web}${key}\r\n`), 'HTTP/1.1 400', 'without a version')
  t.match(await answerTo(port, `${start}Upgrade: h2c\r\n${version}${key}\r\n`), 'HTTP/1.1 426')
  t.match(await answerTo(port, `${start.replace('GET', 'POST')}${web}${version}${key}\r\n`), 'HTTP/1.1 400')
  t.match(await answerTo(port, 'nonsense\r\n\r\n'), 'HTTP/1.1 400')
})

void t.test('a room is a short name, in the path or in the query', (t) => {
  const long = 'x'.repeat(200)
  t.match(parseUpgradeTarget({ url: `/?room=${long}` }), { room: long })
  t.equal(parseUpgradeTarget({ url: `/?room=${long}x` }), undefined)
  t.match(parseUpgradeTarget({ url: `/api/v1/syncplay/${'%F0%9F%8E%AC'.repeat(100)}?room=other` }), {
    room: '🎬'.repeat(100),
  })
  t.equal(parseUpgradeTarget({ url: `/api/v1/syncplay/${'%F0%9F%8E%AC'.repeat(101)}` }), undefined)
  t.match(parseUpgradeTarget({ url: '/?room=a&room=b' }), { room: null })
  for (const url of [undefined, '', '*', '//', '/api/v1/syncplay/', '/syncplay/x', 'http://x/', '/%2f']) {
    t.equal(parseUpgradeTarget(url === undefined ? {} : { url }), undefined, String(url))
  }
  t.end()
})
