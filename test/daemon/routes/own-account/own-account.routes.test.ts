import { sql } from 'slonik'
import t from 'tap'
import {
  createAccount,
  linkAccount,
  resetPassword,
  setAccess,
  startRefreshSession,
} from '../../../../src/core/accounts/index.ts'
import { exportAccount } from '../../../../src/core/account-export/index.ts'
import { createProfile } from '../../../../src/core/profiles/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { plant, plantHistory, plantSession } from '../../../support/access-canaries.ts'
import { pick, startApp, type TestApp } from '../../../support/app.ts'
import { newAuthenticator, startPasskeyApp } from '../../../support/passkeys.ts'
import { testServices } from '../../../support/services.ts'

const ME = '/api/v1/users/me'
const LINKS = '/api/v1/me/sign-in-links'
const AGAIN = { status: 403, json: { code: 'recent_sign_in_required' } }

/** As if everybody had signed in an hour ago. */
async function age({ services }: Pick<TestApp, 'services'>): Promise<void> {
  await services.db.query(
    sql.unsafe`update refresh_families set authenticated_at = authenticated_at - interval '1 hour'`,
  )
}

void t.test('the e-mail address is changed after a recent sign-in only, and checked', async (t) => {
  const app = await startApp(t)
  const [{ account, token }] = [await app.registerUser(), await app.registerAdmin()]
  const change = (email: unknown, as = token) => app.ask('PUT', `${ME}/email`, { token: as, body: { email } })
  t.match(await change('Kim@Example.test'), {
    status: 200,
    json: { user: { id: account.id, email: 'Kim@Example.test' } },
  })
  t.match(
    await app.ask('POST', '/api/v1/auth/login', { body: { email: 'kim@example.test', password: 'correct horse' } }),
    {
      status: 200,
    },
  )
  for (const email of [
    undefined,
    null,
    '',
    'x',
    1,
    ['a@example.test'],
    `${'x'.repeat(400)}@example.test`,
    'a@hub.invalid',
  ]) {
    t.match(await change(email), { status: 422, json: { code: 'validation_failed' } }, JSON.stringify(email))
  }
  t.match(await change('ADMIN@example.test'), { status: 422, json: { fields: { email: 'is already in use' } } })
  const { familyId: sessionId } = await startRefreshSession(app.services, { accountId: account.id, isRestricted: true })
  const restricted = app.tokens.issueAccess({
    accountId: account.id,
    profileId: account.id,
    sessionId,
    epoch: 0,
  })
  t.match(await change('b@example.test', restricted), { status: 403, json: { code: 'full_session_required' } })
  await age(app)
  t.match(await change('b@example.test'), AGAIN)
  t.match((await app.ask('GET', '/api/v1/auth/me', { token })).json, { user: { email: 'Kim@Example.test' } })
})

void t.test(
  'changes of the address are limited, so that nobody finds out by trying which addresses have accounts',
  async (t) => {
    const app = await startApp(t)
    const { token } = await app.registerUser()
    await app.registerAdmin()
    const answers: number[] = []
    for (let number = 0; number < 21; number += 1) {
      const body = { email: number % 2 === 0 ? 'admin@example.test' : `user${number}@example.test` }
      answers.push((await app.ask('PUT', `${ME}/email`, { token, body })).status)
    }
    t.strictSame(answers.slice(0, 4), [422, 200, 422, 200])
    t.strictSame(answers.slice(18), [422, 200, 429])
  },
)

void t.test('an account deletes itself after a recent sign-in; an administrator does not', async (t) => {
  const app = await startApp(t)
  const [user, admin] = [await app.registerUser(), await app.registerAdmin()]
  t.match(await app.ask('DELETE', ME, { token: admin.token }), { status: 409, json: { code: 'last_administrator' } })
  const second = { username: 'second', email: 'second@example.test', password: 'correct horse', isAdmin: true }
  await createAccount(app.services, second)
  t.match(await app.ask('DELETE', ME, { token: admin.token }), { status: 409, json: { code: 'own_account' } })
  await age(app)
  t.match(await app.ask('DELETE', ME, { token: user.token }), AGAIN)
  const token = await app.signIn(user.account.id)
  t.match(await app.ask('DELETE', ME, { token }), { status: 200, json: { message: 'user was deleted' } })
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token })).status, 401)
})

void t.test(
  'an export has what the account has stored, no secret, and nothing of others or hidden items',
  async (t) => {
    const app = await startApp(t)
    const { services, ask } = app
    const [{ account, token }, other] = [await app.registerUser(), await app.registerAdmin()]
    const [open, hidden] = [
      await plant(services.db, 'movie', { word: 'zqopen', rating: 'G', ownerId: account.id, day: 1 }),
      await plant(services.db, 'movie', { word: 'zqhidden', rating: 'R', ownerId: account.id, day: 2 }),
    ]
    for (const { id } of [account, other.account]) {
      const sessionId = await plantSession(services.db, id)
      const itemIds = [open.itemId, hidden.itemId]
      await plantHistory(services.db, { profileId: id, sessionId, itemIds })
    }
    await services.db.query(sql.unsafe`
      insert into book_progress
        (profile_id, media_item_id, position_ms, current_page, total_pages, percent_complete, locator, last_read_at)
      values (${account.id}, ${open.itemId}, 0, 1, 2, 50, 'epubcfi(/6/4!/4/2/1:3)', now())`)
    await ask('PUT', '/api/v1/users/me/settings', { token, body: { theme: 'zqdark' } })
    const made = await ask('POST', '/api/v1/me/api-keys', { token, body: { name: 'zqkey', scopes: ['read'] } })
    const key = String(pick(made.json, 'key'))
    await linkAccount(services, { usernameOrEmail: 'user', link: { provider: 'ldap', subject: 'zqsubject' } })
    const again = await app.signIn(account.id)

    const answer = await ask('GET', `${ME}/export`, { token: again })
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-disposition'), /^attachment; filename="phlix-user-\d{4}-\d\d-\d\d\.json"$/)
    t.match(answer.json, {
      format: 'phlix-account/1',
      account: { id: account.id, username: 'user', access: { library_ids: null } },
      settings: [{ settings: { theme: 'zqdark' } }],
      books: [{ percent_complete: 50, locator: 'epubcfi(/6/4!/4/2/1:3)' }],
      api_keys: [{ name: 'zqkey', scopes: ['read'] }],
      sign_in_links: [{ provider: 'ldap', subject: 'zqsubject' }],
    })
    t.match(answer.text, /zqopen/)
    t.match(answer.text, /zqhidden/)
    t.ok((pick(answer.json, 'devices') as object[]).length >= 2)
    for (const secret of [key, key.slice(12), '$argon2', other.account.id, other.account.email]) {
      t.notMatch(answer.text, secret)
    }
    t.notMatch(answer.text, /digest|password|credentials/)

    await setAccess(services, { accountId: account.id, changes: { libraryIds: [open.libraryId] } })
    const limited = await ask('GET', `${ME}/export`, { token: again })
    t.match(limited.text, /zqopen/)
    t.notMatch(limited.text, /zqhidden/)
    t.equal((await ask('GET', `${ME}/export`, { headers: { 'x-api-key': key } })).status, 403)
    t.equal((await ask('GET', `${ME}/export`)).status, 401)
    await age(app)
    t.match(await ask('GET', `${ME}/export`, { token: again }), AGAIN, 'a session that was left open is not enough')
  },
)

void t.test('a list of several pages is exported whole, each row once', async (t) => {
  const { services, registerUser } = await startApp(t)
  const { account } = await registerUser()
  await services.db.query(sql.unsafe`
    insert into playback_sessions (profile_id, device_name, created_at, updated_at)
    select ${account.id}, 'player ' || n, now(), now() from generate_series(1, 1200) n`)
  let text = ''
  for await (const chunk of await exportAccount(services, { accountId: account.id })) text += chunk
  const { players } = JSON.parse(text) as { players: { device_name: string }[] }
  t.equal(players.length, 1200)
  t.equal(new Set(players.map(({ device_name: name }) => name)).size, 1200)
  await t.rejects(exportAccount(services, { accountId: '00000000-0000-0000-0000-000000000000' }), {
    code: 'account_not_found',
  })
})

void t.test('a link is listed and removed by its owner, which signs other devices out', async (t) => {
  const services = await testServices(t)
  const app = await startApp(t, { services })
  const { account, token } = await app.registerUser()
  t.match((await app.ask('GET', LINKS, { token })).json, { links: [] })
  t.match(await app.ask('DELETE', LINKS, { token }), { status: 404, json: { code: 'sign_in_link_not_found' } })
  await linkAccount(services, { usernameOrEmail: 'user', link: { provider: 'plugin', subject: 's' } })
  t.match((await app.ask('GET', LINKS, { token })).json, { links: [{ provider: 'plugin', name: null, subject: 's' }] })
  const other = await app.signIn(account.id)
  await age(app)
  t.match(await app.ask('DELETE', LINKS, { token }), AGAIN)
  const recent = await app.signIn(account.id)
  t.match(await app.ask('DELETE', LINKS, { token: recent }), { status: 200 })
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: recent })).status, 200)
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: other })).status, 401)
})

void t.test('the last way to sign in is kept', async (t) => {
  const provider = {
    'auth.oidc.issuer': 'https://auth.example.test',
    'auth.oidc.client_id': 'phlix',
  } as const
  const { services, user, register, ask } = await startPasskeyApp(t, { flags: provider })
  const { account, token } = user
  const link = { provider: provider['auth.oidc.issuer'], subject: 's' }
  await linkAccount(services, { usernameOrEmail: 'user', link })
  // As an account that the provider has made.
  await services.db.query(sql.unsafe`update users set has_password = false where id = ${account.id}`)
  const LAST = { status: 409, json: { code: 'last_sign_in_way' } }
  t.match(await ask('DELETE', LINKS, { token }), LAST)
  t.equal((await register(user, newAuthenticator())).status, 200)
  const { json } = await ask('GET', '/api/v1/me/webauthn/credentials', { token })
  const id = encodeURIComponent(String(pick(json, 'credentials', 0, 'credential_id')))
  const removePasskey = () => ask('DELETE', `/api/v1/me/webauthn/credentials/${id}`, { token })

  await changeSettings(services, { 'accounts.local_sign_in': false })
  t.match(await ask('DELETE', LINKS, { token }), LAST, 'a passkey is of no use while local sign-in is off')
  await changeSettings(services, { 'accounts.local_sign_in': true })
  const both = await Promise.all([ask('DELETE', LINKS, { token }), removePasskey()])
  t.strictSame(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
    'one of two at once',
  )

  await resetPassword(services, { accountId: account.id, password: 'battery staple' })
  const fresh = await ask('POST', '/api/v1/auth/login', { body: { username: 'user', password: 'battery staple' } })
  const again = String(pick(fresh.json, 'access_token'))
  const answers = [
    await ask('DELETE', LINKS, { token: again }),
    await ask('DELETE', `/api/v1/me/webauthn/credentials/${id}`, { token: again }),
  ]
  t.ok(
    answers.every(({ status }) => status === 200 || status === 404),
    'with a password nothing else is needed',
  )
})

void t.test('a password is changed by who knows it, and ends all other sessions of the account', async (t) => {
  const app = await startApp(t)
  const { account, token } = await app.registerUser()
  const other = await app.signIn(account.id)
  const change = (body: object, as = token) => app.ask('PUT', `${ME}/password`, { token: as, body })
  const fields = { current_password: 'correct horse', new_password: 'battery staple' }
  const logIn = (password: string) => app.ask('POST', '/api/v1/auth/login', { body: { username: 'user', password } })
  t.match(await change({ ...fields, current_password: 'wrong' }), {
    status: 403,
    json: { code: 'current_password_wrong' },
  })
  t.match(await change({ ...fields, new_password: 'short' }), {
    status: 422,
    json: { code: 'validation_failed', fields: { new_password: /at least 8/ } },
  })
  t.equal((await change({ current_password: 'correct horse' })).status, 422)
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: other })).status, 200, 'nothing has changed yet')
  t.match(await change(fields), { status: 200, json: { message: /other devices are signed out/ } })
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token })).status, 200, 'this session goes on')
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: other })).status, 401)
  t.equal((await logIn('correct horse')).status, 401)
  t.equal((await logIn('battery staple')).status, 200)
  const { familyId: sessionId } = await startRefreshSession(app.services, { accountId: account.id, isRestricted: true })
  const ofHub = app.tokens.issueAccess({ accountId: account.id, profileId: account.id, sessionId, epoch: 0 })
  const again = { current_password: 'battery staple', new_password: 'correct horse' }
  t.match(await change(again, ofHub), { status: 403, json: { code: 'full_session_required' } })
  const child = await createProfile(app.services, { accountId: account.id, fields: { name: 'Kim', isKids: true } })
  t.match(await change(again, await app.signIn(account.id, child.id)), {
    status: 403,
    json: { code: 'profile.restricted' },
  })
})

void t.test('wrong passwords at a change of the password are limited as those at a sign-in', async (t) => {
  const app = await startApp(t)
  const { token } = await app.registerUser()
  const change = (current: string) =>
    app.ask('PUT', `${ME}/password`, { token, body: { current_password: current, new_password: 'battery staple' } })
  for (let time = 0; time < 10; time += 1) t.equal((await change('wrong')).status, 403)
  t.match(await change('correct horse'), { status: 429, json: { code: 'rate_limited' } })
})
