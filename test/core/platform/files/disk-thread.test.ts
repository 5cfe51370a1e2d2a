import { mock } from 'node:test'
import t from 'tap'
import { acquireDiskThread } from '../../../../src/core/platform/files/disk-thread.ts'

void t.test('a thread is used again while it rests, and not once it is told to end', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const first = acquireDiskThread('stat')
  const ended = new Promise((resolve) => first.worker.once('exit', resolve))
  first.release()
  mock.timers.tick(9999)
  const again = acquireDiskThread('stat')
  t.equal(again.worker, first.worker)
  again.release()
  mock.timers.tick(10_000)
  // In the same turn: it has not been seen to end.
  const next = acquireDiskThread('stat')
  t.not(next.worker, first.worker)
  next.discard()
  await ended
})
