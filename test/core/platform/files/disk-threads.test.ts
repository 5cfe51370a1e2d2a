import { mock } from 'node:test'
import t from 'tap'
import { createDiskThreads } from '../../../../src/core/platform/files/index.ts'

void t.test('an idle thread is reused, but not after it is being terminated', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const diskThreads = createDiskThreads()
  const first = diskThreads.acquire('stat')
  const ended = new Promise((resolve) => first.worker.once('exit', resolve))
  first.release()
  mock.timers.tick(9999)
  const again = diskThreads.acquire('stat')
  t.equal(again.worker, first.worker)
  again.release()
  mock.timers.tick(10_000)
  // In the same turn of the event loop: its end has not been observed yet.
  const next = diskThreads.acquire('stat')
  t.not(next.worker, first.worker)
  next.discard()
  await ended
})
