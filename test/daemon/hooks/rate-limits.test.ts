import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { createSigningServices } from '../../../src/core/services.ts'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { startApp, type Answer, type TestApp } from '../../support/app.ts'
import { breakableDatabase } from '../../support/breakable-database.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const KEY_SET = ['GET', '/.well-known/jwks.json'] as const
const REGISTER = ['POST', '/api/v1/auth/register'] as const

/** Each surface with a cheap request, its status, its limit and its window. */
const SURFACES = [
  [...REGISTER, 422, 5, 600],
  ['POST', '/api/v1/auth/login', 400, 60, 60],
  ['POST', '/api/v1/auth/refresh', 400, 30, 60],
  ['POST', '/api/v1/auth/webauthn/login/options', 400, 10, 60],
  ['POST', '/api/v1/auth/webauthn/login/verify', 400, 10, 60],
  [...KEY_SET, 200, 120, 60],
] as const

async function setUp(t: Test, environment: Record<string, string> = {}) {
  const clock = movableClock()
  return { clock, ...(await startApp(t, { services: await testServices(t, { clock, environment }) })) }
}

/** Statuses of consecutive requests. */
async function statuses(count: number, ask: (index: number) => Promise<Answer>): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < count; index++) seen.push((await ask(index)).status)
  return seen
}

const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status)

/** Registrations with invalid fields, which cost no hash; the headers of each. */
const register = ({ ask }: Pick<TestApp, 'ask'>, count: number, headersOf: (index: number) => Record<string, string>) =>
  statuses(count, (index) => ask(...REGISTER, { body: {}, headers: headersOf(index) }))

void t.test(
  'one request above its limit is 429 with Retry-After, on every surface, until the window ends (RL-01)',
  async (t) => {
    const { ask, clock } = await setUp(t)
    for (const [method, path, status, max, windowSeconds] of SURFACES) {
      const body = method === 'POST' ? { body: {} } : {}
      t.strictSame(await statuses(max, () => ask(method, path, body)), times(max, status), path)
      clock.advance(windowSeconds - 2.5)
      const refused = await ask(method, path, body)
      t.equal(refused.status, 429, path)
      t.equal(refused.text, '{"error":"Too Many Requests","code":"rate_limited"}')
      t.equal(refused.headers.get('retry-after'), '3')
      t.equal(refused.headers.get('content-type'), 'application/json; charset=utf-8')
      clock.advance(2.5)
      t.equal((await ask(method, path, body)).status, status, 'the next window')
    }
  },
)

void t.test('a rate-limited request has no effect, and its body is not read (RL-01)', async (t) => {
  const app = await setUp(t)
  await register(app, 5, () => ({}))
  const body = { username: 'ann', email: 'ann@example.test', password: 'correct horse' }
  t.equal((await app.ask(...REGISTER, { body })).status, 429)
  t.equal(await app.services.db.oneFirst(sql.unsafe`select count(*) from users`), 0)
  t.equal((await app.ask(...REGISTER, { body: '{not json' })).status, 429)
})

void t.test('routes without a surface have no limit', async (t) => {
  const { ask } = await setUp(t)
  t.strictSame(await statuses(130, () => ask('GET', '/healthz')), times(130, 200))
})

void t.test('the options change limit and window (RL-01)', async (t) => {
  const app = await setUp(t, { RATE_LIMIT_REGISTER_MAX: '2', RATE_LIMIT_REGISTER_WINDOW: '7' })
  t.strictSame(await register(app, 3, () => ({})), [422, 422, 429])
  app.clock.advance(7)
  t.strictSame(await register(app, 1, () => ({})), [422])
})

void t.test('an untrusted peer counts as itself, whatever its headers contain (RL-02)', async (t) => {
  const app = await setUp(t, { TRUSTED_PROXIES: '192.0.2.1' })
  const forged = (index: number): Record<string, string> => ({
    'x-forwarded-for': `203.0.113.${index}`,
    forwarded: `for=203.0.113.${index}`,
    'x-real-ip': `203.0.113.${index}`,
    'cf-connecting-ip': `203.0.113.${index}`,
  })
  t.strictSame(await register(app, 6, forged), [...times(5, 403), 429])
})

void t.test('of a trusted peer only X-Forwarded-For is read (RL-02)', async (t) => {
  const app = await setUp(t)
  const others = ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'x-forwarded']
  t.strictSame(await register(app, 6, (index) => ({ [others[index] ?? '']: '203.0.113.1' })), [...times(5, 403), 429])
})

void t.test('behind trusted proxies the right-most hop that is none of them is counted (RL-03)', async (t) => {
  const app = await setUp(t, { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
  const forged = (index: number) => ({ 'x-forwarded-for': `6.6.6.${index}, 1.2.3.4, 10.0.0.5` })
  t.strictSame(await register(app, 6, forged), [...times(5, 403), 429], 'what the client wrote does not count')
  t.strictSame(await register(app, 1, () => ({ 'x-forwarded-for': '1.2.3.4, 1.2.3.5, 10.0.0.5' })), [403])
  t.strictSame(await register(app, 1, () => ({ 'x-forwarded-for': '1.2.3.4' })), [429])
})

void t.test(
  'one client has one key for every spelling of its address; an invalid address counts as the peer (RL-04)',
  async (t) => {
    const app = await setUp(t)
    const forms = ['1.2.3.4', '1.2.3.4:80', '::ffff:1.2.3.4', '[::ffff:1.2.3.4]:9', '::ffff:102:304', '1.2.3.4:81']
    t.strictSame(await register(app, 6, (index) => ({ 'x-forwarded-for': forms[index] ?? '' })), [
      ...times(5, 403),
      429,
    ])
    const broken = ['evil', '', '1.2.3', 'evil:80', '[', `${'1,'.repeat(5000)}x`]
    t.strictSame(await register(app, 6, (index) => ({ 'x-forwarded-for': broken[index] ?? '' })), [
      ...times(5, 403),
      429,
    ])
    const zones = ['fe80::1%eth0', 'fe80::1%eth1', '[fe80::1%lo]:9', 'fe80::1', 'fe80::2', 'fe80::3']
    t.strictSame(await register(app, 6, (index) => ({ 'x-forwarded-for': zones[index] ?? '' })), [
      ...times(5, 403),
      429,
    ])
    const long = await app.ask(...REGISTER, { body: {}, headers: { 'x-forwarded-for': '1.2.3.4,'.repeat(2500) } })
    t.equal(long.status, 431, 'longer than headers may be')
  },
)

void t.test('a thousand addresses inside one /64 are one client (RL-05)', async (t) => {
  const { ask } = await setUp(t)
  const seen = await statuses(1000, (index) =>
    ask(...KEY_SET, { headers: { 'x-forwarded-for': `2001:db8:0:1:${index.toString(16)}::1` } }),
  )
  t.strictSame(seen, [...times(120, 200), ...times(880, 429)])
  t.equal((await ask(...KEY_SET, { headers: { 'x-forwarded-for': '2001:db8:0:2::1' } })).status, 200, 'another /64')
})

void t.test(
  'two processes share the counts of a shared surface, and each has its own of the others (RL-06)',
  async (t) => {
    const first = await setUp(t)
    const { config, log, clock } = first.services
    const services = await createSigningServices({ config, log, clock })
    t.teardown(() => services.close())
    const second = await startApp(t, { services })
    t.strictSame(await register(first, 3, () => ({})), times(3, 422))
    t.strictSame(await register(second, 3, () => ({})), [422, 422, 429])
    t.strictSame(await register(first, 1, () => ({})), [429])
    t.strictSame(await statuses(120, () => first.ask(...KEY_SET)), times(120, 200))
    t.strictSame(await statuses(120, () => second.ask(...KEY_SET)), times(120, 200))
    t.equal((await first.ask(...KEY_SET)).status, 429)
  },
)

void t.test(
  'without a database the shared surfaces and login answer 503, and work again when it is back (RL-08)',
  async (t) => {
    const database = await breakableDatabase(t, await testDatabase(t))
    const services = await testServices(t, { environment: database.environment })
    const { ask } = await startApp(t, { services })
    const login = { body: { username: 'ann', password: 'correct horse' } }
    t.equal((await ask('POST', '/api/v1/auth/login', login)).status, 401)
    await database.stop()
    const [register] = SURFACES
    for (const [method, path] of [register, ...SURFACES.slice(1, 4), ['POST', '/api/v1/auth/login'] as const]) {
      const answer = await ask(method, path, path.endsWith('login') ? login : { body: {} })
      t.match(answer, { status: 503, json: { code: 'database_unavailable' } }, path)
      t.ok(Number(answer.headers.get('retry-after')) >= 1)
    }
    t.equal((await ask(...KEY_SET)).status, 200, 'counters in the process still work')
    t.equal((await ask('GET', '/healthz')).status, 200)
    await database.start()
    t.strictSame(await statuses(6, () => ask(...REGISTER, { body: {} })), [...times(5, 422), 429])
  },
)

void t.test('a clock that is set back an hour blocks no client for longer than one window (RL-09)', async (t) => {
  const app = await setUp(t)
  await register(app, 5, () => ({}))
  app.clock.advance(-3600)
  const refused = await app.ask(...REGISTER, { body: {} })
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), '600')
  app.clock.advance(600)
  t.strictSame(await register(app, 1, () => ({})), [422])
})

void t.test('a route of any surface is counted, on all its methods together (RL-01)', async (t) => {
  const routes: RoutePlugin = (app) => {
    app.route({
      method: ['GET', 'POST'],
      url: '/connect',
      config: { access: 'public', reveals: 'none', surface: 'ws_connect' },
      handler: async () => ({ fine: true }),
    })
  }
  const { ask } = await startApp(t, { routes: [['', routes]] })
  const methods = ['GET', 'POST', 'HEAD']
  const seen = await statuses(31, (index) => ask(methods[index % 3] ?? '', '/connect'))
  t.strictSame(seen, [...times(30, 200), 429])
})

void t.test('changes of profiles and limits are counted by session, and refused ones are not announced', async (t) => {
  const app = await setUp(t, { RATE_LIMIT_LIMIT_CHANGES_MAX: '3', RATE_LIMIT_PROFILE_SWITCH_MAX: '2' })
  const { services, ask } = app
  const [{ account, token }, admin] = [await app.registerUser(), await app.registerAdmin()]
  const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Kim' } })
  const device = await app.signIn(account.id)
  let announced = 0
  services.events.subscribe('account.changed', () => (announced += 1))
  const own = `/api/v1/profiles/${profile.id}`
  const schedule = { start_time: '10:00', end_time: '12:00' }
  const changes = [
    ['PUT', `${own}/stream-limits`, token, { max_concurrent_streams: 2 }],
    ['PUT', own, token, { name: 'Kim too' }],
    ['POST', `${own}/pin`, token, { pin: '1' }],
    ['PUT', `${own}/stream-limits`, token, { max_concurrent_streams: 3 }],
    ['POST', `/api/v1/admin/profiles/${profile.id}/schedules`, admin.token, schedule],
    ['PUT', `/api/v1/admin/users/${account.id}/access`, admin.token, { max_age: 12 }],
    ['PUT', `${own}/stream-limits`, device, { max_concurrent_streams: 3 }],
  ] as const
  const seen: number[] = []
  for (const [method, path, by, body] of changes) seen.push((await ask(method, path, { token: by, body })).status)
  t.strictSame(seen, [200, 200, 400, 429, 201, 200, 200], 'another device at the same address goes on')
  t.equal(announced, 5)
  t.equal((await ask('GET', `${own}/stream-limits`, { token })).status, 200, 'reading is not counted')
  const elsewhere = `/api/v1/profiles/${randomUUID()}/switch`
  t.strictSame(await statuses(3, () => ask('POST', elsewhere, { token, body: {} })), [404, 404, 429])
  t.equal((await ask('POST', elsewhere, { token: device, body: {} })).status, 404)
  t.equal((await ask('PUT', own, { token: device, body: { name: 'Kim' } })).status, 200, 'switches are no changes')
  app.clock.advance(60)
  t.equal((await ask('PUT', `${own}/stream-limits`, { token, body: { max_concurrent_streams: 3 } })).status, 200)
})

void t.test('requests without a session do not use up the changes of those at the same address', async (t) => {
  const { ask, registerUser } = await setUp(t, { RATE_LIMIT_LIMIT_CHANGES_MAX: '1' })
  const { account, token } = await registerUser()
  const path = `/api/v1/profiles/${account.id}`
  t.strictSame(await statuses(3, () => ask('PUT', path, { body: { name: 'Ann' } })), times(3, 401))
  t.equal((await ask('PUT', path, { token, body: { name: 'Ann' } })).status, 200)
})
