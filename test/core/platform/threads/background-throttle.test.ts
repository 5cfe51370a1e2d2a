import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createBackgroundThrottle } from '../../../../src/core/platform/threads/index.ts'

const THREADS = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

const {
  beginBackgroundStatement,
  resetBackgroundStatements,
  yieldToRequests,
  yieldToStatements,
  beginForegroundRequest,
} = createBackgroundThrottle()

/** The state that the thread reports: it works, it waits, or a round has ended. */
const [WORKING, WAITING, OVER] = [0, 1, 2]

/** The working time of a background thread before each round, by its clock. */
const WORKED_MILLISECONDS = 60

/**
 * Waits in rounds, on a clock that only the rounds advance: each starts with work of 60 ms. `limits` defines a wait whose limit has
 * expired: `never` ends a wait only by notification, so that a slow machine ends no wait early; `pass` lets each limit expire at once.
 * Shared memory: the state of the thread; whether the test has ended its work; rounds that continued after that; milliseconds waited.
 */
const SCRIPT = `
import { parentPort, workerData } from 'node:worker_threads'
const { memory, call, rounds, limits } = workerData
const places = new Int32Array(memory)
let now = 1000
Object.defineProperty(performance, 'now', { value: () => now })
const say = (word) => { Atomics.store(places, 0, word); Atomics.notify(places, 0) }
const really = Atomics.wait
Atomics.wait = (where, at, value, limit) => {
  if (limits === 'pass') {
    now += limit
    Atomics.add(places, 3, Math.round(limit))
    return 'timed-out'
  }
  // Nothing is running: the remaining wait is the pause for a possible next request.
  if (value === 0) return 'timed-out'
  say(${WAITING})
  return really(where, at, value, Infinity)
}
const { createBackgroundThrottle } = await import(${JSON.stringify(THREADS)})
const { yieldToRequests, yieldToStatements } = createBackgroundThrottle()
for (let round = 0; round < rounds; round += 1) {
  now += ${WORKED_MILLISECONDS}
  call === 'requests' ? yieldToRequests() : yieldToStatements()
  Atomics.add(places, 2, Atomics.load(places, 1))
  say(${OVER})
  really(places, 0, ${OVER})
}
`

type Order = { call: 'requests' | 'statements'; rounds: number; limits: 'never' | 'pass' }

function threadOf(t: Test, order: Order) {
  const memory = new SharedArrayBuffer(16)
  const file = join(t.testdir({ 'thread.mjs': SCRIPT }), 'thread.mjs')
  const worker = new Worker(file, { workerData: { memory, ...order } })
  const exited = once(worker, 'exit')
  const places = new Int32Array(memory)
  /** The next state of the thread that differs from `word`. */
  const after = async (word: number): Promise<number> => {
    while (Atomics.load(places, 0) === word) await Atomics.waitAsync(places, 0, word).value
    return Atomics.load(places, 0)
  }
  const nextRound = (): void => {
    Atomics.store(places, 1, 0)
    Atomics.store(places, 0, WORKING)
    Atomics.notify(places, 0)
  }
  return { places, after, nextRound, exited }
}

const ROUNDS = 20

/** The number of rounds in which the thread waited, and the number in which it continued only after the running work had ended. */
async function roundsOf(t: Test, call: Order['call'], begin: () => () => void) {
  let end = begin()
  const { places, after, nextRound, exited } = threadOf(t, { call, rounds: ROUNDS, limits: 'never' })
  let waited = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    if ((await after(WORKING)) === WAITING) waited += 1
    Atomics.store(places, 1, 1)
    end()
    if (Atomics.load(places, 0) === WAITING) await after(WAITING)
    if (round + 1 < ROUNDS) end = begin()
    nextRound()
  }
  await exited
  return { waited, wentOnAfterwards: Atomics.load(places, 2) }
}

void t.test('background work continues when the request is answered', async (t) => {
  t.match(await roundsOf(t, 'requests', beginForegroundRequest), { waited: ROUNDS, wentOnAfterwards: ROUNDS })
})

void t.test('work that would use the last processor also waits for statements while requests arrive', async (t) => {
  const rounds = await roundsOf(t, 'statements', () => {
    beginForegroundRequest()()
    return beginBackgroundStatement()
  })
  t.match(rounds, { waited: ROUNDS, wentOnAfterwards: ROUNDS })
})

void t.test('without requests no thread waits for statements', async (t) => {
  beginForegroundRequest()()
  const end = beginBackgroundStatement()
  t.teardown(end)
  const { places, after, nextRound, exited } = threadOf(t, { call: 'statements', rounds: 10, limits: 'pass' })
  const waited: number[] = []
  for (let round = 0; round < 10; round += 1) {
    await after(WORKING)
    waited.push(Atomics.exchange(places, 3, 0))
    nextRound()
  }
  await exited
  // The thread is new, and treats earlier requests as recent.
  t.ok((waited[0] ?? 0) > 0)
  t.strictSame(waited.slice(5), [0, 0, 0, 0, 0], 'after 300 ms without a question')
})

void t.test('no thread waits for a statement of a dead thread', async (t) => {
  const { waited } = await roundsOf(t, 'statements', () => {
    beginForegroundRequest()()
    const end = beginBackgroundStatement()
    resetBackgroundStatements()
    return end
  })
  t.equal(waited, 0)
})

void t.test('an endless request or statement does not stop the work', async (t) => {
  const ends = [beginForegroundRequest(), beginBackgroundStatement()]
  for (const [call, most] of [
    ['requests', WORKED_MILLISECONDS],
    ['statements', 2 * WORKED_MILLISECONDS],
  ] as const) {
    const { places, after, nextRound, exited } = threadOf(t, { call, rounds: 3, limits: 'pass' })
    for (let round = 0; round < 3; round += 1) {
      await after(WORKING)
      const waited = Atomics.exchange(places, 3, 0)
      t.ok(waited > 0 && waited <= most, `${call}: ${waited} ms of at most ${most}, which the work has earned`)
      // Another request arrives, so that statements are still waited for.
      beginForegroundRequest()()
      nextRound()
    }
    await exited
  }
  for (const end of ends) {
    end()
    end()
  }
})

void t.test('the main thread, which answers the requests, never waits for them', async (t) => {
  const ends = [beginForegroundRequest(), beginBackgroundStatement()]
  const wait = t.capture(Atomics, 'wait')
  yieldToRequests()
  yieldToStatements()
  t.strictSame(wait(), [])
  for (const end of ends) end()
})
