import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { collectGarbageOnOwnThread } from './single-threaded-gc.ts'
import { isMemoryIntensiveWorkRunning } from './heap-growth.ts'

/**
 * Background work yields to requests. Threads with background work wait between small steps while requests are answered. Thread priorities
 * are not sufficient: a thread still completes its time slice of some milliseconds at each of the many switches between this process and
 * the database, and they have no effect between sessions, of which each process of the database has one (sched(7), "The autogroup
 * feature").
 */

/** Node passes environment data on to the threads of a thread. */
const NAME = 'phlix.rightOfWay'

/** Indexes into memory that all threads share: running requests, requests so far, running statements of background work. */
const RUNNING_REQUESTS = 0
const TOTAL_REQUESTS = 1
const RUNNING_STATEMENTS = 2
const counters = sharedCounters(3)

/** Clients send sequences of requests. */
const PAUSE_MILLISECONDS = 1

/** For this time after a request another one is likely. */
const ACTIVITY_MILLISECONDS = 300

/**
 * A thread waits on credit that it earns by working, so that it always makes progress, regardless of the number of requests. Statements of
 * background work take a tenth of the most that it may wait for one.
 */
const requestCredit = createWaitCredit({ earnedPerMillisecond: 1, maxMilliseconds: 50 })
const statementCredit = createWaitCredit({ earnedPerMillisecond: 2, maxMilliseconds: 500 })

let lastTotal = 0
let lastRequestAt = Number.NEGATIVE_INFINITY

/** Marks a request as running until the returned function is called; background work waits in the meantime. */
export function beginForegroundRequest(): () => void {
  if (isMemoryIntensiveWorkRunning()) collectGarbageOnOwnThread()
  Atomics.add(counters, TOTAL_REQUESTS, 1)
  return increment(RUNNING_REQUESTS)
}

/** Marks a statement of background work as running until the returned function is called. */
export function beginBackgroundStatement(): () => void {
  return increment(RUNNING_STATEMENTS)
}

/** Resets the count after the thread that runs these statements has ended in the middle of one, so that no thread waits for it. */
export function resetBackgroundStatements(): void {
  Atomics.store(counters, RUNNING_STATEMENTS, 0)
  Atomics.notify(counters, RUNNING_STATEMENTS)
}

/**
 * Called between two small steps of background work: blocks the thread while requests are being answered. The main thread, which answers
 * them, never waits.
 */
export function yieldToRequests(): void {
  if (isMainThread) return
  requestCredit.earn()
  if (Atomics.load(counters, RUNNING_REQUESTS) === 0) return
  let isQuiet = false
  while (requestCredit.credit() > 0 && !isQuiet) {
    const underWay = Atomics.load(counters, RUNNING_REQUESTS)
    const limit = underWay === 0 ? Math.min(PAUSE_MILLISECONDS, requestCredit.credit()) : requestCredit.credit()
    isQuiet = Atomics.wait(counters, RUNNING_REQUESTS, underWay, limit) === 'timed-out' && underWay === 0
    requestCredit.spend()
  }
}

/**
 * The same for a thread that would use the last free processor: while the server receives requests, it also waits for statements of
 * background work.
 */
export function yieldToStatements(): void {
  if (isMainThread) return
  statementCredit.earn()
  while (statementCredit.credit() > 0 && hasRecentRequest(performance.now())) {
    const statements = Atomics.load(counters, RUNNING_STATEMENTS)
    if (statements <= 0) return
    Atomics.wait(counters, RUNNING_STATEMENTS, statements, Math.min(statementCredit.credit(), ACTIVITY_MILLISECONDS))
    statementCredit.spend()
  }
}

/** Milliseconds that a thread may wait. It earns them by working since its last wait, up to a limit. */
function createWaitCredit(rule: { earnedPerMillisecond: number; maxMilliseconds: number }) {
  let creditMilliseconds = 0
  let at = performance.now()
  const passed = (): number => {
    const before = at
    at = performance.now()
    return at - before
  }
  return {
    earn(): void {
      creditMilliseconds = Math.min(creditMilliseconds + passed() * rule.earnedPerMillisecond, rule.maxMilliseconds)
    },
    spend(): void {
      creditMilliseconds -= passed()
    },
    credit: (): number => creditMilliseconds,
  }
}

/** Threads have different clocks, so that a change of the number is observed instead of comparing times. */
function hasRecentRequest(now: number): boolean {
  const total = Atomics.load(counters, TOTAL_REQUESTS)
  if (total !== lastTotal) [lastTotal, lastRequestAt] = [total, now]
  return now - lastRequestAt < ACTIVITY_MILLISECONDS
}

function increment(index: number): () => void {
  Atomics.add(counters, index, 1)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    const before = Atomics.sub(counters, index, 1)
    if (before === 1) Atomics.notify(counters, index)
    // The counter was reset in the meantime because the thread had ended.
    if (before <= 0) Atomics.add(counters, index, 1)
  }
}

function sharedCounters(count: number): Int32Array {
  const given = getEnvironmentData(NAME)
  if (given instanceof SharedArrayBuffer) return new Int32Array(given)
  const memory = new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT)
  setEnvironmentData(NAME, memory)
  return new Int32Array(memory)
}
