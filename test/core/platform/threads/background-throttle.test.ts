import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import {
  beginBackgroundStatement,
  resetBackgroundStatements,
  yieldToRequests,
  yieldToStatements,
  beginForegroundRequest,
} from '../../../../src/core/platform/threads/index.ts'

const THREADS = join(import.meta.dirname, '../../../../src/core/platform/threads/index.ts')

/** What the thread says of itself: it works, it waits, or a round is over. */
const [WORKING, WAITING, OVER] = [0, 1, 2]

/** What a thread of background work would have worked before each round, by its clock. */
const WORKED_MILLISECONDS = 60

/**
 * Waits in rounds, on a clock that only the rounds move: each begins with work of 60 ms. `limits` says what a wait does whose limit is
 * over: `never` ends only what is told, so that a slow machine ends no wait early; `pass` lets the time of each limit pass at once.
 * Places in memory: what the thread says; whether the test has ended what it began; rounds that went on after that; milliseconds waited.
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
  // Nothing is under way: what is left is the pause in which another request may come.
  if (value === 0) return 'timed-out'
  say(${WAITING})
  return really(where, at, value, Infinity)
}
const { yieldToRequests, yieldToStatements } = await import(${JSON.stringify(THREADS)})
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
  /** The next word of the thread, unlike `word`. */
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

/** In how many of some rounds the thread waited, and in how many it went on only after what was begun had ended. */
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

void t.test('work in the background goes on when the request is answered', async (t) => {
  t.match(await roundsOf(t, 'requests', beginForegroundRequest), { waited: ROUNDS, wentOnAfterwards: ROUNDS })
})

void t.test('who would take the last processor waits also for statements, while somebody asks', async (t) => {
  const rounds = await roundsOf(t, 'statements', () => {
    beginForegroundRequest()()
    return beginBackgroundStatement()
  })
  t.match(rounds, { waited: ROUNDS, wentOnAfterwards: ROUNDS })
})

void t.test('while nobody asks, nobody waits for statements', async (t) => {
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
  // The thread is new, and takes what was asked before it for something that was asked just now.
  t.ok((waited[0] ?? 0) > 0)
  t.strictSame(waited.slice(5), [0, 0, 0, 0, 0], 'after 300 ms without a question')
})

void t.test('nobody waits for a statement of a thread that has died', async (t) => {
  const { waited } = await roundsOf(t, 'statements', () => {
    beginForegroundRequest()()
    const end = beginBackgroundStatement()
    resetBackgroundStatements()
    return end
  })
  t.equal(waited, 0)
})

void t.test('a request that never ends, or a statement, ends no work', async (t) => {
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
      // Somebody asks again, so that statements are still waited for.
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
