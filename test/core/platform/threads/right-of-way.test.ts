import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import {
  beginBackgroundStatement,
  forgetBackgroundStatements,
  giveWay,
  giveWayToStatements,
  takeRightOfWay,
} from '../../../../src/core/platform/threads/index.ts'

const THREADS = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

/** Waits in rounds: 1 says in the first place that a round begins, 2 that it is over; the second place is what the test has set by then. */
const SCRIPT = `
import { workerData } from 'node:worker_threads'
import { giveWay, giveWayToStatements } from ${JSON.stringify(THREADS)}
const { memory, call, rounds } = workerData
const [places, wait] = [new Int32Array(memory), call === 'requests' ? giveWay : giveWayToStatements]
const say = (word) => { Atomics.store(places, 0, word); Atomics.notify(places, 0) }
for (let round = 0; round < rounds; round += 1) {
  // What has worked may wait.
  for (const from = performance.now(); performance.now() - from < 60;);
  say(1)
  wait()
  const releasedBefore = Atomics.load(places, 1)
  Atomics.add(places, 2, releasedBefore)
  say(2)
  Atomics.wait(places, 0, 2)
}
`

type Call = 'requests' | 'statements'

function threadOf(t: Test, { call, rounds }: { call: Call; rounds: number }) {
  const memory = new SharedArrayBuffer(12)
  const file = join(t.testdir({ 'thread.mjs': SCRIPT }), 'thread.mjs')
  const worker = new Worker(file, { workerData: { memory, call, rounds } })
  return { worker, places: new Int32Array(memory) }
}

/** In how many of some rounds the thread went on only after what was begun had ended. */
function roundsWaited(t: Test, call: Call, begin: () => () => void): number {
  const rounds = 20
  const { places } = threadOf(t, { call, rounds })
  for (let round = 0; round < rounds; round += 1) {
    Atomics.store(places, 1, 0)
    const end = begin()
    if (round > 0) Atomics.store(places, 0, 0)
    Atomics.notify(places, 0)
    while (Atomics.load(places, 0) === 0) Atomics.wait(places, 0, 0)
    Atomics.wait(places, 1, 0, 5)
    Atomics.store(places, 1, 1)
    end()
    while (Atomics.load(places, 0) === 1) Atomics.wait(places, 0, 1)
  }
  const waited = Atomics.load(places, 2)
  Atomics.store(places, 0, 0)
  Atomics.notify(places, 0)
  return waited
}

void t.test('work in the background goes on when the request is answered', async (t) => {
  t.ok(roundsWaited(t, 'requests', takeRightOfWay) > 10)
})

void t.test('who would take the last processor waits also for statements, while somebody asks', async (t) => {
  const waited = roundsWaited(t, 'statements', () => {
    takeRightOfWay()()
    return beginBackgroundStatement()
  })
  t.ok(waited > 10)
})

void t.test('while nobody asks, nobody waits for statements', async (t) => {
  await new Promise((resolve) => setTimeout(resolve, 400))
  const end = beginBackgroundStatement()
  t.teardown(end)
  const { worker, places } = threadOf(t, { call: 'statements', rounds: 1 })
  // The thread is new, and takes what was asked before it for something that was asked just now.
  while (Atomics.load(places, 0) !== 2) await Atomics.waitAsync(places, 0, Atomics.load(places, 0), 50).value
  Atomics.store(places, 0, 0)
  Atomics.notify(places, 0)
  await once(worker, 'exit')
})

void t.test('nobody waits for a statement of a thread that has died', async (t) => {
  const waited = roundsWaited(t, 'statements', () => {
    takeRightOfWay()()
    const end = beginBackgroundStatement()
    forgetBackgroundStatements()
    return end
  })
  t.ok(waited < 10)
})

void t.test('a request that never ends, or a statement, ends no work', async (t) => {
  const ends = [takeRightOfWay(), beginBackgroundStatement()]
  for (const call of ['requests', 'statements'] as const) {
    const { worker, places } = threadOf(t, { call, rounds: 3 })
    const goOn = setInterval(() => {
      if (Atomics.compareExchange(places, 0, 2, 0) === 2) Atomics.notify(places, 0)
    }, 5)
    await once(worker, 'exit')
    clearInterval(goOn)
  }
  for (const end of ends) {
    end()
    end()
  }
})

void t.test('the main thread, which answers the requests, never waits for them', async (t) => {
  const ends = [takeRightOfWay(), beginBackgroundStatement()]
  const wait = t.capture(Atomics, 'wait')
  giveWay()
  giveWayToStatements()
  t.strictSame(wait(), [])
  for (const end of ends) end()
})
