import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createSignInProviders,
  linkAccount,
  listAccounts,
  logIn,
  registerAccount,
  removeProviderLinks,
  rotateRefreshToken,
  setAccess,
  startRefreshSession,
} from '../../../../src/core/accounts/index.ts'
import type { SignInProvider } from '../../../../src/core/accounts/sign-in-providers/sign-in-provider.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createEventBus } from '../../../../src/core/platform/events/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { cheapPasswordHashing } from '../../../support/cheap-password.ts'
import { testDatabase } from '../../../support/database.ts'
import { movableClock } from '../../../support/records.ts'

const LOCAL = 'correct horse'
const REMOTE = 'provider horse'
const REFUSED = { code: 'invalid_credentials' }
const UNAVAILABLE = { code: 'sign_in_provider_unavailable' }
const LIMITED = { code: 'rate_limited' }

type Question = { username: string; password: string }

/** A provider for which the part of a name before the first dot decides, as for many directories. */
function makeProvider(name: string, fields: Partial<SignInProvider> = {}): SignInProvider {
  return {
    name,
    mayCreateAccounts: false,
    decidesRights: false,
    ask: async (_, { username, password }) => (password === REMOTE ? { subject: username.split('.')[0] } : null),
    ...fields,
  }
}

/** The accounts ada and bob, and providers that tests change. */
async function setup(t: Test, list: SignInProvider[]) {
  const { pool: db } = await testDatabase(t)
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  const log = await createLogger(loadConfig({ environment: {} }), { destination: { write } })
  const state = { isEnabled: true }
  const signInProviders = createSignInProviders({
    list: () => list,
    needsApproval: async () => false,
    lockEnabled: async () => state.isEnabled,
    secret: Buffer.alloc(32, 1),
  })
  const clock = movableClock('2026-03-01T12:00:00Z')
  const events = createEventBus({ log })
  const config = loadConfig({ environment: {} })
  const services = { config, db, clock, log, events, passwordHashing: cheapPasswordHashing(), signInProviders }
  const fromLoopback = { mode: 'open', locality: 'loopback' } as const
  for (const username of ['ada', 'bob']) {
    await registerAccount(services, {
      username,
      email: `${username}@example.org`,
      password: LOCAL,
      attempt: fromLoopback,
    })
  }
  let clients = 0
  /** Of a new client unless an address is given. */
  const attempt = (usernameOrEmail: string, password: string, clientAddress?: string) => {
    clients += 1
    return logIn(services, { usernameOrEmail, password, clientAddress: clientAddress ?? `198.51.100.${clients}` })
  }
  return { services, state, lines, attempt }
}

void t.test('an outage of a provider locks no address, and is nothing for fail2ban', async (t) => {
  const outage = makeProvider('one', {
    ask: async () => {
      throw new Error('no answer')
    },
  })
  const { attempt, lines } = await setup(t, [outage])
  const address = '192.0.2.7'
  for (let index = 0; index < 12; index += 1) await t.rejects(attempt(`user${index}`, REMOTE, address), UNAVAILABLE)
  await t.rejects(attempt('ada', REMOTE, address), UNAVAILABLE, 'independent of the name')
  t.match(await attempt('ada', LOCAL, address), { username: 'ada' })
  t.notOk(lines.some((line) => line.includes('auth_failed')))
  for (let index = 0; index < 20; index += 1) await t.rejects(attempt('bob', 'guess'), UNAVAILABLE)
  await t.rejects(attempt('bob', 'guess'), LIMITED, 'guesses at one name stay limited')
})

void t.test('an answer of another form is the same error for every name', async (t) => {
  const { attempt, services } = await setup(t, [makeProvider('one', { ask: async () => ({ id: 5 }) })])
  await linkAccount(services, { usernameOrEmail: 'bob', link: { provider: 'one', subject: 'bob' } })
  for (const name of ['ada', 'bob', 'nobody']) await t.rejects(attempt(name, 'guess'), UNAVAILABLE, name)
  t.match(await attempt('ada', LOCAL), { username: 'ada' })
})

void t.test('another spelling of a name does not avoid the lock of its account', async (t) => {
  const { attempt, services } = await setup(t, [makeProvider('one')])
  await linkAccount(services, { usernameOrEmail: 'ada', link: { provider: 'one', subject: 'ada' } })
  t.match(await attempt('ada.x', REMOTE), { username: 'ada' })
  for (let index = 0; index < 20; index += 1) await t.rejects(attempt('ada', 'wrong'), REFUSED)
  await t.rejects(attempt('ada.x', REMOTE), REFUSED, 'as for a wrong password')
})

void t.test('too many refused passwords of all names lock the providers, not local passwords', async (t) => {
  const { attempt, services } = await setup(t, [makeProvider('one')])
  await linkAccount(services, { usernameOrEmail: 'bob', link: { provider: 'one', subject: 'bob' } })
  await t.rejects(attempt('bob.1', 'wrong'), REFUSED)
  await services.db.query(sql.unsafe`update rate_limits set hits = 199 where surface = 'login_providers'`)
  await t.rejects(attempt('bob.2', 'wrong'), REFUSED)
  await t.rejects(attempt('bob.3', REMOTE), LIMITED)
  await t.rejects(attempt('ada', 'wrong'), LIMITED, 'independent of the name')
  t.match(await attempt('bob', LOCAL), { username: 'bob' })
})

void t.test('a provider is asked about a local name by the same other name each time (PI-07)', async (t) => {
  const asked: Question[] = []
  const ask = async (_: string, question: Question): Promise<unknown> => {
    asked.push(question)
    return null
  }
  const { attempt } = await setup(t, [makeProvider('one', { ask })])
  for (const name of ['ada', 'ADA', 'bob']) await t.rejects(attempt(name, REMOTE), REFUSED)
  const [first, second, other] = asked
  t.equal(first?.username, second?.username)
  t.not(first?.username, other?.username)
  t.match(first?.username, /^[0-9a-f]{12}$/)
  t.equal(new Set([REMOTE, ...asked.map(({ password }) => password)]).size, 4)
})

void t.test('of several acceptances the linked person signs in; another person is refused', async (t) => {
  const { attempt, services } = await setup(t, [makeProvider('one', { mayCreateAccounts: true }), makeProvider('two')])
  await linkAccount(services, { usernameOrEmail: 'ada', link: { provider: 'two', subject: 'eve' } })
  t.match(await attempt('eve', REMOTE), { username: 'ada', signInLink: { provider: 'two', subject: 'eve' } })
  t.equal((await listAccounts(services)).length, 2)
  await t.rejects(attempt('ada', REMOTE), REFUSED, 'two knows another person by the name ada')
  t.match(await attempt('new', REMOTE), { username: 'new', signInLink: { provider: 'one' } })
})

void t.test('a provider that is removed while it answers leaves no account and no session (PI-07)', async (t) => {
  const { attempt, services, state } = await setup(t, [makeProvider('one', { mayCreateAccounts: true })])
  state.isEnabled = false
  await t.rejects(attempt('new', REMOTE), REFUSED)
  t.equal((await listAccounts(services)).length, 2)

  await linkAccount(services, { usernameOrEmail: 'ada', link: { provider: 'one', subject: 'ada' } })
  const { id: accountId, signInLink } = await attempt('ada', REMOTE)
  await startRefreshSession(services, { accountId, signInLink })
  const now = services.clock.now()
  await services.db.transaction((connection) => removeProviderLinks(connection, { provider: 'one', now }))
  await t.rejects(startRefreshSession(services, { accountId, signInLink }), REFUSED)
  const open = sql.unsafe`select 1 from refresh_families where revoked_at is null`
  t.notOk(await services.db.exists(open))
})

void t.test('removing or replacing a link ends the sessions of the account', async (t) => {
  const { services } = await setup(t, [])
  const changed: string[] = []
  services.events.subscribe('account.changed', ({ accountId }) => void changed.push(accountId))
  const change = (subject: string | null) =>
    linkAccount(services, { usernameOrEmail: 'ada', link: subject === null ? null : { provider: 'one', subject } })
  const isOpen = (session: { jti: string }): Promise<boolean> =>
    rotateRefreshToken(services, session).then(
      () => true,
      () => false,
    )
  const { account } = await change(null)
  const start = () => startRefreshSession(services, { accountId: account.id })
  const outcomes: [string | null, boolean, boolean][] = [
    ['ada', true, true],
    ['ada', false, true],
    ['eve', true, false],
    [null, true, false],
    [null, false, true],
  ]
  for (const [subject, isChanged, staysOpen] of outcomes) {
    const session = await start()
    t.equal((await change(subject)).isChanged, isChanged)
    t.equal(await isOpen(session), staysOpen)
  }
  t.strictSame(changed, [account.id, account.id, account.id])
})

void t.test(
  'an account with limited access signs in, although its groups would make it an administrator',
  async (t) => {
    const directory = makeProvider('one', {
      decidesRights: true,
      ask: async (_, { username, password }) =>
        password === REMOTE ? { subject: username, is_administrator: true } : null,
    })
    const { attempt, services, lines } = await setup(t, [directory])
    await linkAccount(services, { usernameOrEmail: 'bob', link: { provider: 'one', subject: 'bob' } })
    const { account } = await setAccess(services, { usernameOrEmail: 'bob', changes: { maxAge: 12 } })
    t.match(await attempt('bob', REMOTE), { username: 'bob', isAdmin: false, policyId: account.policyId })
    t.ok(lines.some((line) => line.includes('limited access')))
    await setAccess(services, { usernameOrEmail: 'bob', changes: { maxAge: null } })
    t.match(await attempt('bob', REMOTE), { username: 'bob', isAdmin: true }, 'without limits it becomes one')
  },
)
