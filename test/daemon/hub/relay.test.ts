import { once } from 'node:events'
import t from 'tap'
import { WebSocket } from 'ws'
import { pick, scanFilms } from '../../support/app.ts'
import { createAddressReader } from '../../../src/daemon/hooks/client-address.ts'
import { startTestHub } from '../../support/hub.ts'
import { ask } from '../../support/relay/ask.ts'
import { startPairedServer } from '../../support/relay/paired-server.ts'
import { waitUntil } from '../../support/wait-until.ts'

const hub = await startTestHub(t)
const ada = await hub.addUser('ada')
const bob = await hub.addUser('bob')
const home = await startPairedServer(t, hub, ada)
const { services, serverId } = home
const films = await scanFilms(t, services, { 'A film (1999).mp4': 'film-tiny-mp4' })
const token = ada.token

const proxy = (path: string, id = serverId): string => `/api/v1/servers/${id}/proxy${path}`
const REMOTE = '/api/v1/admin/remote/relay'

void t.test('a user of the hub browses the server and reads parts of a film through the relay', async (t) => {
  const list = await hub.ask('GET', proxy(`/api/v1/media?libraryId=${films.library.id}`), { token })
  t.match(list, { status: 200, json: { items: [{ name: 'A film' }] } })
  t.match(list.headers.get('content-security-policy'), /sandbox/)
  t.equal((await hub.ask('GET', proxy('/api/v1/media', serverId.toUpperCase()), { token })).status, 200, 'upper case')
  const detail = await hub.ask('GET', proxy(`/api/v1/media/${films.idOf('A film')}`), { token })
  const { pathname, search } = new URL(String(pick(detail.json, 'stream_url')), 'http://home.invalid')
  const headers = { authorization: `Bearer ${token}`, range: 'bytes=10-19' }
  const part = await ask(hub.url, proxy(pathname + search), { headers })
  const direct = await ask(home.baseUrl, pathname + search, { headers: { range: 'bytes=10-19' } })
  t.match(part, { status: 206, headers: { 'content-length': '10' } })
  t.equal(part.headers['content-range'], direct.headers['content-range'])
  t.ok(part.body.equals(direct.body))
  t.match(await ask(hub.url, proxy(pathname + search), { headers, method: 'HEAD' }), { status: 200, isComplete: true })
})

void t.test('user, server, owner and allowlist are checked in this order', async (t) => {
  const code = async (path: string, who: string | undefined, method = 'GET') => {
    const { status, json } = await hub.ask(method, path, who === undefined ? {} : { token: who })
    return `${status} ${String(pick(json, 'code'))}`
  }
  t.equal(await code(proxy('/api/v1/admin/users'), undefined), '401 auth.required')
  t.equal(
    await code(proxy('/api/v1/admin/users', '0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001'), token),
    '404 server.not_found',
  )
  t.equal(await code(proxy('/api/v1/admin/users'), bob.token), '403 server.not_owned')
  t.equal(await code(proxy('/api/v1/admin/users'), token), '403 proxy.scope_denied')
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST'])
    t.equal(await code(proxy('/hls/a/b'), token, method), '403 proxy.scope_denied', method)
})

void t.test('paths are judged as they were sent', async (t) => {
  const headers = { authorization: `Bearer ${token}` }
  const paths = [
    '/hls/%2e%2e/api/v1/admin/users',
    '/hls/../../api/v1/media',
    '//hls/x',
    '/HLS/x',
    '/media/..;/x',
    '/hls\\x',
  ]
  for (const path of [...paths, '', '/', '/hls/%252e%252e/x', '/http://evil.example/hls/x']) {
    const { status } = await ask(hub.url, proxy(path), { headers })
    t.ok([400, 403, 404].includes(status), `${path}: ${status}`)
  }
  const trace = await ask(hub.url, proxy('/hls/a/b'), { headers, method: 'TRACE' })
  t.equal(trace.status, 403)
  const absolute = await ask(hub.url, `http://evil.example${proxy('/api/v1/media')}`, { headers })
  t.ok([403, 404].includes(absolute.status))
})

void t.test('a body above 1 MiB is refused, and one that is JSON arrives', async (t) => {
  const path = proxy(`/api/v1/media/${films.idOf('A film')}/rating`)
  t.equal((await hub.ask('PUT', path, { token, body: { rating: 4 } })).status, 200)
  t.equal((await hub.ask('PUT', path, { token, body: { rating: 'x'.repeat(1_100_000) } })).status, 413)
  await waitUntil('the refused request holds no stream', () => hub.relay().counts().streams === 0)
})

void t.test(
  'the address of a viewer is known whichever proxies are trusted, and nobody else can name one',
  async (t) => {
    const own = await startTestHub(t)
    const cas = await own.addUser('cas')
    const { app, baseUrl, ...other } = await startPairedServer(t, own, cas, { TRUSTED_PROXIES: '192.0.2.1' })
    const read = createAddressReader(other.services)
    const seen: string[] = []
    app.server.on('request', (raw) => seen.push(read({ raw })))
    const path = `/api/v1/servers/${other.serverId}/proxy/api/v1/libraries`
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    t.equal((await own.ask('GET', path, { token: cas.token, headers })).status, 200)
    t.strictSame(seen.splice(0), ['203.0.113.7'])
    await fetch(`${baseUrl}/healthz`, { headers })
    t.strictSame(seen, ['127.0.0.1'], 'a client of this machine')
  },
)

void t.test('administrators see the tunnel, measure it, and switch it off and on', async (t) => {
  const asAdmin = (method: string, path: string) => home.ask(method, `${REMOTE}${path}`, { token: home.admin.token })
  t.match(await asAdmin('GET', '/status'), {
    json: { connected: true, enrolled: true, disabled: false, takesEffectOnReload: false },
  })
  t.match(await asAdmin('POST', '/ping'), { status: 200, json: { success: true, latencyMs: Number } })
  t.match(await home.ask('GET', '/api/v1/health/relay'), { json: { relay: { connected: true, configured: true } } })
  t.match(await asAdmin('POST', '/disable'), { status: 200, json: { disabled: true } })
  await waitUntil('the tunnel is closed', async () => !(await home.isConnected()))
  t.match(await asAdmin('POST', '/ping'), { status: 409, json: { code: 'relay_not_connected' } })
  await waitUntil('the hub knows it', () => hub.relay().counts().tunnels === 0)
  t.match(await hub.ask('GET', proxy('/api/v1/media'), { token }), {
    status: 503,
    json: { code: 'server.relay_unavailable' },
  })
  t.match(await asAdmin('POST', '/enable'), { status: 200, json: { disabled: false } })
  await waitUntil('the tunnel is open', () => hub.relay().counts().tunnels === 1)
})

void t.test('RE-11: after a restart of the hub the server connects again by itself', async (t) => {
  await hub.down()
  await waitUntil('the server notices', async () => !(await home.isConnected()))
  t.equal((await home.ask('GET', '/api/v1/media', { token: home.admin.token })).status, 200, 'it works without the hub')
  await hub.up()
  await waitUntil('the tunnel is open', () => hub.relay().counts().tunnels === 1)
  t.equal((await hub.ask('GET', proxy('/api/v1/media'), { token })).status, 200)
})

void t.test('handshakes without a valid token or with another protocol are refused', async (t) => {
  const open = (path: string, protocol: string[], headers = {}): WebSocket =>
    new WebSocket(`${hub.tunnelUrl.replace('http', 'ws')}${path}`, protocol, { headers })
  const statusOf = async (socket: WebSocket): Promise<number> => {
    socket.on('error', () => undefined)
    const [, reply] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
    socket.terminate()
    return reply.statusCode
  }
  const jwt = services.hubLink.enrolment.current()?.enrolmentJwt ?? ''
  const authorization = `Bearer ${jwt}`
  t.equal(await statusOf(open(`/relay/${serverId}`, ['relay.h2.v1'])), 401)
  t.equal(await statusOf(open(`/relay/${serverId}`, ['relay.h2.v1'], { authorization: `${authorization}x` })), 401)
  t.equal(await statusOf(open(`/relay/${serverId}`, ['relay.h2.v1'], { authorization: `Bearer ${token}` })), 401)
  const foreign = '0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001'
  t.equal(await statusOf(open(`/relay/${foreign}`, ['relay.h2.v1'], { authorization })), 401)
  t.equal(await statusOf(open('/elsewhere', ['relay.h2.v1'], { authorization })), 404)
  const older = open(`/relay/${serverId}`, [])
  const [code, reason] = (await once(older, 'close')) as [number, Buffer]
  t.equal(code, 4406)
  t.match(String(reason), /relay\.h2\.v1/)
  t.equal((await fetch(`${hub.tunnelUrl}/relay/${serverId}`)).status, 426)
})

void t.test(
  'a token that is used elsewhere takes over only until the server connects again, and is in the audit log',
  async (t) => {
    const before = services.hubLink.enrolment.current()?.enrolmentJwt ?? ''
    const headers = { authorization: `Bearer ${before}` }
    const thief = new WebSocket(`${hub.tunnelUrl.replace('http', 'ws')}/relay/${serverId}`, ['relay.h2.v1'], {
      headers,
    })
    thief.on('error', () => undefined)
    const closed = once(thief, 'close')
    await once(thief, 'open')
    await closed
    await waitUntil('the server has its tunnel again', async () => {
      const { isConnected } = await services.relayLink.report()
      return isConnected && hub.relay().counts().tunnels === 1
    })
    t.equal((await hub.ask('GET', proxy('/api/v1/media'), { token })).status, 200)
    const again = new WebSocket(`${hub.tunnelUrl.replace('http', 'ws')}/relay/${serverId}`, ['relay.h2.v1'], {
      headers,
    })
    again.on('error', () => undefined)
    const [, reply] = (await once(again, 'unexpected-response')) as [unknown, { statusCode: number }]
    t.equal(reply.statusCode, 401, 'the stolen token is worth nothing any more')
    again.terminate()
  },
)

void t.test('a tunnel of a stolen token ends with the renewal of a server that has no tunnel', async (t) => {
  const asAdmin = (path: string) => home.ask('POST', `${REMOTE}${path}`, { token: home.admin.token })
  const tunnels = (): number => hub.relay().counts().tunnels
  t.equal((await asAdmin('/disable')).status, 200)
  await waitUntil('the server has no tunnel', () => tunnels() === 0)
  const headers = { authorization: `Bearer ${services.hubLink.enrolment.current()?.enrolmentJwt ?? ''}` }
  const thief = new WebSocket(`${hub.tunnelUrl.replace('http', 'ws')}/relay/${serverId}`, ['relay.h2.v1'], { headers })
  thief.on('error', () => undefined)
  const closed = once(thief, 'close')
  await once(thief, 'open')
  await waitUntil('the hub has the tunnel', () => tunnels() === 1)
  await services.hubLink.renew()
  await closed
  t.equal((await asAdmin('/enable')).status, 200)
  await waitUntil('the server has its tunnel', async () => tunnels() === 1 && (await home.isConnected()))
})

void t.test('the tunnel of a removed server is closed', async (t) => {
  t.equal((await hub.ask('DELETE', `/api/v1/me/servers/${serverId}`, { token })).status, 204)
  await waitUntil('the tunnel is closed', () => hub.relay().counts().tunnels === 0)
  t.equal((await hub.ask('GET', proxy('/api/v1/media'), { token })).status, 404)
})
