import t from 'tap'
import { cacheResult } from '../../../../src/core/platform/cache/index.ts'

void t.test('a result is cached for its time, a failure is not', async (t) => {
  let [now, reads] = [0, 0]
  const read = cacheResult({ monotonicMilliseconds: () => now }, 10, async () => {
    reads += 1
    if (reads === 3) throw new Error('no')
    return reads
  })
  t.strictSame(await Promise.all([read(), read()]), [1, 1])
  now = 9
  t.equal(await read(), 1)
  now = 10
  t.equal(await read(), 2)
  now = 20
  await t.rejects(read(), { message: 'no' })
  t.equal(await read(), 4)
})
