import t from 'tap'
import { loadConfig, type OptionPath } from '../../../../src/core/platform/config/index.ts'
import { readOidcOptions } from '../../../../src/core/oidc/index.ts'

const COMPLETE = {
  'server.public_url': 'https://media.example.test',
  'auth.oidc.issuer': 'https://auth.example.test/realms/home',
  'auth.oidc.client_id': 'phlix',
} as const

const load = (flags: Partial<Record<OptionPath, string>>) =>
  loadConfig({ dataDirectory: '/nonexistent/phlix', environment: {}, flags })

void t.test('an issuer is an https address, or an http one of this machine', (t) => {
  for (const issuer of [
    'https://auth.example.test',
    'https://auth.example.test/application/o/phlix/',
    'http://localhost:9000/realms/home',
    'http://127.0.0.1:9000',
  ]) {
    t.equal(load({ 'auth.oidc.issuer': issuer }).options['auth.oidc.issuer'], issuer)
  }
  for (const issuer of [
    'http://auth.example.test',
    'http://localhost.example.test',
    'http://127.0.0.1.example.test/',
    'https://user:secret@auth.example.test',
    'https://auth.example.test?x=1',
    'https://auth.example.test/#x',
    'ftp://auth.example.test',
    'auth.example.test',
    `https://a.example/${'x'.repeat(100_000)}`,
  ]) {
    t.throws(() => load({ 'auth.oidc.issuer': issuer }), { code: 'invalid_config' }, issuer.slice(0, 60))
  }
  t.end()
})

void t.test('scopes contain openid', (t) => {
  for (const scopes of ['openid', 'profile openid', 'openid profile email groups']) {
    t.equal(load({ 'auth.oidc.scopes': scopes }).options['auth.oidc.scopes'], scopes)
  }
  for (const scopes of [
    'profile',
    'openids',
    'xopenid profile',
    'openid  profile',
    ' openid',
    `${'a '.repeat(50_000)}openid`,
  ]) {
    t.throws(() => load({ 'auth.oidc.scopes': scopes }), { code: 'invalid_config' }, scopes.slice(0, 40))
  }
  t.end()
})

void t.test('a group of administrators has a name', (t) => {
  for (const option of ['auth.oidc.admin_group', 'auth.ldap.admin_group'] as const) {
    t.equal(load({}).options[option], undefined)
    for (const name of ['a', 'Media Admins', 'cn=Verwalter für Medien,dc=example', 'x'.repeat(1000)]) {
      t.equal(load({ [option]: name }).options[option], name)
    }
    for (const name of ['', 'a\nb', 'x'.repeat(1001)]) {
      t.throws(() => load({ [option]: name }), { code: 'invalid_config' }, `${option}: ${name.slice(0, 10)}`)
    }
  }
  t.end()
})

void t.test('an incomplete configuration of the provider names what is missing', (t) => {
  t.match(readOidcOptions(load(COMPLETE)), {
    redirectUri: 'https://media.example.test/api/v1/auth/oidc/callback',
    mayCreateAccounts: false,
    adminGroup: undefined,
  })
  t.equal(readOidcOptions(load({ 'server.public_url': 'https://media.example.test' })), undefined)
  for (const missing of ['server.public_url', 'auth.oidc.client_id'] as const) {
    const { [missing]: _, ...rest } = COMPLETE
    const message = new RegExp(`needs ${missing.replaceAll('.', '\\.')}`)
    t.throws(() => readOidcOptions(load(rest)), { code: 'invalid_config', message }, missing)
  }
  t.end()
})
