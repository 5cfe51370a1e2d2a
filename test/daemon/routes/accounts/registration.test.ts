import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createInvite,
  listAccounts,
  listInvites,
  readSetupCode,
  revokeInvite,
} from '../../../../src/core/accounts/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { logSetupHints } from '../../../../src/daemon/setup-hints.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { countPasswordHashes } from '../../../support/counted-work.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const HOME = '192.168.1.20'
const ELSEWHERE = '203.0.113.20'

type Registration = { from?: string; username?: string; password?: string; setup_code?: string; invite_code?: string }

/** A server that trusts the test client as a proxy. */
async function setUp(t: Test) {
  const clock = movableClock()
  const services = await testServices(t, { clock, environment: { RATE_LIMIT_REGISTER_MAX: '1000' } })
  const app = await startApp(t, { services })
  const register = ({ from, username = 'ann', password = 'correct horse', ...codes }: Registration): Promise<Answer> =>
    app.ask('POST', '/api/v1/auth/register', {
      body: { username, email: `${username}@example.test`, password, ...codes },
      ...(from === undefined ? {} : { headers: { 'x-forwarded-for': from } }),
    })
  const setMode = (mode: string) => changeSettings(services, { 'accounts.registration': mode })
  return { ...app, services, clock, register, setMode }
}

const SETUP_CODE_REQUIRED = { status: 403, json: { error: 'Setup code required', code: 'setup_code_required' } }
const CLOSED = { status: 403, json: { error: 'Registration is closed', code: 'registration_closed' } }

void t.test('a stranger cannot become the administrator of a fresh server', async (t) => {
  const { register, services } = await setUp(t)
  const code = await readSetupCode(services)
  for (const from of [HOME, ELSEWHERE, 'fe80::1', '2001:db8::1']) {
    t.match(await register({ from }), SETUP_CODE_REQUIRED, from)
    t.match(await register({ from, setup_code: '' }), SETUP_CODE_REQUIRED)
    t.match(await register({ from, setup_code: `${code}x` }), SETUP_CODE_REQUIRED)
    t.match(await register({ from, setup_code: 'null' }), SETUP_CODE_REQUIRED)
  }
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from users`), 0)
})

void t.test('the first account is made from the server itself without a code', async (t) => {
  const { register } = await setUp(t)
  t.match(await register({}), { status: 201, json: { user: { is_admin: true } } })
})

void t.test('the first account is made from anywhere with the code, which is worth nothing afterwards', async (t) => {
  const { register, services, setMode } = await setUp(t)
  await setMode('closed')
  const code = (await readSetupCode(services)) ?? ''
  t.equal(await readSetupCode(services), code, 'the same each time')
  t.match(await register({ from: ELSEWHERE, setup_code: ` ${code.toUpperCase()} ` }), {
    status: 201,
    json: { user: { is_admin: true } },
  })
  t.equal(await readSetupCode(services), undefined)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from setup_codes`), 0)
  t.match(await register({ from: ELSEWHERE, username: 'bob', setup_code: code }), CLOSED)
})

void t.test(
  'of twenty concurrent registrations with the code one becomes administrator; without it remote ones are refused',
  async (t) => {
    const { register, services } = await setUp(t)
    const code = await readSetupCode(services)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        register({ from: ELSEWHERE, username: `user${index}`, ...(code === undefined ? {} : { setup_code: code }) }),
      ),
    )
    t.equal(answers.filter(({ status }) => status === 201).length, 1)
    t.strictSame(await services.db.any(sql.unsafe`select is_admin from users`), [{ isAdmin: true }])
  },
)

void t.test('by default later accounts are made in the local network only', async (t) => {
  const { register, registerAdmin } = await setUp(t)
  await registerAdmin()
  t.match(await register({ from: ELSEWHERE }), CLOSED)
  t.match(await register({ from: ELSEWHERE, username: 'x', password: '' }), CLOSED, 'before anything is validated')
  t.match(await register({ from: HOME }), { status: 201, json: { user: { is_admin: false } } })
})

void t.test('the mode is a setting, which is read with each registration', async (t) => {
  const { register, registerAdmin, setMode } = await setUp(t)
  await registerAdmin()
  await setMode('open')
  t.equal((await register({ from: ELSEWHERE, username: 'open' })).status, 201)
  await setMode('closed')
  for (const from of [undefined, HOME, ELSEWHERE]) t.match(await register(from === undefined ? {} : { from }), CLOSED)
  await t.rejects(setMode('maybe'))
})

void t.test('an invite lets one person in, until it is used, over or revoked', async (t) => {
  const { ask, register, registerAdmin, services, setMode, clock } = await setUp(t)
  await registerAdmin()
  await setMode('invite')
  t.match(await register({ from: HOME }), CLOSED)
  const [first, revoked, late] = await Promise.all(
    [1, 2, 3].map(() => createInvite(services, { expiresAt: new Date(clock.now().getTime() + 3_600_000) })),
  )
  const codeOf = (made: typeof first): string => made?.code ?? ''
  const describe = (code: string) => ask('POST', '/api/v1/auth/invite', { body: { invite_code: code } })
  const UNKNOWN = { status: 403, json: { code: 'invite_unknown' } }
  const REFUSED_UNKNOWN = { status: 403, json: { code: 'registration_closed', reason: 'invite_unknown' } }
  t.match(await register({ from: ELSEWHERE, invite_code: 'x'.repeat(192) }), REFUSED_UNKNOWN)
  t.match(await register({ from: ELSEWHERE, password: 'short', invite_code: codeOf(first) }), { status: 422 })
  t.match(await describe(codeOf(first)), { status: 200, json: { expires_at: first?.invite.expiresAt.toISOString() } })
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      register({ from: ELSEWHERE, username: `guest${index}`, invite_code: codeOf(first) }),
    ),
  )
  t.strictSame(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 403, 403, 403, 403],
    'one of five',
  )
  await revokeInvite(services, { id: revoked?.invite.id ?? '' })
  await t.rejects(revokeInvite(services, { id: revoked?.invite.id ?? '' }), { code: 'invite_not_found' })
  await t.rejects(revokeInvite(services, { id: "' or true --" }), { code: 'invite_not_found' })
  t.notOk(
    (await listInvites(services)).some(({ id }) => id === revoked?.invite.id),
    'it is not listed any more',
  )
  clock.advance(3600)
  const open = await createInvite(services, { expiresAt: new Date(clock.now().getTime() + 3_600_000) })
  for (const mode of ['open', 'local', 'invite'] as const) {
    await setMode(mode)
    for (const [code, reason, message] of [
      [codeOf(first), 'invite_used', 'Invite is used up'],
      [codeOf(revoked), 'invite_revoked', 'Invite was revoked'],
      [codeOf(late), 'invite_expired', 'Invite has expired'],
    ] as const) {
      const refused = { ...CLOSED, json: { ...CLOSED.json, reason, message } }
      t.match(await register({ username: 'late', invite_code: code }), refused, `${mode}: no account without limits`)
      t.match(await describe(code), { status: 410, json: { code: reason } })
    }
    const wrong = [`${codeOf(first)}x`, 'x', ' ', "' or true --"]
    const texts = await Promise.all(wrong.map(async (code) => (await describe(code)).text))
    t.equal(new Set(texts).size, 1, 'all unknown codes have one answer')
    t.match(await register({ username: 'late', invite_code: 'x' }), REFUSED_UNKNOWN)
  }
  await setMode('closed')
  for (const code of [codeOf(open), codeOf(late), 'x']) {
    t.match(await register({ username: 'late', invite_code: code }), CLOSED)
    t.match(await describe(code), CLOSED, 'nobody fills in a form that is refused')
  }
  await setMode('invite')
  clock.advance(31 * 86_400)
  await createInvite(services, { expiresAt: new Date(clock.now().getTime() + 3_600_000) })
  t.match(await describe(codeOf(revoked)), UNKNOWN, 'a month later it is forgotten')
  const stored = await services.db.any(sql.unsafe`select * from account_invites`)
  t.notMatch(JSON.stringify(stored), codeOf(first))
})

void t.test('a registration is a sign-in', async (t) => {
  const { register, registerAdmin, services, setMode, clock } = await setUp(t)
  await registerAdmin()
  await setMode('open')
  t.equal((await register({ username: 'newcomer' })).status, 201)
  const newcomer = (await listAccounts(services)).find(({ username }) => username === 'newcomer')
  t.strictSame(newcomer?.lastLoginAt, clock.now())
})

void t.test('a registration that is refused causes no password to be hashed', async (t) => {
  const { register, registerAdmin } = await setUp(t)
  await registerAdmin()
  const hashes = countPasswordHashes(t)
  for (let count = 0; count < 20; count += 1) t.match(await register({ from: ELSEWHERE }), CLOSED)
  t.equal(hashes(), 0)
})

void t.test('serve says what a new server needs next', async (t) => {
  const { services, registerAdmin } = await setUp(t)
  const said: [object, string][] = []
  const log = { ...services.log, notice: (...line: unknown[]) => void said.push(line as [object, string]) }
  const enqueueEvent = () => logSetupHints({ ...services, log }, { address: '127.0.0.1', port: 8096 })
  await enqueueEvent()
  const code = await readSetupCode(services)
  t.match(said, [[{ setupAddress: `http://127.0.0.1:8096/#setup=${code}` }, /no account yet/]])
  await registerAdmin()
  said.length = 0
  await enqueueEvent()
  t.match(said, [[/no library yet/]])
  t.equal(pick(said, 1), undefined)
})
