import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { resetPassword } from '../../../../src/core/accounts/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createSigningServices } from '../../../../src/core/services.ts'
import { pick, startApp, type Answer, type TestApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const PASSWORD = 'correct horse'
const LOGIN = '/api/v1/auth/login'

/** An application with a movable clock and one account, `user`. */
async function setUp(t: Test) {
  const clock = movableClock()
  const lines: string[] = []
  const base = await testServices(t, {
    clock,
    environment: { RATE_LIMIT_REGISTER_MAX: '1000', RATE_LIMIT_LOGIN_MAX: '1000' },
  })
  const log = await createLogger(base.config, { destination: { write: (line: string) => void lines.push(line) } })
  const services = { ...base, log }
  const app = await startApp(t, { services })
  await app.registerUser()
  return { ...app, services, clock, lines, ...loginsOf(app) }
}

type Login = { username?: string; password?: string; from?: string }

function loginsOf({ ask }: Pick<TestApp, 'ask'>) {
  /** A login attempt by a client behind the trusted proxy; by default with a wrong password. */
  const logIn = ({ username = 'user', password = 'wrong horse', from = '192.0.2.1' }: Login = {}): Promise<Answer> =>
    ask('POST', LOGIN, { body: { username, password }, headers: { 'x-forwarded-for': from } })
  const statuses = async (count: number, loginOf: (index: number) => Login): Promise<number[]> => {
    const seen: number[] = []
    for (let index = 0; index < count; index++) seen.push((await logIn(loginOf(index))).status)
    return seen
  }
  return { logIn, statuses }
}

const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status)

void t.test('ten failures lock an address for the rest of 900 s, also for the right password (PW-04)', async (t) => {
  const { logIn, statuses, clock } = await setUp(t)
  t.strictSame(await statuses(20, () => ({})), [...times(10, 401), ...times(10, 429)])
  clock.advance(899)
  const locked = await logIn({ password: PASSWORD })
  t.equal(locked.status, 429)
  t.equal(locked.text, '{"error":"Too Many Requests","code":"rate_limited"}')
  t.equal(locked.headers.get('retry-after'), '1')
  t.equal((await logIn({ password: PASSWORD, from: '192.0.2.2' })).status, 200, 'another address is not locked')
  t.equal((await logIn({ username: 'other' })).status, 429, 'the address is locked for every account')
  clock.advance(1)
  t.equal((await logIn({ password: PASSWORD })).status, 200, 'attempts while it was locked have not made it longer')
})

void t.test('twenty failures from as many addresses lock an account, known or not (PW-04)', async (t) => {
  const { logIn, statuses } = await setUp(t)
  for (const username of ['user', 'nobody', "admin' --"]) {
    const names = [username, username.toUpperCase()]
    const all = await statuses(21, (index) => ({ username: names[index % 2] ?? '', from: `198.51.100.${index}` }))
    t.strictSame(all, [...times(20, 401), 429], username)
  }
  t.equal((await logIn({ password: PASSWORD, from: '203.0.113.1' })).status, 429, 'also for the right password')
  const byAddress = await logIn({ username: 'user@example.test', password: PASSWORD, from: '203.0.113.1' })
  t.equal(byAddress.status, 429, 'under each of its names')
})

void t.test('twenty failures spread over addresses and accounts cause no lock (PW-04)', async (t) => {
  const { statuses } = await setUp(t)
  t.strictSame(
    await statuses(20, (index) => ({ username: `name${index}`, from: `198.51.100.${index}` })),
    times(20, 401),
  )
})

void t.test('one /64 is one address for logins too (RL-05)', async (t) => {
  const { statuses } = await setUp(t)
  const all = await statuses(11, (index) => ({ username: `name${index}`, from: `2001:db8::${index}` }))
  t.strictSame(all, [...times(10, 401), 429])
})

void t.test('a lock outlives a restart (PW-04)', async (t) => {
  const { statuses, services, app } = await setUp(t)
  await statuses(10, () => ({}))
  await app.close()
  const { config, log, clock } = services
  const next = await createSigningServices({ config, log, clock })
  t.teardown(() => next.close())
  const { logIn } = loginsOf(await startApp(t, { services: next }))
  t.equal((await logIn({ password: PASSWORD })).status, 429)
})

void t.test('a login clears the failures of its address and its account (PW-04)', async (t) => {
  const { statuses, logIn, services } = await setUp(t)
  for (let round = 0; round < 3; round++) {
    t.strictSame(await statuses(9, () => ({})), times(9, 401))
    t.equal((await logIn({ password: PASSWORD })).status, 200)
  }
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from rate_limits`), 0)
})

void t.test('a login clears only the failures at its own account from the count of its address', async (t) => {
  const { statuses, logIn } = await setUp(t)
  // An attacker with an own account: four guesses at another account, then a successful login, repeatedly.
  const seen: number[] = []
  for (let round = 0; round < 4; round++) {
    seen.push(...(await statuses(4, (index) => ({ username: `victim${round}${index}` }))))
    seen.push((await logIn({ password: PASSWORD })).status)
  }
  t.equal(seen.filter((status) => status === 401).length, 10, 'as many as without an account')
  t.strictSame(seen.slice(-5), times(5, 429))
})

void t.test(
  'failures at all accounts count for the address, and a login removes those of its own account',
  async (t) => {
    const { statuses, logIn } = await setUp(t)
    t.strictSame(await statuses(6, () => ({})), times(6, 401))
    t.strictSame(await statuses(3, () => ({ username: 'other' })), times(3, 401))
    t.equal((await logIn({ password: PASSWORD })).status, 200)
    t.strictSame(await statuses(8, () => ({ username: 'another' })), [...times(7, 401), 429], 'three were left')
  },
)

void t.test('forty failures from one /48 lock it, and no other network', async (t) => {
  const { statuses } = await setUp(t)
  const from = (index: number) => ({ username: `name${index}`, from: `2001:db8:1:${index.toString(16)}::1` })
  t.strictSame(await statuses(41, from), [...times(40, 401), 429])
  t.strictSame(await statuses(1, () => ({ from: '2001:db8:2::1' })), [401])
})

void t.test('a locked account accepts the right password from the owner’s known addresses only', async (t) => {
  const { statuses, logIn } = await setUp(t)
  const home = { password: PASSWORD, from: '203.0.113.1' }
  t.equal((await logIn(home)).status, 200)
  const guesses = await statuses(21, (index) => ({ from: `198.51.100.${index}` }))
  t.strictSame(guesses, [...times(20, 401), 429], 'a stranger locks the account')
  t.equal((await logIn({ ...home, from: '198.51.100.200' })).status, 429, 'at other addresses')
  t.equal((await logIn({ from: home.from })).status, 401, 'a wrong password is wrong')
  t.equal((await logIn(home)).status, 200)
})

void t.test(
  'an address becomes known by a refresh, and is unknown after a stolen token has ended the session',
  async (t) => {
    const { statuses, logIn, ask, services, clock } = await setUp(t)
    const refresh = async (token: unknown, from: string) =>
      ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: token }, headers: { 'x-forwarded-for': from } })
    const { json } = await logIn({ password: PASSWORD, from: '203.0.113.1' })
    const first = pick(json, 'refresh_token')
    t.equal((await refresh(first, '203.0.113.2')).status, 200)
    await statuses(20, (index) => ({ from: `198.51.100.${index}` }))
    t.equal(
      (await logIn({ password: PASSWORD, from: '203.0.113.1' })).status,
      429,
      'the session is used at another address now',
    )
    t.equal((await logIn({ password: 'wrong', from: '203.0.113.2' })).status, 401)
    clock.advance(60)
    t.equal((await refresh(first, '203.0.113.2')).status, 401, 'a used token came back')
    t.equal((await logIn({ password: PASSWORD, from: '203.0.113.2' })).status, 429)
    await services.db.query(sql.unsafe`delete from refresh_families`)
    t.equal((await logIn({ password: PASSWORD, from: '203.0.113.2' })).status, 429)
  },
)

void t.test('a new password opens a locked account (PW-04)', async (t) => {
  const { statuses, logIn, services } = await setUp(t)
  await statuses(20, (index) => ({ from: `198.51.100.${index}` }))
  t.equal((await logIn({ password: PASSWORD })).status, 429)
  await resetPassword(services, { usernameOrEmail: 'user', password: 'battery staple' })
  t.equal((await logIn({ password: 'battery staple' })).status, 200)
})

void t.test('a disabled account is refused and counted, whatever the password (PW-04)', async (t) => {
  const { statuses, services } = await setUp(t)
  await services.db.query(sql.unsafe`update users set status = 'disabled'`)
  t.strictSame(await statuses(11, () => ({ password: PASSWORD })), [...times(10, 401), 429])
})

void t.test('of sixty concurrent guesses at most one beyond the limit is checked (PW-04)', async (t) => {
  const { logIn, lines } = await setUp(t)
  const answers = await Promise.all(Array.from({ length: 60 }, () => logIn()))
  const checked = answers.filter(({ status }) => status === 401).length
  t.ok(checked >= 10 && checked <= 11, `${checked} were checked`)
  t.ok(answers.every(({ status }) => [401, 429, 503].includes(status)))
  t.equal(lines.filter((line) => line.includes('auth_failed')).length, checked)
})

void t.test('a clock that is set back an hour blocks no login for longer than one window (RL-09)', async (t) => {
  const { statuses, logIn, clock } = await setUp(t)
  await statuses(10, () => ({}))
  clock.advance(-3600)
  t.equal((await logIn({ password: PASSWORD })).headers.get('retry-after'), '900')
  clock.advance(900)
  t.equal((await logIn({ password: PASSWORD })).status, 200)
})

void t.test(
  'a failed login logs one line that the documented fail2ban filter finds, and that cannot be forged (PW-04)',
  async (t) => {
    const { logIn, lines } = await setUp(t)
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
    const filter = /^failregex = (.+)$/m.exec(page)?.[1] ?? ''
    t.match(filter, /<HOST>/)
    // fail2ban searches for addresses with <HOST>, and removes the time from the line before it searches.
    const pattern = new RegExp(filter.replace('<HOST>', '(?<host>[0-9A-Fa-f:.]+)'))
    const seen = (line: string | undefined): string | undefined =>
      pattern.exec((line ?? '').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, ''))?.groups?.['host']
    const forged =
      '","ip":"6.6.6.6","event":"auth_failed","ip":"6.6.6.6","user":"\n{"event":"auth_failed","ip":"6.6.6.6"}'
    for (const [username, from] of [
      ['user', '192.0.2.7'],
      ['nobody', '2001:db8::7'],
      [forged, '192.0.2.8'],
      ['x'.repeat(10_000), '192.0.2.9'],
      ['a\0b\u202Ec', '192.0.2.10'],
    ] as const) {
      lines.length = 0
      await logIn({ username, from })
      const failures = lines.filter((line) => line.includes('auth_failed'))
      t.equal(failures.length, 1, from)
      t.equal(seen(failures[0]), from)
      t.equal(failures[0]?.trim().split('\n').length, 1)
      t.match(JSON.parse(failures[0] ?? ''), { level: 'warning', event: 'auth_failed', ip: from })
    }
    t.match(JSON.parse(lines.find((line) => line.includes('auth_failed')) ?? ''), { user: 'a\uFFFDb\uFFFDc' })
    lines.length = 0
    await logIn({ username: 'x'.repeat(10_000), from: '192.0.2.9' })
    t.equal(String(pick(JSON.parse(lines[0] ?? ''), 'user')).length, 254)
    lines.length = 0
    await logIn({ password: PASSWORD })
    t.notOk(
      lines.some((line) => line.includes('auth_failed')),
      'a login that succeeds leaves none',
    )
  },
)
