import t from 'tap'
import { escapeFilterValue, fillUsernameFilter } from '../../../src/core/ldap/fill-filter.ts'
import { readLdapOptions } from '../../../src/core/ldap/index.ts'
import { loadConfig, type OptionPath } from '../../../src/core/platform/config/index.ts'

const read = (flags: Partial<Record<OptionPath, string>>) =>
  readLdapOptions(loadConfig({ dataDirectory: '/nonexistent/phlix', environment: {}, flags }))

const BASE = { 'auth.ldap.url': 'ldaps://directory.example.test', 'auth.ldap.base_dn': 'dc=example' }

void t.test('values of filters are escaped as RFC 4515 says', (t) => {
  t.equal(
    escapeFilterValue('Parens R Us (for all your parenthetical needs)'),
    'Parens R Us \\28for all your parenthetical needs\\29',
  )
  t.equal(escapeFilterValue('*'), '\\2a')
  t.equal(escapeFilterValue('C:\\MyFile'), 'C:\\5cMyFile')
  t.equal(escapeFilterValue('\0\n\u0085'), '\\00\\0a\\c2\\85')
  t.equal(escapeFilterValue('Lučić'), 'Lučić')
  t.equal(fillUsernameFilter('(|(uid={username})(mail={username}))', "$&$'*"), "(|(uid=$&$'\\2a)(mail=$&$'\\2a))")
  t.equal(fillUsernameFilter('(uid={username})', '{username}'), '(uid={username})')
  t.end()
})

void t.test('a configuration that would send passwords in clear text, or is incomplete, is refused', (t) => {
  t.match(read(BASE), { url: 'ldaps://directory.example.test', searcher: undefined, mayCreateAccounts: false })
  t.equal(read({}), undefined)
  for (const [flags, message] of [
    [{ 'auth.ldap.url': 'ldap://directory.example.test' }, /without encryption/],
    [{ 'auth.ldap.start_tls': 'true' }, /ldaps has TLS already/],
    [{ 'auth.ldap.bind_dn': 'cn=x' }, /needs auth\.ldap\.bind_password/],
    [{ 'auth.ldap.bind_dn': 'cn=x', 'auth.ldap.bind_password': '' }, /needs auth\.ldap\.bind_password/],
    [{ 'auth.ldap.ca_file': '/nonexistent/ca.pem' }, /ca_file cannot be read/],
  ] as const) {
    t.throws(() => read({ ...BASE, ...flags }), { code: 'invalid_config', message }, JSON.stringify(flags))
  }
  t.throws(() => read({ 'auth.ldap.url': BASE['auth.ldap.url'] }), { message: /needs auth\.ldap\.base_dn/ })
  t.ok(read({ ...BASE, 'auth.ldap.url': 'ldap://directory.example.test', 'auth.ldap.start_tls': 'true' }))
  for (const url of [
    'http://x',
    'ldap://',
    'ldaps://a b',
    'ldaps://u:p@x',
    'ldaps://x/dc=example',
    `ldaps://${'x'.repeat(100_000)}`,
  ]) {
    t.throws(() => read({ ...BASE, 'auth.ldap.url': url }), { code: 'invalid_config' }, url.slice(0, 40))
  }
  for (const filter of ['uid={username}', '(uid=ada)', '{username}', `(${'('.repeat(100_000)}{username})`]) {
    t.throws(() => read({ ...BASE, 'auth.ldap.user_filter': filter }), { code: 'invalid_config' }, filter.slice(0, 40))
  }
  t.end()
})
