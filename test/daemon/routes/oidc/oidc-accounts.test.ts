import { sql } from 'slonik'
import t from 'tap'
import {
  createAccount,
  disableAccount,
  enableAccount,
  getNamedAccount,
  linkAccount,
  readAccess,
  setAccess,
  setAdministrator,
  setRescueAccount,
} from '../../../../src/core/accounts/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { plant } from '../../../support/access-canaries.ts'
import { pick } from '../../../support/app.ts'
import { codeOf, startOidcApp, type OidcApp } from './oidc-app.ts'

const LINK = '/api/v1/auth/oidc/link'

/** A sign-in of another person, whose browser has no session at the provider. */
function become(app: OidcApp, person: Record<string, unknown> & { sub: string }) {
  app.provider.state.person = person
  return app.signInOnce()
}

void t.test('an account is never found by its name or e-mail address', async (t) => {
  const app = await startOidcApp(t)
  const { account: admin } = await app.registerAdmin()
  for (const person of [
    { sub: 'stranger-1', preferred_username: 'admin', email: 'new@example.test' },
    { sub: 'stranger-2', preferred_username: 'newcomer', email: admin.email, email_verified: true },
    { sub: admin.id, preferred_username: 'ADMIN', email: admin.email.toUpperCase() },
  ]) {
    const answer = await become(app, person)
    t.match(answer, { status: 403, json: { code: 'sign_in_without_account' } }, person.sub)
  }
})

void t.test('an address that the provider has not verified is not taken over', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const person = { sub: 'p', preferred_username: 'carl', email: 'carl@example.test', email_verified: false }
  const { json } = await become(app, person)
  t.match(pick(json, 'user', 'email'), /@sign-in\.invalid$/)
})

void t.test('without create_accounts only linked people sign in', async (t) => {
  const app = await startOidcApp(t, { flags: { 'auth.oidc.create_accounts': 'false' } })
  await app.registerAdmin()
  t.match(await app.signInOnce(), { status: 403, json: { code: 'sign_in_without_account' } })
  const link = { provider: app.provider.issuer, subject: 'person-1' }
  await linkAccount(app.services, { usernameOrEmail: 'admin', link })
  t.match(await app.signInOnce(), { status: 200, json: { user: { username: 'admin', is_admin: true } } })
})

void t.test('the first account of a server is not made by the provider', async (t) => {
  const app = await startOidcApp(t, { flags: { 'auth.oidc.admin_group': 'admins' } })
  const person = { sub: 'p', preferred_username: 'carl', groups: ['admins'] }
  t.match(await become(app, person), { status: 403, json: { code: 'sign_in_without_account' } })
})

void t.test('somebody who is signed in links the own account, and nobody else can', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const { account, token } = await app.registerUser()
  const { arrived, verifier } = await app.arrive()
  const body = { code: codeOf(arrived), verifier }
  t.match(await app.ask('POST', LINK, { body }), { status: 401 }, 'without a session')
  t.match(await app.ask('POST', LINK, { body, token }), { status: 200, json: { user: { id: account.id } } })
  const signedIn = await app.signInOnce()
  t.match(signedIn, { status: 200, json: { user: { id: account.id, username: 'user' } } })

  const again = await app.arrive()
  const repeated = { code: codeOf(again.arrived), verifier: again.verifier }
  t.match(await app.ask('POST', LINK, { body: repeated, token }), { status: 200 }, 'the same person again')

  app.provider.state.person = { sub: 'person-2' }
  const other = await app.arrive()
  const replacing = { body: { code: codeOf(other.arrived), verifier: other.verifier }, token }
  t.match(await app.ask('POST', LINK, replacing), { status: 409, json: { code: 'sign_in_link_exists' } })

  app.provider.state.person = { sub: 'person-1' }
  const third = await createAccount(app.services, {
    username: 'third',
    email: 'third@example.test',
    password: 'correct horse',
    isAdmin: false,
  })
  const taken = await app.arrive()
  const taking = { body: { code: codeOf(taken.arrived), verifier: taken.verifier }, token: await app.signIn(third.id) }
  t.match(await app.ask('POST', LINK, taking), { status: 409, json: { code: 'sign_in_link_exists' } })
})

void t.test('somebody without an account learns who has signed in, and only this person is linked', async (t) => {
  const app = await startOidcApp(t, { flags: { 'auth.oidc.create_accounts': 'false' } })
  const { account, token } = await app.registerAdmin()
  const person = { subject: 'person-1', username: 'ada', email: 'ada@example.test' }
  t.match((await app.signInOnce()).json, { code: 'sign_in_without_account', person })
  app.provider.state.person = { sub: 'person-2' }
  const other = await app.arrive()
  const wrong = { code: codeOf(other.arrived), verifier: other.verifier, subject: 'person-1' }
  t.match(await app.ask('POST', LINK, { body: wrong, token }), { status: 409, json: { code: 'oidc_other_person' } })
  t.match(await app.signInOnce(), { status: 403 }, 'nobody was linked')
  app.provider.state.person = { sub: 'person-1' }
  const { arrived, verifier } = await app.arrive()
  const body = { code: codeOf(arrived), verifier, subject: 'person-1' }
  t.match(await app.ask('POST', LINK, { body, token }), { status: 200, json: { user: { id: account.id } } })
})

void t.test('a name that is in use is told with the person, who can link the account', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const answer = await become(app, { sub: 'stranger', preferred_username: 'admin' })
  t.match(answer.json, {
    code: 'sign_in_without_account',
    person: { subject: 'stranger', username: 'admin', email: null },
  })
})

void t.test('a code for one use cannot be used for another', async (t) => {
  const app = await startOidcApp(t)
  const { token } = await app.registerAdmin()
  const { arrived, verifier } = await app.arrive()
  const body = { code: codeOf(arrived), verifier }
  t.equal((await app.ask('POST', LINK, { body, token })).status, 200)
  t.equal((await app.ask('POST', '/api/v1/auth/oidc/token', { body })).status, 401)
})

void t.test('groups give and take the rights of an administrator at each sign-in', async (t) => {
  const flags = { 'auth.oidc.admin_group': 'admins', 'auth.oidc.scopes': 'openid profile email groups' }
  const app = await startOidcApp(t, { flags })
  await app.registerAdmin()
  const person = { sub: 'p', preferred_username: 'carl' }
  for (const [groups, isAdmin] of [
    [['users', 'admins'], true],
    [['users'], false],
    ['admins', true],
    [undefined, false],
    [['admins'], true],
    [{ admins: true }, false],
    [['Admins', 'admins2', ['admins']], false],
  ] as const) {
    const { json } = await become(app, { ...person, ...(groups !== undefined && { groups }) })
    t.equal(pick(json, 'user', 'is_admin'), isAdmin, JSON.stringify(groups))
  }
})

void t.test('the last administrator keeps its rights without the group', async (t) => {
  const app = await startOidcApp(t, { flags: { 'auth.oidc.admin_group': 'admins' } })
  await app.registerAdmin()
  const link = { provider: app.provider.issuer, subject: 'person-1' }
  await linkAccount(app.services, { usernameOrEmail: 'admin', link })
  t.match((await app.signInOnce()).json, { user: { username: 'admin', is_admin: true } })
})

void t.test('the rescue account keeps its rights without the group while local sign-in is off', async (t) => {
  const app = await startOidcApp(t, { flags: { 'auth.oidc.admin_group': 'admins' } })
  const { account } = await app.registerUser()
  await app.registerAdmin()
  await setAdministrator(app.services, { accountId: account.id, isAdmin: true })
  await setRescueAccount(app.services, 'admin')
  const link = { provider: app.provider.issuer, subject: 'person-1' }
  await linkAccount(app.services, { usernameOrEmail: 'admin', link })
  await changeSettings(app.services, { 'accounts.local_sign_in': false })
  t.match((await app.signInOnce()).json, { user: { username: 'admin', is_admin: true } })
})

void t.test('without admin_group the provider does not change rights', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  await app.signInOnce()
  await setAdministrator(app.services, { usernameOrEmail: 'ada', isAdmin: true })
  t.match((await app.signInOnce()).json, { user: { username: 'ada', is_admin: true } })
})

void t.test('a disabled account stays disabled, and a new one waits for approval if that is required', async (t) => {
  const app = await startOidcApp(t, { flags: { 'accounts.approval': 'true' } })
  await app.registerAdmin()
  t.match(await app.signInOnce(), { status: 401, json: { code: 'account_pending' } })
  t.match(await app.signInOnce(), { status: 401, json: { code: 'account_pending' } })
  await enableAccount(app.services, { usernameOrEmail: 'ada' })
  t.equal((await app.signInOnce()).status, 200)
  await disableAccount(app.services, { usernameOrEmail: 'ada' })
  t.match(await app.signInOnce(), { status: 401, json: { code: 'account_disabled' } })
  t.equal((await getNamedAccount(app.services, 'ada')).status, 'disabled')
})

void t.test('two sign-ins of a new person at the same time make one account', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const answers = await Promise.all([1, 2, 3].map(() => app.signInOnce()))
  const ids = new Set(answers.map(({ json }) => pick(json, 'user', 'id')))
  t.strictSame([answers.map(({ status }) => status), ids.size], [[200, 200, 200], 1])
})

void t.test('the groups of a person decide about libraries at each sign-in, and about nothing else', async (t) => {
  const app = await startOidcApp(t, {
    flags: {
      'auth.oidc.admin_group': 'admins',
      'auth.oidc.scopes': 'openid profile email groups',
      'auth.oidc.library_groups': 'kids=Cartoons,Gone; music=Music; family=*',
    },
  })
  const { account: owner } = await app.registerAdmin()
  const { db } = app.services
  const [cartoons, music] = [
    await plant(db, 'movie', { word: 'Cartoons', rating: 'G', ownerId: owner.id, day: 1 }),
    await plant(db, 'movie', { word: 'Music', rating: 'G', ownerId: owner.id, day: 1 }),
  ]
  await db.query(sql.unsafe`update libraries set name = 'Cartoons' where id = ${cartoons.libraryId}`)
  await db.query(sql.unsafe`update libraries set name = 'Music' where id = ${music.libraryId}`)
  const accessWith = async (groups: readonly string[] | undefined) => {
    const person = { sub: 'p', preferred_username: 'carl', email: 'carl@example.test', groups }
    t.match(await become(app, person), { status: 200 })
    return (await readAccess(app.services, { usernameOrEmail: 'carl' })).access
  }
  t.match(await accessWith(['kids', 'others']), { libraryIds: [cartoons.libraryId], maxAge: null })
  t.match(await accessWith(['kids', 'music']), { libraryIds: [cartoons.libraryId, music.libraryId].toSorted() })
  await setAccess(app.services, { usernameOrEmail: 'carl', changes: { maxAge: 12 } })
  t.match(await accessWith(['music']), { libraryIds: [music.libraryId], maxAge: 12 }, 'other limits stay')
  t.strictSame((await accessWith(undefined)).libraryIds, [], 'a missing claim takes all libraries')
  await setAccess(app.services, { usernameOrEmail: 'carl', changes: { maxAge: null } })
  t.match(await accessWith(['kids', 'family']), { libraryIds: null })
  await accessWith(['kids'])
  t.match(await accessWith(['kids', 'admins']), { libraryIds: null }, 'an administrator is not limited')
  t.match((await getNamedAccount(app.services, 'carl')).isAdmin, true)
  t.match(await accessWith(['kids']), { libraryIds: [cartoons.libraryId] }, 'nor one any more')
})

void t.test('linking needs a recent sign-in', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const { account, token } = await app.registerUser()
  await app.services.db.query(
    sql.unsafe`update refresh_families set authenticated_at = authenticated_at - interval '11 minutes'`,
  )
  const { arrived, verifier } = await app.arrive()
  const body = { code: codeOf(arrived), verifier }
  t.match(await app.ask('POST', LINK, { body, token }), { status: 403, json: { code: 'recent_sign_in_required' } })
  const again = await app.arrive()
  const fresh = { code: codeOf(again.arrived), verifier: again.verifier }
  t.match(await app.ask('POST', LINK, { body: fresh, token: await app.signIn(account.id) }), { status: 200 })
})
