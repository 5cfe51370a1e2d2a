import t, { type Test } from 'tap'
import {
  createAccount,
  deleteAccount,
  disableAccount,
  enableAccount,
  getNamedAccount,
  listAccounts,
  setAdministrator,
  resetPassword,
  startRefreshSession,
} from '../../../src/core/accounts/index.ts'
import { sql } from 'slonik'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

async function setUp(t: Test, administrators: readonly string[], users: readonly string[] = []) {
  const { pool: db } = await testDatabase(t)
  const services = {
    config: loadConfig({ environment: {} }),
    db,
    clock: movableClock('2026-03-01T12:00:00.000Z'),
    events: { publish: () => undefined },
    passwordHashing: cheapPasswordHashing(),
  }
  for (const username of [...administrators, ...users]) {
    const input = { username, email: `${username}@example.test`, password: 'correct horse' }
    await createAccount(services, { ...input, isAdmin: administrators.includes(username) })
  }
  return services
}

const LAST = { code: 'last_administrator', kind: 'conflict', message: /^ada is the only active administrator$/ }

void t.test('accounts are sorted by name, case-insensitively', async (t) => {
  const services = await setUp(t, ['bob'], ['Ada', 'Éva', 'carl'])
  t.strictSame(
    (await listAccounts(services)).map(({ username }) => username),
    ['Ada', 'bob', 'carl', 'Éva'],
  )
})

void t.test('a right is granted and revoked, idempotently', async (t) => {
  const services = await setUp(t, ['ada'], ['bob'])
  services.clock.advance(60)
  const given = await setAdministrator(services, { usernameOrEmail: 'BOB@example.test', isAdmin: true })
  t.match(given, { isChanged: true, account: { username: 'bob', isAdmin: true } })
  t.strictSame(given.account.updatedAt, services.clock.now())
  services.clock.advance(60)
  const again = await setAdministrator(services, { usernameOrEmail: 'bob', isAdmin: true })
  t.strictSame(again, { isChanged: false, account: given.account })
  t.match(await setAdministrator(services, { usernameOrEmail: 'ada', isAdmin: false }), { isChanged: true })
})

void t.test('disabling ends the sessions of that account only', async (t) => {
  const services = await setUp(t, ['ada'], ['bob'])
  for (const name of ['ada', 'bob', 'bob']) {
    await startRefreshSession(services, { accountId: (await getNamedAccount(services, name)).id })
  }
  t.match(await disableAccount(services, { usernameOrEmail: 'bob' }), {
    isChanged: true,
    account: { status: 'disabled' },
  })
  const revoked = sql.unsafe`
    select u.username, f.revoked_reason as reason from refresh_families f join users u on u.id = f.user_id order by 1`
  const expected = [
    { username: 'ada', reason: null },
    { username: 'bob', reason: 'account_disabled' },
    { username: 'bob', reason: 'account_disabled' },
  ]
  t.strictSame([...(await services.db.any(revoked))], expected)
  t.match(await disableAccount(services, { usernameOrEmail: 'bob' }), { isChanged: false })
  const { id: accountId } = await getNamedAccount(services, 'bob')
  await t.rejects(startRefreshSession(services, { accountId }), { code: 'account_disabled' }, 'no new one begins')
  t.match(await enableAccount(services, { usernameOrEmail: 'bob' }), { isChanged: true, account: { status: 'active' } })
  t.strictSame([...(await services.db.any(revoked))], expected, 'the old ones stay ended')
  t.match(await enableAccount(services, { usernameOrEmail: 'bob' }), { isChanged: false })
})

void t.test('the last active administrator cannot be demoted', async (t) => {
  const services = await setUp(t, ['ada', 'bob'], ['carl'])
  await disableAccount(services, { usernameOrEmail: 'bob' })
  await t.rejects(disableAccount(services, { usernameOrEmail: 'ada' }), LAST, 'a disabled one does not count')
  await t.rejects(setAdministrator(services, { usernameOrEmail: 'ada', isAdmin: false }), LAST)
  t.match(await getNamedAccount(services, 'ada'), { isAdmin: true, status: 'active' })
  t.match(
    await setAdministrator(services, { usernameOrEmail: 'bob', isAdmin: false }),
    { isChanged: true },
    'not active',
  )
  await setAdministrator(services, { usernameOrEmail: 'carl', isAdmin: true })
  t.match(await disableAccount(services, { usernameOrEmail: 'ada' }), { isChanged: true }, 'now there is another')
})

void t.test(
  'one of several administrators who concurrently demote, disable and delete each other remains',
  async (t) => {
    const names = ['ada', 'bob', 'carl', 'dora', 'erin', 'finn']
    const services = await setUp(t, names)
    const losses = [
      (usernameOrEmail: string) => setAdministrator(services, { usernameOrEmail, isAdmin: false }),
      (usernameOrEmail: string) => disableAccount(services, { usernameOrEmail }),
      (usernameOrEmail: string) => deleteAccount(services, { usernameOrEmail }),
    ]
    const results = await Promise.allSettled(names.map(async (name, index) => losses[index % 3]?.(name)))
    t.equal(results.filter(({ status }) => status === 'rejected').length, 1)
    const left = (await listAccounts(services)).filter(({ isAdmin, status }) => isAdmin && status === 'active')
    t.equal(left.length, 1)
  },
)

void t.test('an unknown account is not found, for any text', async (t) => {
  const services = await setUp(t, ['ada'])
  for (const usernameOrEmail of ['nobody', '', '%', "ada' --", 'a\0b', 'x'.repeat(100_000)]) {
    await t.rejects(
      disableAccount(services, { usernameOrEmail }),
      { code: 'account_not_found' },
      JSON.stringify(usernameOrEmail.slice(0, 9)),
    )
  }
})

void t.test('an account that is deleted while its new password is hashed is not found', async (t) => {
  const services = await setUp(t, ['ada'], ['bob'])
  const transaction: typeof services.db.transaction = async (work) => {
    await services.db.query(sql.unsafe`delete from users where username = 'bob'`)
    return services.db.transaction(work)
  }
  const db = { ...services.db, transaction }
  await t.rejects(resetPassword({ ...services, db }, { usernameOrEmail: 'bob' }), { code: 'account_not_found' })
})
