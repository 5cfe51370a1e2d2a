import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createInvite,
  findLocalSignInRisk,
  findUsableRescueAccount,
  linkAccount,
  removeRescueAccount,
  removeSignInWay,
  setAdministrator,
  setRescueAccount,
} from '../../../../src/core/accounts/index.ts'
import type { OptionPath } from '../../../../src/core/platform/config/index.ts'
import type { Connection } from '../../../../src/core/platform/database/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { warnAboutLocalSignInRisk } from '../../../../src/daemon/local-sign-in-risk.ts'
import { pick, startApp } from '../../../support/app.ts'

import { newAuthenticator, startPasskeyApp } from '../../../support/passkeys.ts'
import { testServices } from '../../../support/services.ts'

const PROVIDER = {
  'server.public_url': 'https://media.example.test',
  'auth.oidc.issuer': 'https://auth.example.test',
  'auth.oidc.client_id': 'phlix',
} as const

/** Adds a header that makes the client remote: the test itself is a trusted proxy. */
const REMOTE = { 'x-forwarded-for': '203.0.113.9' }

async function start(t: Test, flags: Partial<Record<OptionPath, string>>) {
  const services = await testServices(t, { flags: { 'server.trusted_proxies': '127.0.0.0/8,::1', ...flags } })
  const app = await startApp(t, { services })
  const logIn = (username: string, { password = 'correct horse', headers = {} } = {}) =>
    app.ask('POST', '/api/v1/auth/login', { body: { username, password }, headers })
  return { ...app, logIn }
}

const OFF = { status: 403, json: { code: 'local_sign_in_off' } }

void t.test('while local sign-in is off, right and wrong passwords have one answer, and sessions go on', async (t) => {
  const { services, logIn, registerAdmin, ask } = await start(t, PROVIDER)
  const { token } = await registerAdmin()
  t.equal((await logIn('admin')).status, 200)
  await changeSettings(services, { 'accounts.local_sign_in': false })
  const answers = [await logIn('admin'), await logIn('admin', { password: 'wrong horse' }), await logIn('nobody')]
  for (const answer of answers) t.match(answer, OFF)
  t.equal(new Set(answers.map(({ text }) => text)).size, 1)
  t.equal((await ask('GET', '/api/v1/auth/me', { token })).status, 200)
  const newcomer = { username: 'new', email: 'new@example.test', password: 'correct horse' }
  const closed = { status: 403, json: { code: 'registration_closed' } }
  t.match(await ask('POST', '/api/v1/auth/register', { body: newcomer }), closed)
  const { code } = await createInvite(services, { expiresAt: new Date(services.clock.now().getTime() + 3_600_000) })
  t.match(await ask('POST', '/api/v1/auth/invite', { body: { invite_code: code } }), closed)
  t.match((await ask('GET', '/api/v1/auth/options', { headers: REMOTE })).json, { password: false, oidc: {} })
  await changeSettings(services, { 'accounts.local_sign_in': true })
  t.equal((await logIn('admin')).status, 200)
})

void t.test('the rescue account signs in on the server itself, and nobody else and nowhere else', async (t) => {
  const { services, ask, logIn, registerAdmin, registerUser } = await start(t, {
    ...PROVIDER,
    'accounts.local_sign_in': 'false',
  })
  await registerAdmin()
  await registerUser()
  t.match(await logIn('admin'), OFF)
  const options = async () => (await ask('GET', '/api/v1/auth/options')).json
  t.match(await options(), { password: false }, 'no form for a password that nobody could use')
  await setRescueAccount(services, 'ADMIN')
  t.match(await options(), { password: true })
  t.match((await ask('GET', '/api/v1/auth/options', { headers: REMOTE })).json, { password: false })
  t.match(await logIn('admin'), { status: 200, json: { user: { username: 'admin' } } })
  t.match(await logIn('admin', { password: 'wrong horse' }), OFF)
  t.match(await logIn('user'), OFF)
  t.match(await logIn('admin', { headers: REMOTE }), OFF, 'from another machine')
  t.match(await logIn('admin', { headers: { 'x-forwarded-for': '192.168.1.20' } }), OFF, 'from the local network')
  await setAdministrator(services, { usernameOrEmail: 'user', isAdmin: true })
  await services.db.query(sql.unsafe`update users set is_admin = false where username = 'admin'`)
  t.match(await logIn('admin'), OFF, 'without the rights of an administrator')
  await t.rejects(setRescueAccount(services, 'admin'), { code: 'rescue_not_administrator' })
  await setRescueAccount(services, 'user')
  t.equal((await logIn('user')).status, 200)
  await services.db.query(sql.unsafe`delete from rescue_accounts`)
  t.match(await logIn('user'), OFF)
})

void t.test('while local sign-in is off, a passkey is refused, except that of the rescue account', async (t) => {
  const { services, user, admin, register, logIn } = await startPasskeyApp(t, { flags: PROVIDER })
  const [own, other] = [newAuthenticator(), newAuthenticator()]
  t.equal((await register(admin, own)).status, 200)
  t.equal((await register(user, other)).status, 200)
  await changeSettings(services, { 'accounts.local_sign_in': false })
  await setRescueAccount(services, 'admin')
  t.match(await logIn('user', other), { status: 403 })
  t.equal((await logIn('admin', own)).status, 200)
  await services.db.query(sql.unsafe`delete from rescue_accounts`)
  t.match(await logIn('admin', own), { status: 403 })
})

void t.test('while local sign-in is off, the rescue account stays an active administrator', async (t) => {
  const { services, ask, registerAdmin, registerUser, signIn } = await start(t, PROVIDER)
  const { account: rescue } = await registerAdmin()
  const { account: other } = await registerUser()
  await setAdministrator(services, { usernameOrEmail: 'user', isAdmin: true })
  await setRescueAccount(services, 'admin')
  await changeSettings(services, { 'accounts.local_sign_in': false })
  const token = await signIn(other.id)
  const users = `/api/v1/admin/users/${rescue.id}`
  const needed = { status: 409, json: { code: 'rescue_account_needed' } }
  t.match(await ask('DELETE', users, { token }), needed)
  t.match(await ask('POST', `${users}/set-admin`, { token, body: { is_admin: false } }), needed)
  t.match(await ask('POST', `${users}/disable`, { token, body: {} }), needed)
  const remove = (isAccepted: boolean) => removeRescueAccount(services, { isAccepted })
  await t.rejects(remove(true), { code: 'nobody_could_sign_in' }, 'nobody is linked to the provider')
  const link = { provider: PROVIDER['auth.oidc.issuer'], subject: 'user' }
  await linkAccount(services, { usernameOrEmail: 'user', link })
  await t.rejects(remove(false), { code: 'rescue_account_needed' })
  t.equal((await findUsableRescueAccount(services))?.username, 'admin', 'nothing was changed')
  await setRescueAccount(services, 'user')
  t.match(await ask('POST', `${users}/set-admin`, { token, body: { is_admin: false } }), { status: 200 })
  await remove(true)
  await changeSettings(services, { 'accounts.local_sign_in': true })
  await setAdministrator(services, { usernameOrEmail: 'admin', isAdmin: true })
  await setRescueAccount(services, 'admin')
  t.match(await ask('DELETE', users, { token }), { status: 200 }, 'while it is on, nobody is needed')
  await remove(false)
})

void t.test('the rescue account needs a password or a passkey, also when it is linked to the provider', async (t) => {
  const { services, registerAdmin } = await start(t, PROVIDER)
  const { account } = await registerAdmin()
  const setPassword = (hasPassword: boolean) =>
    services.db.query(sql.unsafe`update users set has_password = ${hasPassword} where id = ${account.id}`)
  const link = { provider: PROVIDER['auth.oidc.issuer'], subject: 'admin' }
  await linkAccount(services, { usernameOrEmail: 'admin', link })
  await setPassword(false)
  await t.rejects(setRescueAccount(services, 'admin'), { code: 'rescue_without_local_way' })
  await setPassword(true)
  await setRescueAccount(services, 'admin')
  t.equal((await findUsableRescueAccount(services))?.username, 'admin')
  await changeSettings(services, { 'accounts.local_sign_in': false })
  const remove = (name: string, work: (connection: Connection) => Promise<unknown>) =>
    t.test(name, async (t) => {
      const { db, config } = services
      const removed = db.transaction((connection) =>
        removeSignInWay({ config, connection, accountId: account.id }, async () => void (await work(connection))),
      )
      await t.rejects(removed, { code: 'last_sign_in_way' })
    })
  await remove('its last local way stays', (connection) =>
    connection.query(sql.unsafe`update users set has_password = false where id = ${account.id}`),
  )
  await setPassword(false)
  t.equal(await findUsableRescueAccount(services), undefined, 'who cannot sign in here rescues nobody')
  await remove('its last link stays when it has no local way', (connection) =>
    connection.query(sql.unsafe`delete from account_sign_in_links where user_id = ${account.id}`),
  )
})

void t.test('local sign-in cannot be switched off without another way to sign in', async (t) => {
  const { services, registerAdmin, ask, logIn } = await start(t, {})
  const { token } = await registerAdmin()
  const body = { settings: { 'accounts.local_sign_in': false } }
  const refused = await ask('PUT', '/api/v1/admin/settings', { token, body })
  t.match([refused.status, pick(refused.json, 'message')], [400, /can only be off with/], refused.text)
  await t.rejects(changeSettings(services, { 'accounts.local_sign_in': false }), { code: 'setting_invalid' })
  await t.rejects(testServices(t, { flags: { 'accounts.local_sign_in': 'false' } }), {
    code: 'invalid_config',
    message: /can only be off with auth\.oidc\.issuer or auth\.ldap\.url/,
  })
  t.equal((await logIn('admin')).status, 200)
})

void t.test('local sign-in cannot be switched off while nobody could sign in at the provider', async (t) => {
  const { services, registerAdmin, ask, signIn } = await start(t, PROVIDER)
  const { account } = await registerAdmin()
  const switchOff = async (accepted: { accept_sign_in_risk?: boolean } = {}) =>
    ask('PUT', '/api/v1/admin/settings', {
      token: await signIn(account.id),
      body: { settings: { 'accounts.local_sign_in': false }, ...accepted },
    })
  const accepted = { accept_sign_in_risk: true }
  t.match(await switchOff(), { status: 409, json: { code: 'nobody_could_sign_in' } })
  t.match(await switchOff(accepted), { status: 409, json: { code: 'nobody_could_sign_in' } }, 'that is no risk')
  t.equal(await findLocalSignInRisk(services), 'nobody')
  const link = { provider: `${PROVIDER['auth.oidc.issuer']}/`, subject: 'ada' }
  await linkAccount(services, { usernameOrEmail: account.username, link })
  t.equal(await findLocalSignInRisk(services), 'no_rescue', 'a slash at the end is another spelling of the issuer')
  t.match(await switchOff(), { status: 409, json: { code: 'rescue_account_missing' } })
  t.match(await switchOff({ accept_sign_in_risk: false }), { status: 409, json: { code: 'rescue_account_missing' } })
  t.match(await switchOff(accepted), { status: 200 })
  await changeSettings(services, { 'accounts.local_sign_in': true })
  await linkAccount(services, { usernameOrEmail: account.username, link: null })
  await setRescueAccount(services, account.username)
  t.equal(await findLocalSignInRisk(services), undefined)
  const unreachable = { code: 'sign_in_provider_unreachable', message: /OpenID provider does not answer/ }
  t.match(await switchOff(), { status: 409, json: unreachable })
  t.equal(services.config.options['accounts.local_sign_in'], true, 'nothing was changed')
  t.match(await switchOff(accepted), { status: 200 })
})

void t.test('a provider that makes accounts, or a server without accounts, leaves somebody', async (t) => {
  const creating = await start(t, { ...PROVIDER, 'auth.oidc.create_accounts': 'true' })
  t.equal(await findLocalSignInRisk(creating.services), 'no_rescue')
  await creating.registerAdmin()
  t.equal(await findLocalSignInRisk(creating.services), 'no_rescue')
})

void t.test('a start with local sign-in off by configuration needs somebody who can sign in', async (t) => {
  const { services, registerAdmin } = await start(t, { ...PROVIDER, 'accounts.local_sign_in': 'false' })
  await warnAboutLocalSignInRisk(services)
  await registerAdmin()
  await t.rejects(warnAboutLocalSignInRisk(services), {
    code: 'invalid_config',
    message: /nobody could sign in/,
    hint: /user:rescue/,
  })
  await setRescueAccount(services, 'admin')
  await warnAboutLocalSignInRisk(services)
})

void t.test('a setting of an earlier configuration does not lock everybody out', async (t) => {
  const { services, logIn, registerAdmin } = await start(t, {})
  await registerAdmin()
  const configured = { ...services.config, options: { ...services.config.options, ...PROVIDER } }
  await changeSettings({ ...services, config: configured }, { 'accounts.local_sign_in': false })
  t.equal((await logIn('admin')).status, 200)
})
