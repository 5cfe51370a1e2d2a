import t from 'tap'
import { EVERYTHING, explainRule } from '../../../src/core/access/index.ts'

const FACTS = { libraryId: 'a', type: 'movie', accessAge: 12, isUnrated: false, tags: ['war'], topTags: ['war'] }

void t.test('every limit that hides an item is a reason, and a rule without limits has none', (t) => {
  t.strictSame(explainRule(EVERYTHING, FACTS), [])
  const codesOf = (rule: object, facts: object = {}): string[] =>
    explainRule({ ...EVERYTHING, ...rule }, { ...FACTS, ...facts }).map(({ code }) => code)
  t.strictSame(codesOf({ libraryIds: ['a'], maxAge: 12, allowedTags: [['war', 'peace']] }), [])
  t.strictSame(codesOf({ libraryIds: ['b'], maxAge: 7 }), ['library', 'age'])
  t.strictSame(codesOf({ maxAge: 18 }, { accessAge: null, isUnrated: true }), ['unrated'])
  t.strictSame(codesOf({ maxAge: 18, allowsUnrated: true }, { accessAge: null, isUnrated: true }), [])
  t.strictSame(codesOf({ maxAge: 18 }, { accessAge: null, isUnrated: true, type: 'audio' }), [])
  t.strictSame(codesOf({ blockedTags: ['war'], allowedTags: [['peace'], []] }), ['tag', 'tag'])
  t.end()
})
