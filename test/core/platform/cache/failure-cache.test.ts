import t from 'tap'
import { FailureCache } from '../../../../src/core/platform/cache/index.ts'

function setUp() {
  let now = 0
  const cache = new FailureCache({ monotonicMilliseconds: () => now }, 100)
  return { cache, waitUntil: (milliseconds: number) => (now = milliseconds) }
}

void t.test('a failure is thrown until its lifetime is over', (t) => {
  const { cache, waitUntil } = setUp()
  cache.add('a', new Error('first'))
  cache.add('b', new Error('short'), 10)
  t.throws(() => cache.throwIfFailed('a'), { message: 'first' })
  t.doesNotThrow(() => cache.throwIfFailed('another'))
  waitUntil(10)
  t.doesNotThrow(() => cache.throwIfFailed('b'))
  t.match(cache.get('a'), { message: 'first' })
  waitUntil(100)
  t.equal(cache.get('a'), undefined)
  t.end()
})

void t.test('a newer failure replaces the older one and lasts as long again', (t) => {
  const { cache, waitUntil } = setUp()
  cache.add('a', new Error('first'))
  waitUntil(60)
  cache.add('a', new Error('second'))
  waitUntil(159)
  t.match(cache.get('a'), { message: 'second' })
  t.end()
})

void t.test('of more than a thousand failures the oldest is evicted', (t) => {
  const { cache } = setUp()
  for (let index = 0; index <= 1000; index += 1) cache.add(`key ${index}`, new Error(String(index)))
  t.equal(cache.get('key 0'), undefined)
  t.match(cache.get('key 1'), { message: '1' })
  t.match(cache.get('key 1000'), { message: '1000' })
  t.end()
})
