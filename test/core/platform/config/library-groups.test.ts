import t from 'tap'
import { parseLibraryGroups } from '../../../../src/core/platform/config/index.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'

void t.test('groups name their libraries; the last equals sign of a part counts', async (t) => {
  for (const [text, groups] of [
    ['kids=Cartoons', { kids: ['Cartoons'] }],
    [' kids = Cartoons , Music ; family=* ', { kids: ['Cartoons', 'Music'], family: ['*'] }],
    ['cn=kids,ou=groups,dc=x=Cartoons', { 'cn=kids,ou=groups,dc=x': ['Cartoons'] }],
    ['/media/kids=Films & more', { '/media/kids': ['Films & more'] }],
  ] as const) {
    t.strictSame(Object.fromEntries(parseLibraryGroups(text) ?? []), groups, text)
  }
})

void t.test('other texts are refused', async (t) => {
  for (const text of [
    '',
    ';',
    'kids',
    '=Cartoons',
    'kids=',
    'kids=a,,b',
    'kids=a;',
    'kids=a;kids=b',
    `kids=${'x'.repeat(5000)}`,
  ]) {
    t.equal(parseLibraryGroups(text), undefined, text.slice(0, 20))
  }
  const load = () =>
    loadConfig({ dataDirectory: '/nonexistent', environment: { PHLIX_OIDC_LIBRARY_GROUPS: 'kids' }, flags: {} })
  t.throws(load, { code: 'invalid_config', message: /must be like kids=Cartoons/ })
})
