import t, { type Test } from 'tap'
import {
  changeOwnEmail,
  createAccount,
  disableAccount,
  findNamedAccount,
  getNamedAccount,
  linkAccount,
  listAccounts,
  setAccess,
  signInExternalPerson,
  startRefreshSession,
  updateAccount,
} from '../../../../src/core/accounts/index.ts'
import { testServices } from '../../../support/services.ts'

const ISSUER = 'https://auth.example.test'
const PASSWORD = 'correct horse'

/** An administrator, and the account bob of a person of the provider. */
async function setup(t: Test) {
  const services = await testServices(t)
  for (const username of ['admin', 'bob']) {
    const email = `${username}@example.test`
    await createAccount(services, { username, email, password: PASSWORD, isAdmin: username === 'admin' })
  }
  await linkAccount(services, { usernameOrEmail: 'bob', link: { provider: ISSUER, subject: 'bob' } })
  const signIn = (subject: string, { email, isAdministrator }: { email?: string; isAdministrator?: boolean }) =>
    signInExternalPerson(services, {
      link: { provider: ISSUER, subject },
      username: subject,
      email: email ?? null,
      isAdministrator,
      libraries: undefined,
      mayCreateAccounts: true,
      needsApproval: false,
    })
  return { services, signIn }
}

void t.test(
  'an account with limited access signs in, stays limited and does not become an administrator',
  async (t) => {
    const { services, signIn } = await setup(t)
    const { account } = await setAccess(services, { usernameOrEmail: 'bob', changes: { libraryIds: [] } })
    const signedIn = await signIn('bob', { isAdministrator: true })
    t.match(signedIn, { id: account.id, isAdmin: false, policyId: account.policyId })
    t.type(account.policyId, 'number')
    t.match(await findNamedAccount(services, 'bob'), { isAdmin: false, policyId: account.policyId })
  },
)

void t.test('the rights of a disabled account are not changed', async (t) => {
  const { services, signIn } = await setup(t)
  await disableAccount(services, { usernameOrEmail: 'bob' })
  await t.rejects(signIn('bob', { isAdministrator: true }), { code: 'account_disabled' })
  t.match(await findNamedAccount(services, 'bob'), { isAdmin: false, status: 'disabled' })
})

void t.test('no account has an address that is reserved for users of the hub', async (t) => {
  const { services, signIn } = await setup(t)
  for (const email of ['eve@hub.invalid', 'eve@HUB.Invalid']) {
    await t.rejects(signIn('eve', { email }), { code: 'sign_in_without_account' }, email)
  }
  t.equal((await listAccounts(services)).length, 2)
  t.match(await signIn('eve', { email: 'eve@hub.example' }), { username: 'eve' })
})

void t.test('an address that an account has chosen keeps nobody from the first sign-in', async (t) => {
  const { services, signIn } = await setup(t)
  const bob = await getNamedAccount(services, 'bob')
  const { familyId: sessionId } = await startRefreshSession(services, { accountId: bob.id })
  const take = (email: string) => changeOwnEmail(services, { session: { accountId: bob.id, sessionId }, email })
  await take('eve@example.test')
  t.match(await signIn('eve', { email: 'Eve@example.test' }), { username: 'eve', email: /@sign-in\.invalid$/ })
  t.match(await findNamedAccount(services, 'bob'), { email: 'eve@example.test' }, 'nobody gets the account')
  await take('dave@example.test')
  await t.rejects(
    signIn('bob2', { email: 'admin@example.test' }),
    { code: 'sign_in_without_account' },
    'who has registered with it links the account',
  )
  await t.rejects(
    signIn('admin', { email: 'dave@example.test' }),
    { code: 'sign_in_without_account' },
    'a name that is in use',
  )
  await updateAccount(services, { usernameOrEmail: 'bob', fields: { email: 'carl@example.test' } })
  await t.rejects(
    signIn('carl', { email: 'carl@example.test' }),
    { code: 'sign_in_without_account' },
    'an administrator has set it',
  )
})
