import t from 'tap'
import { groupsOf } from '../../../src/core/oidc/person-of-claims.ts'

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
    t.strictSame(groupsOf(claims, name), groups, name)
  }
  t.end()
})
