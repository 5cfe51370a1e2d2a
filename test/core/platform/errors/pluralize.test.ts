import t from 'tap'
import { pluralize } from '../../../../src/core/platform/errors/index.ts'

void t.test('one thing has a singular, and any other number a plural', (t) => {
  t.equal(pluralize(1, 'item'), '1 item')
  for (const count of [0, 2, 1000]) t.equal(pluralize(count, 'item'), `${count} items`)
  t.equal(pluralize(1, 'library', { plural: 'libraries' }), '1 library')
  t.equal(pluralize(2, 'library', { plural: 'libraries' }), '2 libraries')
  t.equal(pluralize(1234, 'file', { number: '1,234' }), '1,234 files')
  t.end()
})
