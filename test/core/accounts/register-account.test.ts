import t from 'tap'
import { createAccount, getAccount, logIn, registerAccount, updateAccount } from '../../../src/core/accounts/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'
import { noSignInProviders } from '../../support/sign-in-providers.ts'

const clock = movableClock()
const passwordHashing = cheapPasswordHashing()
const signInProviders = noSignInProviders()
const config = loadConfig({ environment: {} })
const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const clientAddress = '192.0.2.1'
const attempt = { mode: 'open', locality: 'loopback' } as const

void t.test('the first account is the administrator, later ones are not', async (t) => {
  const { pool: db } = await testDatabase(t)
  const first = await registerAccount(
    { db, clock, passwordHashing },
    { attempt, username: 'ada', email: 'ada@example.org', password: 'correct horse' },
  )
  const second = await registerAccount(
    { db, clock, passwordHashing },
    { attempt, username: 'bob', email: 'bob@example.org', password: 'correct horse' },
  )
  t.match(first, { username: 'ada', email: 'ada@example.org', isAdmin: true, status: 'active', lastLoginAt: null })
  t.equal(second.isAdmin, false)
  t.strictSame(first.createdAt, clock.now())
  t.notOk('passwordHash' in first, 'the hash stays inside')
  t.strictSame(await getAccount({ db }, { accountId: first.id }), first)
})

void t.test('addresses of users of a hub cannot be registered', async (t) => {
  const { pool: db } = await testDatabase(t)
  const dependencies = { db, clock, passwordHashing }
  const register = (email: string) =>
    registerAccount(dependencies, { attempt, username: 'mallory', email, password: 'correct horse' })
  for (const email of ['0b0d5f3e-7a4e-4c8b-9a6f-3f1f8c2e0001@hub.invalid', 'x@HUB.Invalid'])
    await t.rejects(register(email), { code: 'validation_failed', details: { fields: { email: String } } }, email)
  const { id } = await register('x@hub.invalid.example.org')
  const events = { publish: () => undefined }
  const change = (email: string) => updateAccount({ ...dependencies, events }, { accountId: id, fields: { email } })
  await t.rejects(change('x@hub.invalid'), { code: 'validation_failed' })
  t.equal((await change('y@example.org')).email, 'y@example.org')
})

void t.test('exactly one of fifty concurrently registered accounts is the administrator', async (t) => {
  const { pool: db } = await testDatabase(t)
  const accounts = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      registerAccount(
        { db, clock, passwordHashing },
        { attempt, username: `user${index}`, email: `user${index}@example.org`, password: 'correct horse' },
      ),
    ),
  )
  t.equal(accounts.filter(({ isAdmin }) => isAdmin).length, 1)
})

void t.test('exactly one of fifty registrations of one name in different spellings succeeds', async (t) => {
  const { pool: db } = await testDatabase(t)
  const attempts = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      registerAccount(
        { db, clock, passwordHashing },
        {
          attempt,
          username: index % 2 === 0 ? 'Ada' : 'ADA',
          email: index % 3 === 0 ? 'ada@example.org' : 'Ada@Example.org',
          password: 'correct horse',
        },
      ),
    ),
  )
  const refusals = attempts
    .filter((attempt) => attempt.status === 'rejected')
    .map((attempt) => attempt.reason as unknown)
  t.equal(attempts.length - refusals.length, 1)
  for (const refusal of refusals) t.match(refusal, { code: 'validation_failed', kind: 'invalid' })
})

void t.test('a username or address in use is reported by field', async (t) => {
  const { pool: db } = await testDatabase(t)
  await registerAccount(
    { db, clock, passwordHashing },
    { attempt, username: 'ada', email: 'ada@example.org', password: 'correct horse' },
  )
  await t.rejects(
    registerAccount(
      { db, clock, passwordHashing },
      { attempt, username: 'ADA', email: 'new@example.org', password: 'correct horse' },
    ),
    {
      code: 'validation_failed',
      details: { fields: { username: 'is already in use' } },
    },
  )
  await t.rejects(
    registerAccount(
      { db, clock, passwordHashing },
      { attempt, username: 'new', email: 'ADA@example.org', password: 'correct horse' },
    ),
    {
      code: 'validation_failed',
      details: { fields: { email: 'is already in use' } },
    },
  )
})

void t.test('fields beyond the three are ignored', async (t) => {
  const { pool: db } = await testDatabase(t)
  await registerAccount(
    { db, clock, passwordHashing },
    { attempt, username: 'ada', email: 'ada@example.org', password: 'correct horse' },
  )
  const body = {
    username: 'eve',
    email: 'eve@example.org',
    password: 'correct horse',
    is_admin: true,
    isAdmin: true,
    id: 'x',
  }
  t.match(await registerAccount({ db, clock, passwordHashing }, { ...body, attempt }), { isAdmin: false })
})

void t.test('the operator creates accounts exactly as requested', async (t) => {
  const { pool: db } = await testDatabase(t)
  const input = { username: 'bob', email: 'bob@example.org', password: 'correct horse' }
  t.equal(
    (await createAccount({ db, clock, passwordHashing }, { ...input, isAdmin: false })).isAdmin,
    false,
    'also as the first',
  )
  t.equal(
    (await createAccount({ db, clock, passwordHashing }, { ...input, username: 'root', email: 'r@x', isAdmin: true }))
      .isAdmin,
    true,
  )
})

void t.test('a login accepts the username or the address, case-insensitively, and stores the time', async (t) => {
  const { pool: db } = await testDatabase(t)
  await registerAccount(
    { db, clock, passwordHashing },
    { attempt, username: 'Zoë', email: 'zoe@example.org', password: 'pässword' },
  )
  clock.advance(60)
  for (const usernameOrEmail of ['Zoë', 'zoë', 'ZOE\u0308', 'zoe@example.org', 'ZOE@Example.ORG']) {
    t.strictSame(
      (
        await logIn(
          { db, clock, log, passwordHashing, signInProviders, config },
          { usernameOrEmail, password: 'pässword', clientAddress },
        )
      ).lastLoginAt,
      clock.now(),
      usernameOrEmail,
    )
  }
  t.ok(
    await logIn(
      { db, clock, log, passwordHashing, signInProviders, config },
      { usernameOrEmail: 'Zoë', password: 'pa\u0308ssword', clientAddress },
    ),
    'a password typed in NFD',
  )
})

void t.test('a wrong password and an unknown name have the same response', async (t) => {
  const { pool: db } = await testDatabase(t)
  await registerAccount(
    { db, clock, passwordHashing },
    { attempt, username: 'ada', email: 'ada@example.org', password: 'correct horse' },
  )
  const hostile = ['nobody', 'ad%', 'ad_', "ada' --", 'ada\0', '\uD800', '', 'x'.repeat(10_000), ' ada']
  for (const usernameOrEmail of hostile) {
    await t.rejects(
      logIn(
        { db, clock, log, passwordHashing, signInProviders, config },
        { usernameOrEmail, password: 'correct horse', clientAddress },
      ),
      {
        code: 'invalid_credentials',
      },
    )
  }
  for (const password of ['', 'correct hors', 'x'.repeat(1_000_000), 'correct horse\0']) {
    await t.rejects(
      logIn(
        { db, clock, log, passwordHashing, signInProviders, config },
        { usernameOrEmail: 'ada', password, clientAddress: '192.0.2.2' },
      ),
      {
        code: 'invalid_credentials',
      },
    )
  }
})

void t.test('an id that is not a UUID is not found', async (t) => {
  const { pool: db } = await testDatabase(t)
  for (const accountId of ["' or true --", '00000000-0000-4000-8000-000000000000']) {
    await t.rejects(getAccount({ db }, { accountId }), { code: 'account_not_found' })
  }
})
