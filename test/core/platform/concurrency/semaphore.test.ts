import t from 'tap'
import { Semaphore } from '../../../../src/core/platform/concurrency/index.ts'

const never = new AbortController().signal

void t.test('no more than the limit run concurrently, and the others follow in their order', async (t) => {
  const semaphore = new Semaphore({ permits: 2 })
  const entered: number[] = []
  const taken = Array.from({ length: 5 }, async (_, index) => {
    const giveBack = await semaphore.acquire(never)
    entered.push(index)
    return giveBack
  })
  await settle()
  t.strictSame(entered, [0, 1])
  t.ok(semaphore.isFull)
  const second = await taken[1]
  second?.()
  await settle()
  t.strictSame(entered, [0, 1, 2])
  second?.()
  await settle()
  t.strictSame(entered, [0, 1, 2], 'giving back twice counts once')
  for (const one of [0, 2, 3, 4]) (await taken[one])?.()
  await settle()
  t.strictSame(entered, [0, 1, 2, 3, 4])
  t.notOk(semaphore.isFull)
})

void t.test('who leaves the queue never gets in, and does not hold up the next', async (t) => {
  const semaphore = new Semaphore({ permits: 1 })
  const giveBack = await semaphore.acquire(never)
  const leaver = new AbortController()
  const second = semaphore.acquire(leaver.signal)
  const third = semaphore.acquire(never)
  leaver.abort(new Error('left'))
  await t.rejects(second, { message: 'left' })
  giveBack()
  t.type(await third, 'function')
  await t.rejects(semaphore.acquire(leaver.signal), { message: 'left' }, 'an aborted one is not let in')
})

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

void t.test(
  'work runs at most as often at a time as there are permits, and failing work releases its permit',
  async (t) => {
    const semaphore = new Semaphore({ permits: 2 })
    let [running, mostRunning] = [0, 0]
    const work = async (index: number): Promise<number> => {
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await settle()
      running -= 1
      if (index === 1) throw new Error('failed')
      return index
    }
    const all = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => semaphore.run(() => work(index))))
    t.strictSame(
      all.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    )
    t.equal(mostRunning, 2)
    t.ok(semaphore.isIdle)
  },
)

void t.test('work with a free permit starts synchronously', async (t) => {
  const semaphore = new Semaphore({ permits: 1 })
  let hasStarted = false
  const work = semaphore.run(async () => {
    hasStarted = true
  })
  t.ok(hasStarted)
  await work
})

void t.test('more callers than may wait are refused, and the others are served', async (t) => {
  const semaphore = new Semaphore({ permits: 1, maxWaiting: 1, refusal: () => new Error('full') })
  const release = await semaphore.acquire()
  const waiting = semaphore.acquire()
  await t.rejects(semaphore.acquire(), { message: 'full' })
  release()
  const next = await waiting
  t.ok(semaphore.isFull)
  next()
  t.ok(semaphore.isIdle)
})

void t.test('a caller that waits too long is refused, and its place goes to the next one', async (t) => {
  const semaphore = new Semaphore({
    permits: 1,
    maxWaiting: 1,
    maxWaitMilliseconds: 5,
    refusal: () => new Error('late'),
  })
  const release = await semaphore.acquire()
  await t.rejects(semaphore.acquire(), { message: 'late' })
  const next = semaphore.acquire()
  release()
  t.type(await next, 'function')
})
