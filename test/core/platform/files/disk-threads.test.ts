import { mock } from 'node:test'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { createDiskThreads, startWalk, statFolder } from '../../../../src/core/platform/files/index.ts'

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

void t.test('the checks of a folder and the walk between them use one thread', async (t) => {
  const pool = createDiskThreads()
  const workers = new Set<Worker>()
  const acquire: typeof pool.acquire = (work) => {
    const thread = pool.acquire(work)
    workers.add(thread.worker)
    return thread
  }
  const services = { diskThreads: { ...pool, acquire } }
  const root = t.testdir({ 'song.mp3': 'sound' })
  await statFolder(services, root)
  const found: string[] = []
  for await (const batch of startWalk(services, { root, kinds: ['audio'], signal: new AbortController().signal })) {
    const files = await batch.filesOf(batch.folders.map((_, index) => index))
    found.push(...files.flat().map(({ name }) => name))
  }
  t.strictSame(found, ['song.mp3'])
  t.equal((await statFolder(services, root)).isEmpty, false)
  t.equal(workers.size, 1)
  pool.acquire('stat').discard()
})
