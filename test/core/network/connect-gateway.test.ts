import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t from 'tap'
import { connectGateway } from '../../../src/core/network/index.ts'
import { networkErrors } from '../../../src/core/network/errors.ts'
import { fakeGateway, gatewayServices } from './gateway-setup.ts'

const ADDRESS = '127.7.1.1'
const fake = await fakeGateway(t, ADDRESS)
const services = await gatewayServices(t, ADDRESS)
/** For routers that answer: a slow machine must not look like a silent router. */
const patient = await gatewayServices(t, ADDRESS, {
  firstWaitMilliseconds: 2000,
  searchMilliseconds: 10_000,
  exchangeMilliseconds: 10_000,
  totalMilliseconds: 60_000,
})

t.beforeEach(() => {
  fake.restart()
  Object.assign(fake, { natPmp: 'well', upnp: 'well', isPermanentOnly: false, externalAddress: '81.2.69.160' })
  Object.assign(fake, { entryFault: undefined, hidesDescriptions: false })
  fake.calls.length = 0
})

void t.test('NAT-PMP is preferred to UPnP', async (t) => {
  const client = await connectGateway(patient, 'auto')
  t.match(client, { protocol: 'nat-pmp', gateway: { address: ADDRESS, localAddress: '127.0.0.1' } })
  t.match(await client.readState(), { externalAddress: '81.2.69.160', epochSeconds: Number })
  t.notOk(fake.calls.includes('search'))
})

void t.test('a router without NAT-PMP is used by UPnP', async (t) => {
  fake.natPmp = 'silent'
  const client = await connectGateway(
    {
      ...patient,
      gatewayLimits: { ...services.gatewayLimits!, searchMilliseconds: 10_000, exchangeMilliseconds: 10_000 },
    },
    'auto',
  )
  t.equal(client.protocol, 'upnp')
  t.strictSame(await client.readState(), { externalAddress: '81.2.69.160', epochSeconds: null })
})

for (const protocol of ['nat-pmp', 'upnp'] as const) {
  void t.test(`a port is mapped, renewed and unmapped by ${protocol}`, async (t) => {
    const client = await connectGateway(patient, protocol)
    const request = { internalPort: 8096, externalPort: 18_096, leaseSeconds: 600 }
    const recorded = { ...request, internalAddress: '127.0.0.1' }
    t.match(await client.map(request), { externalPort: 18_096, leaseSeconds: 600 })
    t.match(fake.mappings(), [{ externalPort: 18_096, internalPort: 8096, client: '127.0.0.1', expiresAt: Number }])
    t.match(await client.map(request), { externalPort: 18_096, leaseSeconds: 600 }, 'a renewal')
    t.equal(await client.isMapped(request), true)
    t.equal(fake.mappings().length, 1)
    await client.unmap(recorded)
    t.strictSame(fake.mappings(), [])
    await client.unmap(recorded)
  })
}

void t.test('NAT-PMP gives another port for one that is taken; UPnP reports the conflict', async (t) => {
  fake.occupy(8096)
  const request = { internalPort: 8096, externalPort: 8096, leaseSeconds: 600 }
  t.match(await (await connectGateway(patient, 'nat-pmp')).map(request), { externalPort: 8097 })
  const upnp = await connectGateway(patient, 'upnp')
  await t.rejects(upnp.map(request), { code: 'external_port_taken' })
  t.notOk(fake.calls.includes('AddPortMapping'), 'the entry of another machine is not even tried')
  await upnp.unmap({ ...request, internalAddress: '127.0.0.1' })
  t.ok(
    fake.mappings().some(({ client }) => client === '192.0.2.77'),
    'nor removed',
  )
})

void t.test('a router that knows only mappings without an end gets one (error 725)', async (t) => {
  fake.isPermanentOnly = true
  const client = await connectGateway(patient, 'upnp')
  const request = { internalPort: 8096, externalPort: 8096, leaseSeconds: 600 }
  t.match(await client.map(request), { leaseSeconds: null })
  t.match(fake.mappings(), [{ expiresAt: null }])
})

void t.test('UPnP sees that the router has lost the mapping', async (t) => {
  const client = await connectGateway(patient, 'upnp')
  const request = { internalPort: 8096, externalPort: 8096, leaseSeconds: 600 }
  await client.map(request)
  t.equal(await client.isMapped(request), true)
  fake.restart()
  t.equal(await client.isMapped(request), false)
  fake.occupy(8096)
  t.equal(await client.isMapped(request), false, 'nor is the mapping of another machine its own')
})

void t.test('UPnP leaves an entry that leads here, but that Phlix did not make, as it is', async (t) => {
  const client = await connectGateway(patient, 'upnp')
  const request = { internalPort: 8096, externalPort: 8096, leaseSeconds: 600 }
  for (const description of ['web server', '', 'Phlix of an administrator']) {
    fake.occupy(8096, { client: '127.0.0.1', internalPort: 8096, description })
    await t.rejects(client.map(request), { code: 'external_port_taken', message: /this machine already.*did not make/ })
    if (description !== '') await client.unmap({ ...request, internalAddress: '127.0.0.1' })
    t.match(fake.mappings(), [{ description, expiresAt: null }])
  }
})

void t.test('UPnP renews and removes its mapping also with a router that keeps no descriptions', async (t) => {
  fake.hidesDescriptions = true
  const client = await connectGateway(patient, 'upnp')
  const request = { internalPort: 8096, externalPort: 8096, leaseSeconds: 600 }
  await client.map(request)
  t.equal(await client.isMapped(request), true)
  await client.map({ ...request, isRenewal: true })
  await client.unmap({ ...request, internalAddress: '127.0.0.1' })
  t.strictSame(fake.mappings(), [])
})

void t.test('UPnP removes an entry whose owner the router does not tell only if the mapping has no end', async (t) => {
  const client = await connectGateway(patient, 'upnp')
  fake.entryFault = 501
  fake.occupy(8096)
  const recorded = { internalPort: 8096, externalPort: 8096, internalAddress: '127.0.0.1' }
  await t.rejects(client.unmap({ ...recorded, leaseSeconds: 600 }), {
    code: 'gateway_refused',
    message: /does not tell by UPnP whose port 8096 is/,
  })
  t.match(fake.mappings(), [{ client: '192.0.2.77' }])
  await client.unmap({ ...recorded, leaseSeconds: null })
  t.strictSame(fake.mappings(), [])
})

void t.test('refusals name their reason', async (t) => {
  const request = { internalPort: 8096, externalPort: 8096, leaseSeconds: 600 }
  for (const [fault, code] of [
    [606, 'gateway_refused'],
    [728, 'gateway_refused'],
    [501, 'gateway_refused'],
    [718, 'external_port_taken'],
    [729, 'external_port_taken'],
  ] as const) {
    fake.upnp = { fault }
    const client = await connectGateway(patient, 'upnp')
    await t.rejects(client.map(request), { code }, String(fault))
  }
  fake.natPmp = 2
  await t.rejects(connectGateway(patient, 'nat-pmp'), { code: 'gateway_refused', message: /switched off/ })
  fake.upnp = 'silent'
  await t.rejects(connectGateway(services, 'auto'), { code: 'gateway_refused', message: /switched off/ })
  for (const result of [1, 3, 4, 5, 999]) {
    fake.natPmp = result
    await t.rejects(connectGateway(patient, 'nat-pmp'), { code: 'gateway_refused' }, String(result))
  }
})

void t.test('silent, closed and babbling routers are the same: no gateway answers', async (t) => {
  const silent = { code: networkErrors.gateway_silent.definition.code, kind: 'unavailable' }
  for (const natPmp of ['silent', 'garbage'] as const) {
    Object.assign(fake, { natPmp, upnp: 'silent' })
    await t.rejects(connectGateway(services, 'auto'), { ...silent, message: /neither NAT-PMP nor UPnP/ })
  }
  fake.upnp = 'mute'
  await t.rejects(connectGateway(services, 'upnp'), silent)
  const closed = await gatewayServices(t, '127.7.1.250')
  await t.rejects(connectGateway(closed, 'auto'), silent)
})

void t.test('replies that are hostile or broken are refused, and nobody else is asked', async (t) => {
  for (const upnp of ['garbage', 'huge', 'redirecting', 'entities', 'foreign', 'foreign-control'] as const) {
    fake.upnp = upnp
    const limits = {
      ...services.gatewayLimits!,
      exchangeMilliseconds: 10_000,
      ...(upnp !== 'foreign' && { searchMilliseconds: 10_000 }),
    }
    await t.rejects(
      connectGateway({ ...services, gatewayLimits: limits }, 'upnp'),
      { code: 'gateway_reply_invalid' },
      upnp,
    )
  }
  fake.upnp = 'empty'
  await t.rejects(connectGateway(patient, 'upnp'), { code: 'gateway_refused', message: /no service/ })
})

void t.test('replies of another host to the search are ignored', async (t) => {
  fake.upnp = 'silent'
  const other = createSocket('udp4')
  other.bind(0, '127.7.1.3')
  await once(other, 'listening')
  t.teardown(() => other.close())
  // The router passes the search on, and the other host answers it with the address of the router.
  const forged =
    'HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:device:InternetGatewayDevice:1\r\nLOCATION: http://127.7.1.1:1/\r\n\r\n'
  let count = 0
  fake.onSearch = (port, address) => {
    count += 1
    other.send(forged, port, address)
  }
  t.teardown(() => (fake.onSearch = undefined))
  await t.rejects(connectGateway(services, 'upnp'), { code: 'gateway_silent' })
  t.ok(count > 0)
})
