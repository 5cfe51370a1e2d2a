import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pick, scanFilms } from '../../support/app.ts'
import { emptyDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestHub, type TestHub } from '../../support/hub.ts'
import { startPhlix, type RunningPhlix } from '../../support/phlix.ts'
import { ask, openRequest, responseOf } from '../../support/relay/ask.ts'
import { startPairedServer } from '../../support/relay/paired-server.ts'
import { waitUntil } from '../../support/wait-until.ts'

const database = await emptyDatabase(t)
const secret = { JWT_SECRET: 'a secret of at least 32 bytes, which all processes of this hub have' }
const peerOptions = async (): Promise<Record<string, string>> => ({
  ...secret,
  PHLIX_HUB_PEER_PORT: String(await freePort()),
})

const [one, two] = await Promise.all([
  startTestHub(t, { database, environment: await peerOptions() }),
  startTestHub(t, { database, environment: await peerOptions() }),
])
const ada = await one.addUser('ada')
const { token } = ada

/** The ports for tunnels, in the order in which a proxy tries them. */
const ports: number[] = [one, two].map(({ tunnelUrl }) => Number(new URL(tunnelUrl).port))

/** What nginx does in front of the ports for tunnels: the first process that takes the connection. */
const proxy = createServer((client) => {
  const attempt = ([port, ...others]: readonly number[]): void => {
    if (port === undefined) return void client.destroy()
    const upstream = connect(port, '127.0.0.1')
    upstream.once('error', () => attempt(others))
    upstream.once('connect', () => joinSockets(client, upstream.removeAllListeners('error')))
  }
  attempt([...ports])
})

function joinSockets(client: Socket, upstream: Socket): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => undefined)
    socket.once('close', () => other.destroy())
    socket.pipe(other)
  }
}

proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
t.teardown(() => proxy.close())
const { port: proxyPort } = proxy.address() as { port: number }
const home = await startPairedServer(t, one, ada, { PHLIX_RELAY_TUNNEL_URL: `http://127.0.0.1:${proxyPort}` })
const films = await scanFilms(t, home.services, { 'A film (1999).mp4': 'film-tiny-mp4' })
const address = (path: string): string => `/api/v1/servers/${home.serverId}/proxy${path}`

/** The process that holds the tunnel, as the directory knows it. */
async function holder(): Promise<string | undefined> {
  const access = await two.services.directory.findServer({ userId: ada.id, serverId: home.serverId })
  return access.state === 'online' ? access.tunnel?.processAddress : undefined
}

const addressOf = ({ services }: TestHub): string =>
  `https://127.0.0.1:${String(services.config.options['hub.peer_port'])}`

void t.test('a viewer of the second process browses and plays from a tunnel of the first one', async (t) => {
  t.equal(await holder(), addressOf(one))
  t.equal(two.relay().counts().tunnels, 0)
  const list = await two.ask('GET', address(`/api/v1/media?libraryId=${films.library.id}`), { token })
  t.match(list, { status: 200, json: { items: [{ name: 'A film' }] } })
  const detail = await two.ask('GET', address(`/api/v1/media/${films.idOf('A film')}`), { token })
  const { pathname, search } = new URL(String(pick(detail.json, 'stream_url')), 'http://home.invalid')
  const headers = { authorization: `Bearer ${token}`, range: 'bytes=10-19' }
  const part = await ask(two.url, address(pathname + search), { headers })
  const direct = await ask(home.baseUrl, pathname + search, { headers: { range: 'bytes=10-19' } })
  t.match(part, { status: 206, headers: { 'content-length': '10' } })
  t.equal(part.headers['content-range'], direct.headers['content-range'])
  t.ok(part.body.equals(direct.body))
  const rating = address(`/api/v1/media/${films.idOf('A film')}/rating`)
  t.equal((await two.ask('PUT', rating, { token, body: { rating: 4 } })).status, 200)
  t.equal((await two.ask('GET', address('/api/v1/admin/users'), { token })).status, 403)
})

void t.test('a request that its viewer leaves ends at home', async (t) => {
  const detail = await two.ask('GET', address(`/api/v1/media/${films.idOf('A film')}`), { token })
  const { pathname, search } = new URL(String(pick(detail.json, 'stream_url')), 'http://home.invalid')
  const request = openRequest(two.url, address(pathname + search), { headers: { authorization: `Bearer ${token}` } })
  await responseOf(request.end())
  request.destroy()
  await waitUntil('nothing is left', async () => {
    const { requests } = await home.services.relayLink.report()
    return requests + one.relay().counts().streams + two.relay().counts().streams === 0
  })
  t.pass()
})

void t.test('a process that stops moves its tunnels to another one', async (t) => {
  await one.down()
  await waitUntil('the tunnel has moved', async () => (await holder()) === addressOf(two))
  t.equal((await two.ask('GET', address('/api/v1/media'), { token })).status, 200)
  await one.up()
  t.equal((await one.ask('GET', address('/api/v1/media'), { token })).status, 200, 'in both directions')
})

/** Starts a further process, and has the server connect to it. */
async function startHolder(t: Test): Promise<HubProcess> {
  const third = await startHubProcess()
  t.teardown(() => third.child.kill('SIGKILL'))
  ports.unshift(third.tunnelPort)
  for (const path of ['disable', 'enable'])
    await home.ask('POST', `/api/v1/admin/remote/relay/${path}`, { token: home.admin.token })
  await waitUntil('the third process has the tunnel', async () => (await holder()) === third.address)
  t.equal((await two.ask('GET', address('/api/v1/media'), { token })).status, 200)
  return third
}

const untilElsewhere = (): Promise<void> =>
  waitUntil('another process has the tunnel', async () => {
    const now = await holder()
    return now === addressOf(one) || now === addressOf(two)
  })

void t.test('a process that is told to stop ends in order after its tunnels have moved', async (t) => {
  const { child, result } = await startHolder(t)
  child.kill('SIGTERM')
  await untilElsewhere()
  t.equal((await two.ask('GET', address('/api/v1/media'), { token })).status, 200)
  t.match(await result, { code: 0 })
})

void t.test('the tunnel of a process that is killed opens at another one', async (t) => {
  const { child, result } = await startHolder(t)
  child.kill('SIGKILL')
  await result
  t.match(await two.ask('GET', address('/api/v1/media'), { token }), { status: /^(?:200|503)$/ }, 'it does not hang')
  await untilElsewhere()
  t.equal((await two.ask('GET', address('/api/v1/media'), { token })).status, 200)
})

void t.test('a process with another secret finds the tunnel, and is refused', async (t) => {
  const foreign = await startTestHub(t, {
    database,
    environment: { ...(await peerOptions()), JWT_SECRET: 'another secret of at least 32 bytes, for this test' },
  })
  const access = await foreign.services.directory.findServer({ userId: ada.id, serverId: home.serverId })
  t.match(access, { state: 'online', tunnel: { processAddress: /^https:/ } })
  const { json } = await foreign.ask('POST', '/api/v1/auth/login', {
    body: { username: 'ada', password: 'correct horse' },
  })
  const answer = await foreign.ask('GET', address('/api/v1/media'), { token: String(pick(json, 'access_token')) })
  t.match(answer, { status: 503, json: { code: 'server.relay_unavailable' } })
})

type HubProcess = RunningPhlix & { tunnelPort: number; address: string }

/** A process of this hub that can be killed. */
async function startHubProcess(): Promise<HubProcess> {
  const tunnelPort = await freePort()
  const environment = await peerOptions()
  const words = ['hub:serve', '--host', '127.0.0.1', '--port', '0', '--json', '--data-dir']
  const running = startPhlix([...words, join(reachableDirectory(t), 'third')], {
    environment: {
      ...database,
      PHLIX_HUB_DATABASE: database['DB_NAME'] ?? '',
      ...environment,
      PHLIX_HUB_TUNNEL_PORT: String(tunnelPort),
    },
  })
  await new Promise<void>((resolve, reject) => {
    let log = ''
    running.child.stderr?.on('data', (text: string) => {
      log += text
      if (log.includes('the hub listens')) resolve()
    })
    void running.result.then(({ stderr }) => reject(new Error(stderr)))
  })
  return { ...running, tunnelPort, address: `https://127.0.0.1:${environment['PHLIX_HUB_PEER_PORT'] ?? ''}` }
}
