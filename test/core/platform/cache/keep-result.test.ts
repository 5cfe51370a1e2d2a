import t from 'tap'
import { keepResult } from '../../../../src/core/platform/cache/index.ts'

void t.test('a result is read once, also for concurrent callers, and a failure is not kept', async (t) => {
  let reads = 0
  const read = keepResult(async () => {
    reads += 1
    if (reads === 1) throw new Error('the disk is not there')
    return reads
  })
  const failed = await Promise.allSettled([read(), read()])
  t.strictSame(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  t.equal(reads, 1)
  t.strictSame(await Promise.all([read(), read()]), [2, 2])
  t.equal(await read(), 2)
})
