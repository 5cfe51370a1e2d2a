import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { disableAccount, enableAccount, setAdministrator } from '../../../../src/core/accounts/index.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createSigningServices, type SigningServices } from '../../../../src/core/services.ts'
import { pick, startApp, type Answer, type TestApp } from '../../../support/app.ts'
import { testDatabase } from '../../../support/database.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { runPhlix } from '../../../support/phlix.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const ADA = { email: 'ada@example.test', username: 'ada', password: 'correct horse' }
const SECRETS = ['kT5v0Qm2xY8sL1pZ7rB4nC6wD9fG3hJ0aE-uIoPq', 'Zp3nR8vK1sX6tB0qW5yM2cL7dF4gH9jA-uEiOaTs']

type Session = { access: string; refresh: string; answer: Answer }

const sessionOf = (answer: Answer): Session => ({
  access: String(pick(answer.json, 'access_token')),
  refresh: String(pick(answer.json, 'refresh_token')),
  answer,
})

/** The calls of a client. */
function clientOf({ ask }: Pick<TestApp, 'ask'>) {
  const refresh = async (token: string) => ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: token } })
  return {
    register: async () => sessionOf(await ask('POST', '/api/v1/auth/register', { body: ADA })),
    logIn: async () => sessionOf(await ask('POST', '/api/v1/auth/login', { body: ADA })),
    refresh,
    refreshOk: async (token: string) => sessionOf(await refresh(token)),
    /** Status of a route for users. */
    me: async (token: string) => (await ask('GET', '/api/v1/auth/me', { token })).status,
  }
}

/** The application with a movable clock and its recorded log. */
async function setUp(t: Test) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const services = await testServices(t, { clock })
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const log = await createLogger(services.config, { level: 'debug', destination: { write } })
  const server = await startApp(t, { services: { ...services, log } })
  return { ...server, clock, lines, client: clientOf(server) }
}

const REFUSED = { error: 'Refresh token is expired or invalid', code: 'invalid_refresh_token' }

void t.test('a used refresh token that comes back ends its whole family, with one warning (JWT-10)', async (t) => {
  const { client, clock, lines } = await setUp(t)
  const first = await client.register()
  const elsewhere = await client.logIn()
  const second = await client.refreshOk(first.refresh)
  t.equal(second.answer.status, 200)
  t.not(second.refresh, first.refresh)
  t.not(second.access, first.access)
  clock.advance(11)
  const again = await client.refresh(first.refresh)
  t.equal(again.status, 401)
  t.strictSame(again.json, REFUSED)
  t.strictSame((await client.refresh(second.refresh)).json, REFUSED, 'the new one is gone with it')
  t.equal((await client.refresh(elsewhere.refresh)).status, 200, 'another session of the same account lives')
  const warnings = lines.filter(({ level }) => level === 'warning')
  t.equal(warnings.length, 1)
  t.match(warnings[0], { accountId: pick(first.answer.json, 'user', 'id'), familyId: /^[0-9a-f-]{36}$/ })
  for (const token of [first, second].flatMap(({ access, refresh }) => [access, refresh])) {
    t.notOk(JSON.stringify(lines).includes(token.split('.')[2] ?? ''), 'no token is in the log')
  }
})

void t.test('twenty refreshes at the same moment answer one successor, of one living family (JWT-11)', async (t) => {
  const { client, clock, services } = await setUp(t)
  const first = await client.register()
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.refresh(first.refresh)))
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
  const successors = new Set(answers.map(({ json }) => pick(json, 'refresh_token')))
  t.equal(successors.size, 1)
  const families = await services.db.any(sql.unsafe`select revoked_at from refresh_families`)
  t.strictSame([...families], [{ revokedAt: null }])
  clock.advance(10)
  const [successor = ''] = successors
  t.equal((await client.refresh(first.refresh)).status, 200, 'the grace of 10 s is inclusive')
  t.equal((await client.refresh(String(successor))).status, 200)
})

/** A server on an existing database and data directory. */
async function startOn(t: Test, place: { dataDirectory: string; environment: Record<string, string> }) {
  const config = loadConfig(place)
  const log = await createLogger(config, { level: 'critical' })
  const services: SigningServices = await createSigningServices({ config, log })
  const server = await startApp(t, { services })
  const stop = async (): Promise<void> => {
    await server.app.close()
    await services.close()
  }
  t.teardown(stop)
  return { ...server, client: clientOf(server), stop }
}

void t.test('another JWT_SECRET after a restart ends all tokens and addresses; a login works (JWT-12)', async (t) => {
  const { environment } = await testDatabase(t)
  const dataDirectory = reachableDirectory(t)
  const before = await startOn(t, { dataDirectory, environment: { ...environment, JWT_SECRET: SECRETS[0] ?? '' } })
  const first = await before.client.register()
  const address = before.services.signer.signUrl('/media/0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11/stream')
  t.equal(await before.client.me(first.access), 200)
  t.equal((await before.ask('GET', address)).status, 404, 'the address is good, the film is not there')
  await before.stop()
  const after = await startOn(t, { dataDirectory, environment: { ...environment, JWT_SECRET: SECRETS[1] ?? '' } })
  t.equal(await after.client.me(first.access), 401)
  t.equal((await after.client.refresh(first.refresh)).status, 401)
  t.equal((await after.ask('GET', address)).status, 403)
  const again = await after.client.logIn()
  t.equal(again.answer.status, 200)
  t.equal(await after.client.me(again.access), 200)
})

void t.test('tokens of the first start ever are good after the second (JWT-14)', async (t) => {
  const { environment } = await testDatabase(t)
  const place = { dataDirectory: reachableDirectory(t), environment }
  const before = await startOn(t, place)
  const first = await before.client.register()
  const address = before.services.signer.signUrl('/media/0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11/stream')
  await before.stop()
  const after = await startOn(t, place)
  t.equal(await after.client.me(first.access), 200)
  t.equal((await after.ask('GET', address)).status, 404)
  t.equal((await after.client.refresh(first.refresh)).status, 200)
})

void t.test('a password reset on the command line ends refreshing and access at once (JWT-15)', async (t) => {
  const { environment } = await testDatabase(t)
  const dataDirectory = reachableDirectory(t)
  const { client } = await startOn(t, { dataDirectory, environment })
  const sessions = [await client.register(), await client.logIn()]
  const words = ['user:reset-password', 'ada', '--password-stdin', '--data-dir', dataDirectory]
  const { code } = await runPhlix(words, { environment, input: 'battery staple' })
  t.equal(code, 0)
  for (const { access, refresh } of sessions) {
    t.strictSame((await client.refresh(refresh)).json, REFUSED)
    t.equal(await client.me(access), 401)
  }
  t.equal((await client.logIn()).answer.status, 401, 'the old password')
})

void t.test('a disabled account neither refreshes nor gets in, and its sessions stay ended (JWT-16)', async (t) => {
  const { client, services, registerAdmin } = await setUp(t)
  await registerAdmin()
  const { access, refresh } = await client.register()
  await disableAccount(services, { usernameOrEmail: 'ada' })
  t.strictSame((await client.refresh(refresh)).json, REFUSED)
  t.equal(await client.me(access), 401)
  t.match(await client.logIn(), { answer: { status: 401, json: { code: 'account_disabled' } } })
  await enableAccount(services, { usernameOrEmail: 'ada' })
  t.equal((await client.refresh(refresh)).status, 401, 'ended is ended')
  t.equal((await client.logIn()).answer.status, 200)
})

const EXITS: readonly (readonly [string, (services: SigningServices) => Promise<unknown>])[] = [
  ['disabled', (services) => disableAccount(services, { usernameOrEmail: 'ada' })],
  ['deleted', ({ db }) => db.query(sql.unsafe`delete from users where username = 'ada'`)],
]

for (const [word, leave] of EXITS) {
  void t.test(`an account that is ${word} during refreshes keeps no session (JWT-16)`, async (t) => {
    const { client, clock, services, registerAdmin } = await setUp(t)
    await registerAdmin()
    let { refresh } = await client.register()
    for (let round = 0; round < 3; round += 1) {
      clock.advance(60)
      refresh = (await client.refreshOk(refresh)).refresh
    }
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => client.refresh(refresh))),
      leave(services),
    ])
    for (const { status } of answers) t.ok([200, 401].includes(status), `${status}: before, or after`)
    const successors = answers.flatMap(({ status, json }) => (status === 200 ? [pick(json, 'refresh_token')] : []))
    for (const token of [refresh, ...successors]) t.equal((await client.refresh(String(token))).status, 401)
    const living = await services.db.any(sql.unsafe`
      select 1 from refresh_families f join users u on u.id = f.user_id
      where u.username = 'ada' and f.revoked_at is null`)
    t.strictSame([...living], [])
  })

  void t.test(`an account that is ${word} during logins keeps no session (JWT-16)`, async (t) => {
    const { client, services, registerAdmin } = await setUp(t)
    await registerAdmin()
    await client.register()
    const [sessions] = await Promise.all([Promise.all(Array.from({ length: 4 }, client.logIn)), leave(services)])
    for (const { answer, refresh } of sessions) {
      t.ok([200, 401].includes(answer.status), `${answer.status}: before, or after`)
      if (answer.status === 200) t.equal((await client.refresh(refresh)).status, 401)
    }
  })
}

/** Seconds after the token's issue, and whether it is valid then: at `exp` it is expired, without leeway. */
const BOUNDARIES = {
  access: [
    [0, 200],
    [3598, 200],
    [3599, 200],
    [3600, 401],
    [3601, 401],
  ],
  refresh: [
    [0, 200],
    [604_798, 200],
    [604_799, 200],
    [604_800, 401],
    [604_801, 401],
  ],
} as const

void t.test('a token ends exactly at its exp, without leeway (JWT-17)', async (t) => {
  const { client, clock } = await setUp(t)
  let age = 0
  const { access } = await client.register()
  for (const [seconds, status] of BOUNDARIES.access) {
    clock.advance(seconds - age)
    age = seconds
    t.equal(await client.me(access), status, `access after ${seconds} s`)
  }
  for (const [seconds, status] of BOUNDARIES.refresh) {
    const { refresh } = await client.logIn()
    clock.advance(seconds)
    t.equal((await client.refresh(refresh)).status, status, `refresh after ${seconds} s`)
  }
})

void t.test('a token may come from a clock that is a minute ahead, and not more (JWT-17)', async (t) => {
  const { client, clock } = await setUp(t)
  const { access, refresh } = await client.register()
  clock.advance(-60)
  t.equal(await client.me(access), 200)
  clock.advance(-1)
  t.equal(await client.me(access), 401)
  t.equal((await client.refresh(refresh)).status, 401)
})

void t.test(
  'an administrator who was demoted is refused with the next request, old token or not (AZ-03)',
  async (t) => {
    const { ask, services, registerAdmin, client } = await setUp(t)
    const { access } = await client.register()
    await registerAdmin()
    const adminRoute = '/api/v1/libraries/0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11/scan-status'
    t.equal((await ask('GET', adminRoute, { token: access })).status, 404, 'the first account is an administrator')
    await setAdministrator(services, { usernameOrEmail: 'ada', isAdmin: false })
    const refused = await ask('GET', adminRoute, { token: access })
    t.equal(refused.status, 403)
    t.strictSame(refused.json, { error: 'Forbidden', code: 'auth.not_admin' })
    t.equal(await client.me(access), 200, 'as a user it is still good')
  },
)

void t.test('a deleted account’s token is refused (AZ-04)', async (t) => {
  const { ask, services, client } = await setUp(t)
  const { access, refresh } = await client.register()
  await services.db.query(sql.unsafe`delete from users`)
  const refused = await ask('GET', '/api/v1/auth/me', { token: access })
  t.equal(refused.status, 401)
  t.strictSame(refused.json, { error: 'Unauthorized', code: 'auth.required' })
  t.equal((await client.refresh(refresh)).status, 401)
})
