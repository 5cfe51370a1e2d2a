import t from 'tap'
import { startFakeGateway, type FakeGateway } from '../support/fake-gateway.ts'
import { networkNamespace, type NetworkNamespace } from '../support/network-namespace.ts'
import { startPhlix, temporaryDataDirectory, type PhlixResult, type RunningPhlix } from '../support/phlix.ts'
import { waitUntil } from '../support/wait-until.ts'

type Network = { data: string; place: NetworkNamespace; fake: FakeGateway }

const PASSWORD = 'correct horse'

function run({ data, place }: Network, words: string[], input = ''): Promise<PhlixResult> {
  return startPhlix([...words, '--data-dir', data], { within: place.within, input }).result
}

async function startServer({ data, place }: Network): Promise<RunningPhlix> {
  const running = startPhlix(['serve', '--data-dir', data, '--json'], { within: place.within })
  let log = ''
  running.child.stderr?.on('data', (text: string) => (log += text))
  await waitUntil('the server listens', () => log.includes('"the daemon listens"'))
  return running
}

void t.test('a server in a network of its own is reached through its router', async (t) => {
  const place = await networkNamespace(t)
  if (place === undefined) return
  const fake = await startFakeGateway(place.gatewayAddress, { hasMulticast: true })
  t.teardown(() => fake.close())
  const network: Network = { data: await temporaryDataDirectory(t), place, fake }
  const base = `http://${place.address}:8096/api/v1`
  const forwarded = [{ externalPort: 8096, internalPort: 8096, client: place.address, expiresAt: Number }]

  await t.test('commands find the router by the default route, also by multicast', async (t) => {
    t.match(await run(network, ['migrate']), { code: 0 })
    t.match(
      await run(
        network,
        ['user:create', 'ann', '--email', 'ann@example.test', '--admin', '--password-stdin'],
        PASSWORD,
      ),
      { code: 0 },
    )
    fake.isMulticastOnly = true
    t.match(await run(network, ['network:forward-port', '--protocol', 'upnp']), {
      code: 0,
      stdout: /8096 of 81\.2\.69\.160/,
    })
    t.match(fake.mappings(), forwarded)
    t.match(await run(network, ['network:forward-port', '--remove']), { code: 0 })
    t.match(await run(network, ['config:unset', 'network.protocol']), { code: 0 })
    t.strictSame(fake.mappings(), [])
  })

  await t.test('enabled over HTTP, the port is open until SIGTERM', async (t) => {
    const server = await startServer(network)
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    const call = async (method: string, path: string, body: object = {}): Promise<Record<string, unknown>> => {
      const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
      const reply = await fetch(`${base}${path}`, { method, headers, ...sent })
      return (await reply.json()) as Record<string, unknown>
    }
    const { access_token: token } = await call('POST', '/auth/login', { email: 'ann@example.test', password: PASSWORD })
    headers['authorization'] = `Bearer ${String(token)}`
    t.match(await call('POST', '/admin/remote/portforward/enable'), {
      enabled: true,
      method: 'nat-pmp',
      externalPort: 8096,
    })
    t.match(fake.mappings(), forwarded)
    t.match(await run(network, ['network:status']), { code: 0, stdout: /reachable +at http:\/\/81\.2\.69\.160:8096/ })
    server.child.kill('SIGTERM')
    t.match(await server.result, { code: 0, stderr: /no longer forwards a port/ })
    t.strictSame(fake.mappings(), [])
  })

  await t.test('a killed server leaves a lease that ends; the next start takes it over', async (t) => {
    const killed = await startServer(network)
    await waitUntil('the port is open', () => fake.mappings().length === 1)
    killed.child.kill('SIGKILL')
    await killed.result
    t.match(fake.mappings(), forwarded)
    const next = await startServer(network)
    await waitUntil('the lease is renewed', () => fake.calls.filter((call) => call === 'map').length === 3)
    next.child.kill('SIGTERM')
    await next.result
    t.strictSame(fake.mappings(), [])
  })
})
