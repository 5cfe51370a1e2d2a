import t from 'tap'
import { readOidcOptions } from '../../../src/core/oidc/index.ts'
import { parseGroupClaim, parsePersonClaims } from '../../../src/core/oidc/parse-person-claims.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'

void t.test('groups are a list of texts or one text, also below a path', (t) => {
  for (const [claims, name, groups] of [
    [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
    [{ groups: 'a' }, 'groups', ['a']],
    [{ groups: ['a', 1, null, ['b'], { c: 1 }] }, 'groups', ['a']],
    [{}, 'groups', []],
    [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    [{ 'https://example.test/groups': ['a'] }, 'https://example.test/groups', ['a']],
    [{ realm_access: null }, 'realm_access.roles', []],
    [{ groups: ['a'] }, 'groups.0', ['a']],
    [{}, 'constructor.name', []],
    [{}, '__proto__.x', []],
  ] as const) {
    t.strictSame(parseGroupClaim(claims, name), groups, name)
  }
  t.end()
})

void t.test('an address counts only if the provider has verified it or says nothing about it', (t) => {
  const flags = {
    'auth.oidc.issuer': 'https://auth.example.test',
    'auth.oidc.client_id': 'phlix',
    'server.public_url': 'https://media.example.test',
  }
  const options = readOidcOptions(loadConfig({ dataDirectory: '/nonexistent/phlix', environment: {}, flags }))
  if (options === undefined) throw new Error('no provider is configured')
  const email = 'ada@example.test'
  const emailOf = (claims: Record<string, unknown>): string | null =>
    parsePersonClaims({ sub: 'p', email, ...claims }, { options, issuer: options.issuer, idToken: undefined }).email
  t.equal(emailOf({}), email)
  t.equal(emailOf({ email_verified: true }), email)
  for (const value of [false, 'false', 'true', null, 0, 1, '', [], {}]) {
    t.equal(emailOf({ email_verified: value }), null, JSON.stringify(value))
  }
  t.end()
})
