import t, { type Test } from 'tap'
import {
  createPortForwarding,
  forwardPort,
  readMappingFile,
  type GatewayLimits,
  type PortForwarding,
} from '../../../src/core/network/index.ts'
import { createLogger, createRecentLines } from '../../../src/core/platform/logging/index.ts'
import { changeSettings } from '../../../src/core/platform/settings/index.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'
import { fakeGateway, SHORT_LIMITS } from './gateway-setup.ts'

const ADDRESS = '127.7.3.1'
const fake = await fakeGateway(t, ADDRESS)
const clock = movableClock()
const services = await testServices(t, { clock, environment: { PHLIX_GATEWAY: ADDRESS } })
const recentLines = createRecentLines()
const log = await createLogger(services.config, { level: 'info', recentLines })
const PATIENT: GatewayLimits = {
  firstWaitMilliseconds: 2000,
  tries: 4,
  searchMilliseconds: 10_000,
  exchangeMilliseconds: 10_000,
  totalMilliseconds: 60_000,
}
/** Short for routers that are made silent. */
const limits = { ...PATIENT }

const messages = (): string[] => recentLines.lines().map((line) => (JSON.parse(line) as { msg: string }).msg)
const FORWARDS = 'the gateway forwards a port to this server'
const FAILED = 'port forwarding failed'
const LOST = 'the gateway has lost the port forwarding; it is opened again'
const ENDED = 'the gateway no longer forwards a port'

/** The messages of the log since the last call. */
let seen = 0
function newMessages(): string[] {
  const all = messages()
  const added = all.slice(seen)
  seen = all.length
  return added
}

function forwardingOf(t: Test): PortForwarding {
  const forwarding = createPortForwarding({ ...services, log, gatewayLimits: limits })
  t.teardown(() => forwarding.stop())
  return forwarding
}

const set = (values: Record<string, unknown>): Promise<void> => changeSettings(services, values)
const mapping = () => readMappingFile(services, clock.now())

t.beforeEach(async () => {
  fake.restart()
  fake.calls.length = 0
  Object.assign(fake, { natPmp: 'well', upnp: 'well', externalAddress: '81.2.69.160', isPermanentOnly: false })
  fake.onCall = undefined
  Object.assign(limits, PATIENT)
  await set({ 'network.forward_port': null, 'network.external_port': null, 'network.protocol': null })
  newMessages()
})

void t.test('nothing is asked of the router while it is off', async (t) => {
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  await forwarding.check()
  t.match(await forwarding.report(), { isEnabled: false, mapping: null, problem: null })
  t.strictSame(fake.calls, [])
  await forwarding.stop()
  t.strictSame(newMessages(), [])
})

void t.test('a start opens the port of the server, a stop removes it; each is one line of the log', async (t) => {
  await set({ 'network.forward_port': true })
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 18_096 })
  await forwarding.check()
  t.match(fake.mappings(), [{ externalPort: 18_096, internalPort: 18_096 }])
  t.match(await forwarding.report(), {
    isEnabled: true,
    reach: 'public',
    problem: null,
    mapping: { protocol: 'nat-pmp' },
  })
  await forwarding.check()
  t.strictSame(newMessages(), [FORWARDS])
  await forwarding.stop()
  await forwarding.stop()
  t.strictSame(fake.mappings(), [])
  t.equal(mapping(), undefined)
  t.strictSame(newMessages(), [ENDED])
})

void t.test('a lease is renewed after half of its time, and only then', async (t) => {
  await set({ 'network.forward_port': true })
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  await forwarding.check()
  const maps = (): number => fake.calls.filter((call) => call === 'map').length
  t.equal(maps(), 1)
  // The router counts real seconds.
  fake.epochOffsetSeconds = 1799
  clock.advance(1799)
  await forwarding.check()
  t.equal(maps(), 1)
  fake.epochOffsetSeconds = 1800
  clock.advance(1)
  await forwarding.check()
  t.equal(maps(), 2)
  fake.epochOffsetSeconds = 0
  t.strictSame(newMessages(), [FORWARDS], 'a renewal is no change')
})

for (const protocol of ['nat-pmp', 'upnp'] as const) {
  void t.test(`a router that was restarted gets the mapping again, with ${protocol}`, async (t) => {
    await set({ 'network.forward_port': true, 'network.protocol': protocol })
    const forwarding = forwardingOf(t)
    forwarding.start({ serverPort: 8096 })
    await forwarding.check()
    fake.restart()
    clock.advance(60)
    await forwarding.check()
    t.match(fake.mappings(), [{ externalPort: 8096 }])
    t.strictSame(newMessages(), [FORWARDS, LOST, FORWARDS])
  })
}

void t.test(
  'a changed external address is one line of the log; double NAT and carrier-grade NAT are named',
  async (t) => {
    await set({ 'network.forward_port': true })
    const forwarding = forwardingOf(t)
    forwarding.start({ serverPort: 8096 })
    await forwarding.check()
    fake.externalAddress = '10.0.0.7'
    await forwarding.check()
    t.match(await forwarding.report(), { reach: 'double_nat', problem: /double NAT/ })
    fake.externalAddress = '100.64.1.1'
    await forwarding.check()
    t.match(await forwarding.report(), { reach: 'carrier_nat', problem: /carrier-grade NAT/ })
    const unreachable = 'the gateway forwards a port, but the Internet does not reach it'
    t.strictSame(newMessages(), [FORWARDS, unreachable, unreachable])
  },
)

void t.test('a silent router is reported once, and tried again', async (t) => {
  Object.assign(limits, SHORT_LIMITS)
  Object.assign(fake, { natPmp: 'silent', upnp: 'silent' })
  await set({ 'network.forward_port': true })
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  await forwarding.check()
  await forwarding.check()
  t.match(await forwarding.report(), { isEnabled: true, mapping: null, problem: /neither NAT-PMP nor UPnP/ })
  t.strictSame(newMessages(), [FAILED])
  Object.assign(limits, PATIENT)
  fake.natPmp = 'well'
  await forwarding.check()
  t.match(await forwarding.report(), { problem: null, mapping: { externalPort: 8096 } })
  t.strictSame(newMessages(), [FORWARDS])
})

void t.test('a router that changes to the other protocol is followed', async (t) => {
  await set({ 'network.forward_port': true })
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  await forwarding.check()
  Object.assign(limits, { ...PATIENT, firstWaitMilliseconds: 20, tries: 2 })
  fake.natPmp = 'silent'
  fake.restart()
  await forwarding.check()
  t.match(await forwarding.report(), { mapping: { protocol: 'upnp', externalPort: 8096 } })
})

void t.test('settings are applied while it runs', async (t) => {
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  await set({ 'network.forward_port': true })
  t.match(await forwarding.report(), { isEnabled: true, mapping: { externalPort: 8096 } })
  await set({ 'network.external_port': 9999 })
  await forwarding.check()
  t.match(fake.mappings(), [{ externalPort: 9999 }])
  t.equal(fake.mappings().length, 1)
  await set({ 'network.forward_port': false })
  t.match(await forwarding.report(), { isEnabled: false, mapping: null })
  t.strictSame(fake.mappings(), [])
})

void t.test('enable opens the port and stores the setting; disable undoes both', async (t) => {
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  t.match(await forwarding.enable(), { isEnabled: true, mapping: { externalPort: 8096 } })
  t.match(await forwarding.report(), { isEnabled: true })
  t.match(await forwarding.disable(), { isEnabled: false, mapping: null, problem: null })
  t.strictSame(fake.mappings(), [])
})

void t.test(
  'an enable that fails changes nothing; a disable of a silent router is off until the lease ends',
  async (t) => {
    const forwarding = forwardingOf(t)
    forwarding.start({ serverPort: 8096 })
    Object.assign(limits, SHORT_LIMITS)
    Object.assign(fake, { natPmp: 'silent', upnp: 'silent' })
    await t.rejects(forwarding.enable(), { code: 'gateway_silent' })
    t.match(await forwarding.report(), { isEnabled: false, mapping: null, problem: null })
    Object.assign(limits, PATIENT)
    fake.natPmp = 'well'
    await forwarding.enable()
    Object.assign(limits, SHORT_LIMITS)
    fake.natPmp = 'silent'
    t.match(await forwarding.disable(), { isEnabled: false, mapping: { externalPort: 8096 }, problem: String })
    Object.assign(limits, PATIENT)
    fake.natPmp = 'well'
    await forwarding.check()
    t.strictSame(fake.mappings(), [], 'the next check removes it')
  },
)

void t.test('the mapping of a killed server is taken over at the next start, or removed if it is off', async (t) => {
  await set({ 'network.forward_port': true, 'network.protocol': 'upnp' })
  fake.isPermanentOnly = true
  const killed = createPortForwarding({ ...services, log, gatewayLimits: limits })
  killed.start({ serverPort: 8096 })
  await killed.check()
  fake.occupy(9000)
  const next = forwardingOf(t)
  next.start({ serverPort: 9000 })
  await next.check()
  t.match(
    fake.mappings().map(({ externalPort }) => externalPort),
    [9000, 9001],
    'the port of the old server is gone',
  )
  await set({ 'network.forward_port': false })
  const last = forwardingOf(t)
  last.start({ serverPort: 9000 })
  await last.check()
  t.match(fake.mappings(), [{ client: '192.0.2.77' }])
  await killed.stop()
})

void t.test('a stop ends a running attempt', async (t) => {
  Object.assign(limits, { ...PATIENT, firstWaitMilliseconds: 60_000 })
  Object.assign(fake, { natPmp: 'silent' })
  await set({ 'network.forward_port': true })
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  const checked = forwarding.check()
  await forwarding.stop()
  await checked
  t.strictSame(newMessages(), [])
})

void t.test('enable has one time limit for all its steps, and for the check that it waits for', async (t) => {
  await set({ 'network.protocol': 'upnp' })
  const forwarding = forwardingOf(t)
  forwarding.start({ serverPort: 8096 })
  await forwarding.enable()
  Object.assign(limits, { ...PATIENT, exchangeMilliseconds: 3_600_000, totalMilliseconds: 300 })
  fake.upnp = 'mute'
  const tooSlow = { code: 'gateway_silent', message: /too slowly/ }
  await t.rejects(forwarding.enable(), tooSlow, 'also the check of an open mapping is limited')
  fake.upnp = 'well'
  Object.assign(limits, PATIENT)
  await forwarding.enable()
  fake.upnp = 'mute'
  Object.assign(limits, { ...PATIENT, exchangeMilliseconds: 3_600_000 })
  const isAsked = new Promise<void>((resolve) => (fake.onCall = () => resolve()))
  const checked = forwarding.check()
  await isAsked
  limits.totalMilliseconds = 300
  await t.rejects(forwarding.enable(), tooSlow, 'a running check does not add its own limit')
  fake.upnp = 'well'
  Object.assign(limits, PATIENT)
  await forwarding.stop()
  await checked
})

void t.test('a command that ends after the grant removes the port again, and stores nothing', async (t) => {
  const ending = new AbortController()
  const isGranted = (): boolean => fake.mappings().length > 0
  fake.onCall = (call) => void (call === 'external' && isGranted() && ending.abort(new Error('the process ends')))
  const command = forwardPort({ ...services, gatewayLimits: limits }, { externalPort: 9443 }, ending.signal)
  await t.rejects(command, { message: 'the process ends' })
  t.strictSame(fake.mappings(), [])
  t.equal(mapping(), undefined)
  t.match(await forwardingOf(t).report(), { isEnabled: false, mapping: null })
})
