import t from 'tap'
import { createHashingQueue } from '../../../../src/core/platform/credentials/hashing-queue.ts'

/** A queue whose work ends when the test ends it. */
function setUp(limits: { concurrent?: number; maxWaiting?: number; maxWaitingOfClient?: number } = {}) {
  const queue = createHashingQueue({ concurrent: 1, maxWaiting: 10, maxWaitingOfClient: 10, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string, turn?: Parameters<typeof queue>[1]) =>
    queue(async () => {
      begun.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      await promise
      return name
    }, turn)
  return { queue, begun, add, end: (name: string) => ends.get(name)?.() }
}

const BUSY = { code: 'sign_in_busy', kind: 'busy', retryAfterSeconds: 2 }

void t.test('work is done first come, first served, with limited concurrency', async (t) => {
  const { add, begun, end } = setUp({ concurrent: 2 })
  const all = ['a', 'b', 'c', 'd'].map((name) => add(name))
  t.strictSame(begun, ['a', 'b'])
  end('b')
  t.equal(await all[1], 'b')
  t.strictSame(begun, ['a', 'b', 'c'])
  for (const name of ['a', 'c']) end(name)
  await all[2]
  end('d')
  t.strictSame(await Promise.all(all), ['a', 'b', 'c', 'd'])
})

void t.test('a full queue refuses immediately, and accepts again when a place is free', async (t) => {
  const { add, end } = setUp({ maxWaiting: 2 })
  const all = ['a', 'b', 'c'].map((name) => add(name))
  await t.rejects(add('d'), BUSY)
  end('a')
  await all[0]
  const late = add('e')
  for (const [index, name] of ['b', 'c'].entries()) {
    end(name)
    await all[index + 1]
  }
  end('e')
  t.equal(await late, 'e')
})

void t.test('one client cannot take the places of others', async (t) => {
  const { add } = setUp({ maxWaitingOfClient: 2 })
  for (let count = 0; count < 3; count += 1) void add('flood', { client: 'flood' })
  await t.rejects(add('flood', { client: 'flood' }), BUSY)
  void add('owner', { client: 'owner' })
  void add('command')
  t.pass('both wait')
})

void t.test('work of a disconnected client leaves the queue and is never started', async (t) => {
  const { add, begun, end } = setUp({ maxWaiting: 2 })
  const first = add('a')
  const leaving = new AbortController()
  const gone = add('b', { signal: leaving.signal })
  const staying = add('c', { signal: new AbortController().signal })
  leaving.abort()
  await t.rejects(gone, { code: 'login_abandoned' })
  await t.rejects(add('d', { signal: leaving.signal }), { code: 'login_abandoned' }, 'also before it could wait')
  void add('e')
  end('a')
  await first
  end('c')
  await staying
  t.strictSame(begun, ['a', 'c', 'e'], 'the place of the caller that left was free')
})

void t.test('a signal that fires after the work has begun changes nothing', async (t) => {
  const { add, end } = setUp()
  const leaving = new AbortController()
  const first = add('a')
  const second = add('b', { signal: leaving.signal })
  end('a')
  await first
  leaving.abort()
  end('b')
  t.equal(await second, 'b')
})

void t.test('failed work releases its place', async (t) => {
  const { queue, add, end } = setUp()
  const failing = queue(() => Promise.reject(new Error('broken')))
  const next = add('a')
  await t.rejects(failing, { message: 'broken' })
  end('a')
  t.equal(await next, 'a')
})
