import t, { type Test } from 'tap'
import { createAccount, linkAccount } from '../../../../src/core/accounts/index.ts'
import type { OptionPath } from '../../../../src/core/platform/config/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { testServices } from '../../../support/services.ts'
import { ADMIN_GROUP, BASE_DN, PASSWORDS, SEARCHER, startSlapd, unlessSlapd } from '../../../support/slapd.ts'

async function start(t: Test, flags: Partial<Record<OptionPath, string>> = {}) {
  const directory = await startSlapd(t)
  const services = await testServices(t, {
    flags: {
      'auth.ldap.url': directory.url,
      'auth.ldap.base_dn': BASE_DN,
      'auth.ldap.bind_dn': SEARCHER.dn,
      'auth.ldap.bind_password': SEARCHER.password,
      'auth.ldap.admin_group': ADMIN_GROUP,
      'auth.ldap.create_accounts': 'true',
      ...flags,
    },
  })
  const app = await startApp(t, { services })
  const logIn = (username: string, password: string) =>
    app.ask('POST', '/api/v1/auth/login', { body: { username, password } })
  return { ...app, directory, logIn }
}

const INVALID = { status: 401, json: { code: 'invalid_credentials' } }
const OUTAGE = { status: 401, json: { code: 'sign_in_provider_unavailable' } }

void t.test(
  'a person of the directory gets an account, whose rights follow the group',
  { skip: unlessSlapd },
  async (t) => {
    const { registerAdmin, logIn, directory } = await start(t)
    await registerAdmin()
    const first = await logIn('ada', PASSWORDS.ada)
    t.match(first, { status: 200, json: { user: { username: 'ada', email: 'ada@example.test', is_admin: true } } })
    t.match(await logIn('ada', PASSWORDS.bob), INVALID)
    t.match(await logIn('ada', ''), INVALID)
    await directory.setAdmins(['bob'])
    const second = await logIn('ADA', PASSWORDS.ada)
    t.match(second, { status: 200, json: { user: { id: pick(first.json, 'user', 'id'), is_admin: false } } })
    t.match(await logIn('bob', PASSWORDS.bob), { status: 200, json: { user: { username: 'bob', is_admin: true } } })
  },
)

void t.test('an account that is not linked is not that of a person with its name', { skip: unlessSlapd }, async (t) => {
  const { services, registerAdmin, logIn } = await start(t, { 'auth.ldap.create_accounts': 'false' })
  await registerAdmin()
  const own = { username: 'ada', email: 'own@example.test', password: 'correct horse', isAdmin: false }
  await createAccount(services, own)
  t.match(await logIn('ada', PASSWORDS.ada), INVALID)
  t.match(await logIn('bob', PASSWORDS.bob), INVALID, 'and without create_accounts there is no new account')
  t.match(await logIn('ada@example.test', PASSWORDS.ada), INVALID)
  t.equal((await logIn('ada', 'correct horse')).status, 200)
})

void t.test(
  'while the directory does not answer, local passwords are accepted, and others are failed sign-ins',
  { skip: unlessSlapd },
  async (t) => {
    const { services, registerAdmin, logIn, directory } = await start(t)
    await registerAdmin()
    t.equal((await logIn('ada', PASSWORDS.ada)).status, 200)
    await directory.stop()
    t.match(await logIn('ada', PASSWORDS.ada), OUTAGE, 'a linked account')
    t.match(await logIn('nobody', 'correct horse'), OUTAGE)
    t.match(await logIn('admin', 'wrong horse'), OUTAGE)
    t.equal((await logIn('admin', 'correct horse')).status, 200)
    for (let count = 0; count < 12; count += 1) await logIn(`stranger-${count}`, 'correct horse')
    t.equal((await logIn('admin', 'correct horse')).status, 200, 'the outage locks nobody out')
    await directory.start()
    t.equal((await logIn('ada', PASSWORDS.ada)).status, 200)
    await linkAccount(services, { usernameOrEmail: 'ada', link: null })
    t.match(await logIn('ada', PASSWORDS.ada), INVALID, 'without its link the account is not asked about')
  },
)
