import { sql } from 'slonik'
import { createPasswordHashing } from '../../../../src/core/platform/credentials/index.ts'
import t, { type Test } from 'tap'
import type { SigningServices } from '../../../../src/core/services.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'
import { countedDatabase, countPasswordHashes } from '../../../support/counted-work.ts'

const PASSWORD = 'correct horse'

async function setUp(t: Test, more: Partial<SigningServices> = {}) {
  const clock = movableClock()
  const usual = await testServices(t, { clock, environment: { RATE_LIMIT_REGISTER_MAX: '1000' } })
  const { services, asked } = countedDatabase({ ...usual, ...more })
  const app = await startApp(t, { services })
  let callers = 0
  /** A login attempt from a new client address. */
  const logIn = (username: unknown, password: unknown): Promise<Answer> => {
    callers += 1
    const from = `198.51.${callers >> 8}.${callers & 255}`
    const body = { username, password }
    return app.ask('POST', '/api/v1/auth/login', { body, headers: { 'x-forwarded-for': from } })
  }
  const register = (username: string, password: string, more: object = {}): Promise<Answer> =>
    app.ask('POST', '/api/v1/auth/register', {
      body: { username, email: `${username}@example.test`, password, ...more },
    })
  return { ...app, clock, asked, logIn, register }
}

void t.test('an unknown name costs the same work and gets the same answer as a wrong password (PW-01)', async (t) => {
  const { logIn, register, clock, asked } = await setUp(t)
  await register('ann', PASSWORD)
  const hashes = countPasswordHashes(t)
  const bodies = new Set<string>()
  const work: Record<'ann' | 'bob', string[]> = { ann: [], bob: [] }
  for (let round = 0; round < 24; round++) {
    // Expired windows keep the accounts from being locked.
    if (round % 20 === 0) clock.advance(900)
    for (const name of ['ann', 'bob'] as const) {
      asked.length = 0
      const before = hashes()
      const { status, text } = await logIn(name, 'wrong horse')
      bodies.add(`${status} ${text}`)
      work[name].push(`${hashes() - before} hash, and ${asked.join(', ')}`)
    }
  }
  t.strictSame([...bodies], ['401 {"error":"Invalid credentials","code":"invalid_credentials"}'])
  t.strictSame(work.ann, work.bob)
  t.ok(work.ann.every((words) => words.startsWith('1 hash, and maybeOne')))
})

void t.test('names of any kind answer 401 and no more (PW-02)', async (t) => {
  const { logIn, register } = await setUp(t)
  await register('admin', PASSWORD)
  const hostile = ['%', '_', 'admi%', "admin' --", 'admin"', 'admin\\', 'admin\0', '\0', ' admin', 'admin ', 'аdmin']
  for (const name of [...hostile, 'x'.repeat(10_240), '\uD800', '', '💣'.repeat(300), 'admin\u200B']) {
    t.match(await logIn(name, PASSWORD), { status: 401, json: { code: 'invalid_credentials' } }, JSON.stringify(name))
  }
  for (const name of ['ADMIN', 'Admin', 'admin@EXAMPLE.test']) {
    t.equal((await logIn(name, PASSWORD)).status, 200, `${name}: case does not matter`)
  }
})

void t.test('passwords are compared whole, whatever they hold, and long ones are not hashed (PW-03)', async (t) => {
  const { logIn, register } = await setUp(t)
  for (const [name, password, others] of [
    ['ann', 'secret12\0tail', ['secret12', 'secret12\0', 'secret12\0tai']],
    ['bob', 'x'.repeat(73), ['x'.repeat(72), 'x'.repeat(74)]],
    ['eve', 'y'.repeat(1024), ['y'.repeat(1023), 'y'.repeat(1025), 'y'.repeat(1_000_000), '']],
  ] as const) {
    t.equal((await register(name, password)).status, 201)
    for (const other of others) t.equal((await logIn(name, other)).status, 401, `${name}, ${other.length} characters`)
    t.equal((await logIn(name, password)).status, 200)
  }
  for (const password of ['', 'short', 'z'.repeat(1025), 'ü'.repeat(513), 'z'.repeat(1_000_000)]) {
    const refused = await register('ivy', password)
    t.match(refused, { status: 422, json: { fields: { password: String } } }, `${password.length} characters`)
  }
})

void t.test('of fifty registrations of one name at the same time exactly one wins (PW-05)', async (t) => {
  const { ask, services } = await setUp(t)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const username = index % 2 === 0 ? 'ann' : 'ANN'
      const email = index % 3 === 0 ? 'ann@example.test' : 'Ann@EXAMPLE.test'
      return ask('POST', '/api/v1/auth/register', { body: { username, email, password: PASSWORD } })
    }),
  )
  const statuses = answers.map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 201).length, 1)
  // On a busy machine the queue of password hashes refuses the last ones.
  t.strictSame(
    statuses.filter((status) => ![201, 422, 503].includes(status)),
    [],
  )
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from users`), 1)
})

void t.test('a registration cannot grant additional rights (PW-06)', async (t) => {
  const { register } = await setUp(t)
  await register('first', PASSWORD)
  const id = '00000000-0000-4000-8000-000000000000'
  const wishes = { is_admin: true, isAdmin: true, id, role: 'admin', status: 'disabled', created_at: '1999-01-01' }
  const answer = await register('eve', PASSWORD, wishes)
  t.match(answer, { status: 201, json: { user: { username: 'eve', is_admin: false, status: 'active' } } })
  t.not(pick(answer.json, 'user', 'id'), id)
})

void t.test(
  'two hundred logins at the same time are all answered, those beyond the queue at once (PW-07)',
  async (t) => {
    // At the cost of the product, so that the queue fills.
    const { logIn, register, ask } = await setUp(t, { passwordHashing: createPasswordHashing() })
    await register('ann', PASSWORD)
    const logins = Array.from({ length: 200 }, () => logIn('ann', PASSWORD))
    const health = await ask('GET', '/healthz')
    t.equal(health.status, 200, 'others are answered meanwhile')
    const answers = await Promise.all(logins)
    const refused = answers.filter(({ status }) => status !== 200)
    t.ok(refused.length > 0, 'the queue has an end')
    t.ok(refused.length <= 134, 'at least two and those in the queue are let in')
    for (const answer of refused) t.match(answer, { status: 503, json: { code: 'sign_in_busy' } })
    for (const { headers } of refused) t.equal(headers.get('retry-after'), '2')
  },
)
