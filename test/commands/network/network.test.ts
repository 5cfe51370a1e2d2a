import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Value } from 'typebox/value'
import { resultSchema } from '../../../src/commands/_support/schemas/index.ts'
import { testDatabase } from '../../support/database.ts'
import { startFakeGateway } from '../../support/fake-gateway.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const ADDRESS = '127.7.5.1'
const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const fake = await startFakeGateway(ADDRESS)
t.teardown(() => fake.close())
const run = (words: string[], more: Record<string, string> = {}) =>
  runPhlix([...words, '--data-dir', data], { environment: { ...environment, PHLIX_GATEWAY: ADDRESS, ...more } })
const runJson = async (words: string[]): Promise<unknown> => {
  const { stdout } = await run([...words, '--json'])
  const document: unknown = JSON.parse(stdout)
  const schema = resultSchema(words[0] ?? '')
  t.strictSame(schema === undefined ? ['no schema'] : [...Value.Errors(schema, document)], [], words.join(' '))
  return document
}

void t.test('the status without a mapping and without a server', async (t) => {
  t.match(await run(['migrate']), { code: 0 })
  const { code, stdout } = await run(['network:status'])
  t.equal(code, 0)
  t.match(
    stdout,
    /forwarding +off\ngateway +127\.7\.5\.1, this machine is 127\.0\.0\.1\nprotocol +NAT-PMP\nexternal +81\.2\.69\.160\n/,
  )
  t.match(stdout, /mapping +none\nreachable +no: phlix network:forward-port\n$/)
  t.match(await runJson(['network:status']), { enabled: false, server_running: false, mapping: null, reach: 'public' })
})

void t.test('forward-port opens the port, says that it is not encrypted, and stores the settings', async (t) => {
  const { code, stdout, stderr } = await run(['network:forward-port', '--external', '443', '--protocol', 'upnp'])
  t.equal(code, 0, stderr)
  t.match(
    stdout,
    /^Port 443 of 81\.2\.69\.160 is forwarded to 127\.0\.0\.1:8096, until \S+Z; a running server renews it\.\n$/,
  )
  t.match(stderr, /not encrypted/)
  t.match(fake.mappings(), [{ externalPort: 443, internalPort: 8096 }])
  t.match(await run(['config:get', 'network.protocol']), { stdout: 'upnp\n' })
  t.match(await run(['network:status']), {
    code: 0,
    stdout: /forwarding +on\n.*does not run; with it at http:\/\/81\.2\.69\.160:443\n$/s,
  })
  t.match(await runJson(['network:status']), { enabled: true, protocol: 'upnp', mapping: { external_port: 443 } })
  t.match(await runJson(['network:forward-port', '--protocol', 'nat-pmp', '--external', '8443']), {
    enabled: true,
    mapping: { protocol: 'nat-pmp', external_port: 8443, lease_seconds: 3600 },
  })
  t.equal(fake.mappings().length, 1, 'the mapping of the other protocol is removed')
})

void t.test('a port that is taken leaves the former mapping as it was', async (t) => {
  fake.occupy(4433)
  t.match(await run(['network:forward-port', '--external', '4433']), { code: 1, stderr: /external_port_taken/ })
  t.match(
    fake.mappings().filter(({ client }) => client === '127.0.0.1'),
    [{ externalPort: 8443, internalPort: 8096 }],
  )
  t.match(await runJson(['network:status']), { enabled: true, mapping: { external_port: 8443 } })
})

void t.test('the status of a router that has lost the mapping shows none', async (t) => {
  await run(['network:forward-port', '--protocol', 'upnp'])
  fake.restart()
  t.match(await runJson(['network:status']), { mapping: null })
})

void t.test('--remove switches it off; repeated, there is nothing to do', async (t) => {
  await run(['network:forward-port'])
  t.match(await run(['network:forward-port', '--remove']), {
    code: 0,
    stdout: /off; the gateway no longer forwards port 8443/,
  })
  t.strictSame(fake.mappings(), [])
  t.match(await run(['network:forward-port', '--remove']), { code: 0, stdout: /there was no mapping/ })
  t.match(await runJson(['network:forward-port', '--remove']), { enabled: false, mapping: null })
  t.match(await run(['config:get', 'network.forward_port']), { stdout: 'false\n' })
})

void t.test('a router that refuses the removal is 69, with the end of the lease; the switch is off', async (t) => {
  await run(['network:forward-port', '--protocol', 'nat-pmp'])
  fake.natPmp = 2
  const { code, stderr } = await run(['network:forward-port', '--remove'])
  t.equal(code, 69)
  t.match(stderr, /may still forward port 8443 until \S+Z; repeat the command.*gateway_refused/s)
  fake.natPmp = 'well'
  t.match(await run(['config:get', 'network.forward_port']), { stdout: 'false\n' })
  t.match(await run(['network:forward-port', '--remove']), { code: 0, stdout: /no longer forwards port 8443/ })
})

void t.test('--remove in another network says that the port may still be open, and does not forget it', async (t) => {
  const file = join(data, 'port-mapping.json')
  const left = {
    protocol: 'upnp',
    gatewayAddress: '192.0.2.1',
    internalAddress: '192.0.2.20',
    internalPort: 8096,
    externalAddress: null,
    externalPort: 8096,
    leaseSeconds: null,
    openedAt: '2026-03-01T12:00:00.000Z',
    checkedAt: '2026-03-01T12:00:00.000Z',
    epochSeconds: null,
  }
  await writeFile(file, JSON.stringify(left))
  const { code, stderr } = await run(['network:forward-port', '--remove'])
  t.equal(code, 69)
  t.match(stderr, /may still forward port 8096 without an end.*mapping_not_removed.*delete port-mapping\.json/s)
  t.strictSame(JSON.parse(await readFile(file, 'utf8')), left)
  await rm(file)
})

void t.test('an external address that is private or shared is a warning, and a no in the status', async (t) => {
  fake.externalAddress = '192.168.0.5'
  t.match(await run(['network:forward-port']), { code: 0, stderr: /double NAT/ })
  t.match(await run(['network:status']), {
    code: 0,
    stdout: /reachable +no: 192\.168\.0\.5 is a private address.*double NAT/,
  })
  fake.externalAddress = '100.64.0.5'
  t.match(await run(['network:status']), { code: 0, stdout: /reachable +no: .*carrier-grade NAT/ })
  fake.externalAddress = '81.2.69.160'
  await run(['network:forward-port', '--remove'])
})

void t.test('a port that is taken is an error with exit code 1, and changes no setting', async (t) => {
  fake.occupy(4433)
  t.match(await run(['network:forward-port', '--external', '4433']), { code: 1, stderr: /external_port_taken/ })
  t.match(await run(['config:get', 'network.forward_port']), { stdout: 'false\n' })
  t.match(await run(['config:get', 'network.external_port']), { stdout: '8443\n' })
})

void t.test('a closed router is 69, for both commands', async (t) => {
  const closed = { PHLIX_GATEWAY: '127.7.5.250' }
  await run(['config:set', 'network.protocol', 'nat-pmp'])
  t.match(await run(['network:forward-port'], closed), { code: 69, stderr: /gateway_silent/ })
  const { code, stdout } = await run(['network:status', '--json'], closed)
  t.equal(code, 69)
  t.match(JSON.parse(stdout), { gateway: null, problem: /does not answer NAT-PMP/ })
})

void t.test('invalid input and contradictions are 2, an invalid gateway 78', async (t) => {
  t.match(await run(['network:forward-port', '--external', '0']), { code: 2 })
  t.match(await run(['network:forward-port', '--external', '65536']), { code: 2 })
  t.match(await run(['network:forward-port', '--protocol', 'pcp']), { code: 2 })
  t.match(await run(['network:forward-port', '--remove', '--external', '80']), { code: 2 })
  t.match(await run(['network:status'], { PHLIX_GATEWAY: 'router.lan' }), { code: 78, stderr: /IPv4 address/ })
  t.match(await run(['network:forward-port'], { PHLIX_FORWARD_PORT: 'off' }), { code: 1, stderr: /setting_locked/ })
})

void t.test('with server.port 0 the port is known only while the server runs', async (t) => {
  const file = join(data, 'any-port.toml')
  await writeFile(file, '[server]\nport = 0\n')
  t.match(await run(['network:forward-port', '--config', file]), { code: 78, stderr: /internal_port_unknown/ })
  const words = ['network:forward-port', '--config', file]
  t.match(await run(words, { PHLIX_INTERNAL_PORT: '443' }), { code: 0, stdout: /127\.0\.0\.1:443/ })
  await run(['network:forward-port', '--remove'])
})
