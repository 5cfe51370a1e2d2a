import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openPortMapping, removePortMapping } from '../../../src/core/network/change-port-mapping.ts'
import {
  checkPortMapping,
  hasRouterRestarted,
  isLeaseRenewalDue,
  millisecondsUntilCheck,
} from '../../../src/core/network/check-port-mapping.ts'
import {
  leaseEndTime,
  readMappingFile,
  writeMappingFile,
  type PortMapping,
} from '../../../src/core/network/mapping-file.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { fakeGateway, gatewayServices } from './gateway-setup.ts'

const ADDRESS = '127.7.2.1'
const fake = await fakeGateway(t, ADDRESS)
const settings = { externalPort: 0, protocol: 'auto', leaseSeconds: 600 } as const
const limits = {
  firstWaitMilliseconds: 2000,
  searchMilliseconds: 10_000,
  exchangeMilliseconds: 10_000,
  totalMilliseconds: 60_000,
}
const open = { ...(await gatewayServices(t, ADDRESS, limits)), clock: systemClock }
const file = join(open.config.dataDirectory, 'port-mapping.json')

t.beforeEach(() => {
  fake.restart()
  writeMappingFile(open, null)
  Object.assign(fake, { natPmp: 'well', upnp: 'well', isPermanentOnly: false, maximumLeaseSeconds: 86_400 })
  Object.assign(fake, { entryFault: undefined, onCall: undefined })
})

void t.test('the port of the server is asked for; the file has what was granted', async (t) => {
  fake.maximumLeaseSeconds = 120
  const { mapping } = await openPortMapping(open, { settings, internalPort: 8096 })
  t.match(mapping, { protocol: 'nat-pmp', externalAddress: '81.2.69.160', externalPort: 8096, leaseSeconds: 120 })
  t.strictSame(readMappingFile(open, systemClock.now()), mapping)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(await removePortMapping(open), { externalPort: 8096 })
  t.strictSame(fake.mappings(), [])
  t.equal(readMappingFile(open, systemClock.now()), undefined)
  t.equal(await removePortMapping(open), undefined, 'nothing is left to remove')
})

for (const protocol of ['nat-pmp', 'upnp'] as const) {
  void t.test(`a port that is taken is replaced by the next one, with ${protocol}`, async (t) => {
    fake.occupy(8096)
    fake.occupy(8097)
    const { mapping } = await openPortMapping(open, { settings: { ...settings, protocol }, internalPort: 8096 })
    t.equal(mapping.externalPort, 8098)
    const renewed = await openPortMapping(open, { settings: { ...settings, protocol }, internalPort: 8096 })
    t.equal(renewed.mapping.externalPort, 8098, 'a renewal keeps it')
  })

  void t.test(`a chosen port that is taken is an error, with ${protocol}`, async (t) => {
    fake.occupy(443)
    const chosen = { ...settings, protocol, externalPort: 443 }
    await t.rejects(openPortMapping(open, { settings: chosen, internalPort: 8096 }), { code: 'external_port_taken' })
    t.match(fake.mappings(), [{ client: '192.0.2.77' }], 'and nothing else is left mapped')
    t.equal(readMappingFile(open, systemClock.now()), undefined)
  })

  void t.test(`a changed external port replaces the mapping, with ${protocol}`, async (t) => {
    await openPortMapping(open, { settings: { ...settings, protocol }, internalPort: 8096 })
    await openPortMapping(open, { settings: { ...settings, protocol, externalPort: 9000 }, internalPort: 8096 })
    t.match(fake.mappings(), [{ externalPort: 9000, internalPort: 8096 }])
    t.equal(fake.mappings().length, 1)
  })
}

void t.test('ten ports are tried, none above 65535', async (t) => {
  for (let port = 65_530; port <= 65_535; port += 1) fake.occupy(port)
  const upnp = { ...settings, protocol: 'upnp' } as const
  await t.rejects(openPortMapping(open, { settings: upnp, internalPort: 65_530 }), { code: 'external_port_taken' })
})

void t.test('another protocol removes the mapping of the former one', async (t) => {
  await openPortMapping(open, { settings: { ...settings, protocol: 'nat-pmp' }, internalPort: 8096 })
  await openPortMapping(open, { settings: { ...settings, protocol: 'upnp' }, internalPort: 9000 })
  t.match(fake.mappings(), [{ externalPort: 9000, internalPort: 9000 }])
  t.equal(fake.mappings().length, 1)
})

void t.test('a mapping that the router does not remove stays in the file until its lease ends', async (t) => {
  const { mapping } = await openPortMapping(open, { settings, internalPort: 8096 })
  Object.assign(fake, { natPmp: 'silent', upnp: 'silent' })
  const short = { ...(await gatewayServices(t, ADDRESS)), config: open.config, clock: systemClock }
  await t.rejects(removePortMapping(short), { code: 'gateway_silent' })
  t.match(readMappingFile(open, systemClock.now()), { externalPort: 8096 })
  t.equal(readMappingFile(open, new Date(Number(leaseEndTime(mapping)) + 1)), undefined)
})

for (const [protocol, asksForAddress] of [
  ['nat-pmp', 'external'],
  ['upnp', 'GetExternalIPAddress'],
] as const) {
  void t.test(
    `a port is in the file as soon as it is granted, also if the next step is ended, with ${protocol}`,
    async (t) => {
      const ending = new AbortController()
      const isGranted = (): boolean => fake.mappings().length > 0
      fake.onCall = (call) =>
        void (call === asksForAddress && isGranted() && ending.abort(new Error('the process ends')))
      const wanted = { settings: { ...settings, protocol }, internalPort: 8096 }
      await t.rejects(openPortMapping(open, wanted, ending.signal), { message: 'the process ends' })
      t.match(fake.mappings(), [{ externalPort: 8096 }])
      t.match(readMappingFile(open, systemClock.now()), { protocol, externalPort: 8096, externalAddress: null })
      t.match(await removePortMapping(open), { externalPort: 8096 })
      t.strictSame(fake.mappings(), [])
    },
  )
}

void t.test('a port that is granted instead of the chosen one is in the file until it is removed', async (t) => {
  fake.occupy(443)
  const ending = new AbortController()
  fake.onCall = (call) => void (call === 'unmap' && ending.abort(new Error('the process ends')))
  const chosen = { ...settings, protocol: 'nat-pmp', externalPort: 443 } as const
  await t.rejects(openPortMapping(open, { settings: chosen, internalPort: 8096 }, ending.signal), {
    message: 'the process ends',
  })
  t.match(readMappingFile(open, systemClock.now()), { externalPort: 444, internalPort: 8096 })
})

void t.test('after a new own address, UPnP moves the port from the old address to the new one', async (t) => {
  const chosen = { ...settings, protocol: 'upnp', externalPort: 443 } as const
  for (const isPermanentOnly of [false, true]) {
    fake.restart()
    fake.isPermanentOnly = isPermanentOnly
    const { mapping } = await openPortMapping(open, { settings: chosen, internalPort: 8096 })
    for (const entry of fake.mappings()) entry.client = '127.0.0.9'
    writeMappingFile(open, { ...mapping, internalAddress: '127.0.0.9' })
    await openPortMapping(open, { settings: chosen, internalPort: 8096 })
    t.match(fake.mappings(), [{ externalPort: 443, client: '127.0.0.1' }])
    t.equal(fake.mappings().length, 1)
    for (const entry of fake.mappings()) entry.client = '127.0.0.9'
    writeMappingFile(open, { ...mapping, internalAddress: '127.0.0.9' })
    await removePortMapping(open)
    t.strictSame(fake.mappings(), [], 'a removal finds it as well')
  }
})

void t.test(
  'a mapping without an end is not forgotten at another router, one with a lease is left to its end',
  async (t) => {
    fake.isPermanentOnly = true
    const upnp = { settings: { ...settings, protocol: 'upnp' }, internalPort: 8096 } as const
    const { mapping } = await openPortMapping(open, upnp)
    const left = { code: 'mapping_not_removed', message: /127\.7\.2\.9 may still forward port 8096 to 127\.0\.0\.1/ }
    for (const leaseSeconds of [null, 600]) {
      const elsewhere = { ...mapping, gatewayAddress: '127.7.2.9', leaseSeconds }
      writeMappingFile(open, elsewhere)
      await t.rejects(removePortMapping(open), left)
      t.match(readMappingFile(open, systemClock.now()), { gatewayAddress: '127.7.2.9' }, 'the file is kept')
      if (leaseSeconds === null) await t.rejects(openPortMapping(open, upnp), left)
      else await openPortMapping(open, upnp)
      t.match(readMappingFile(open, systemClock.now()), {
        gatewayAddress: leaseSeconds === null ? '127.7.2.9' : ADDRESS,
      })
    }
  },
)

void t.test('a mapping without an end that the router does not remove blocks another one', async (t) => {
  fake.isPermanentOnly = true
  await openPortMapping(open, { settings: { ...settings, protocol: 'upnp' }, internalPort: 8096 })
  fake.upnp = { fault: 606 }
  const next = { settings: { ...settings, protocol: 'nat-pmp' }, internalPort: 9000 } as const
  await t.rejects(openPortMapping(open, next), { code: 'mapping_not_removed', message: /8096.*error 606/ })
  t.match(readMappingFile(open, systemClock.now()), { externalPort: 8096, leaseSeconds: null })
  fake.upnp = 'well'
  await openPortMapping(open, next)
  t.match(fake.mappings(), [{ externalPort: 9000 }])
  t.equal(fake.mappings().length, 1)
})

void t.test('a slow router ends with a clear error after the time limit of all steps', async (t) => {
  fake.upnp = 'mute'
  const slow = await gatewayServices(t, ADDRESS, {
    searchMilliseconds: 10_000,
    exchangeMilliseconds: 60_000,
    totalMilliseconds: 300,
  })
  const opened = openPortMapping(
    { ...slow, clock: systemClock },
    { settings: { ...settings, protocol: 'upnp' }, internalPort: 1 },
  )
  await t.rejects(opened, { code: 'gateway_silent', message: /too slowly/ })
})

void t.test('a file that is not a mapping is as none', (t) => {
  const texts = ['', 'null', '{}', '{"protocol":"upnp"}', '[', '\0'.repeat(100)]
  for (const text of texts) {
    writeFileSync(file, text)
    t.equal(readMappingFile(open, systemClock.now()), undefined, text)
  }
  t.end()
})

void t.test('the count of seconds shows a restart of the router, not a clock that is slightly wrong', async (t) => {
  const at = (seconds: number): Date => new Date(1_800_000_000_000 + seconds * 1000)
  const before = { epochSeconds: 1000, checkedAt: at(0) }
  const seen = (elapsed: number, epochSeconds: number | null): boolean =>
    hasRouterRestarted(before, { epochSeconds, now: at(elapsed) })
  t.equal(seen(60, 1060), false)
  t.equal(seen(80, 1070), false, 'an eighth slower')
  t.equal(seen(80, 1067), true)
  t.equal(seen(60, 3), true)
  t.equal(seen(0, 999), false, 'two seconds of tolerance')
  t.equal(seen(60, null), false)
  t.equal(hasRouterRestarted({ ...before, epochSeconds: null }, { epochSeconds: 3, now: at(60) }), false)
  const { mapping, client } = await openPortMapping(open, { settings, internalPort: 8096 })
  const later: PortMapping = { ...mapping, epochSeconds: 5000 }
  t.equal(await checkPortMapping(open, { mapping: later, client }), 'lost')
  fake.externalAddress = '100.64.0.9'
  t.match(await checkPortMapping(open, { mapping, client }), { externalAddress: '100.64.0.9' })
  t.match(JSON.parse(readFileSync(file, 'utf8')), { externalAddress: '100.64.0.9' }, 'the file has the new address')
  fake.externalAddress = '81.2.69.160'
})

void t.test(
  'a lease is renewed after half of it, at once after the clock was set back, and never without an end',
  (t) => {
    const openedAt = new Date('2026-11-24T12:00:00Z')
    const due = (time: string, leaseSeconds: number | null): boolean =>
      isLeaseRenewalDue({ openedAt, leaseSeconds }, new Date(`2026-11-24T${time}Z`))
    t.equal(due('12:29:59', 3600), false)
    t.equal(due('12:30:00', 3600), true)
    t.equal(due('11:59:59', 3600), true)
    t.equal(due('23:00:00', null), false)
    t.end()
  },
)

void t.test('a renewal that is overdue or has failed is repeated every minute, not every second', (t) => {
  const openedAt = new Date('2026-11-24T12:00:00Z')
  type State = { hasFailed?: boolean; leaseSeconds?: number | null }
  const wait = (time: string, { hasFailed = false, leaseSeconds = 3600 }: State = {}): number =>
    millisecondsUntilCheck({ openedAt, leaseSeconds }, { hasFailed, now: new Date(`2026-11-24T${time}Z`) })
  t.equal(wait('12:00:00'), 60_000)
  t.equal(wait('12:29:30'), 30_000)
  t.equal(wait('12:29:59.999'), 1000)
  t.equal(wait('12:30:00'), 60_000)
  t.equal(wait('12:45:00', { hasFailed: true }), 60_000)
  t.equal(wait('12:29:59', { hasFailed: true }), 60_000)
  t.equal(wait('12:00:00', { leaseSeconds: 4 }), 2000)
  t.equal(wait('12:29:59', { leaseSeconds: null }), 60_000)
  t.equal(millisecondsUntilCheck(undefined, { hasFailed: true, now: openedAt }), 60_000)
  t.end()
})
