import t from 'tap'
import { evictOldest } from '../../../../src/core/platform/database/index.ts'

void t.test('the oldest entries are evicted first, and only those beyond the limit', (t) => {
  const cache = new Map([1, 2, 3, 4, 5].map((number) => [`${number}`, number]))
  cache.delete('2')
  cache.set('2', 2)
  evictOldest(cache, 3)
  t.strictSame([...cache.keys()], ['4', '5', '2'])
  evictOldest(cache, 3)
  t.equal(cache.size, 3)
  evictOldest(cache, 0)
  t.equal(cache.size, 0)
  t.end()
})
