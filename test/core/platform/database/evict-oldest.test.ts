import t from 'tap'
import { evictOldest } from '../../../../src/core/platform/database/index.ts'

void t.test('the oldest entries are evicted first, and only those beyond the limit', (t) => {
  const remembered = new Map([1, 2, 3, 4, 5].map((number) => [`${number}`, number]))
  remembered.delete('2')
  remembered.set('2', 2)
  evictOldest(remembered, 3)
  t.strictSame([...remembered.keys()], ['4', '5', '2'])
  evictOldest(remembered, 3)
  t.equal(remembered.size, 3)
  evictOldest(remembered, 0)
  t.equal(remembered.size, 0)
  t.end()
})
