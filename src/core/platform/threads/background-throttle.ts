import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { limitHeapGrowth } from './heap-growth.ts'
import { createSingleThreadedGc } from './single-threaded-gc.ts'
import { createWaitBudget } from './wait-budget.ts'

/**
 * Background work yields to requests. Threads with background work wait between small steps while requests are answered. Thread priorities
 * are not sufficient. A request switches often between this process and the database, and at each switch a background thread still
 * completes its time slice of some milliseconds. Priorities also have no effect between sessions, and each process of the database has its
 * own session (sched(7), "The autogroup feature").
 */
export type BackgroundThrottle = {
  /** Marks a request as running until the returned function is called; background work waits in the meantime. */
  beginForegroundRequest: () => () => void
  /** Marks a statement of background work as running until the returned function is called. */
  beginBackgroundStatement: () => () => void
  /** Resets the count after a thread has ended during such a statement, so that no other thread waits for it. */
  resetBackgroundStatements: () => void
  /**
   * Marks work that processes a large number of items, until the returned function is called. Without the limit, the heaps of its threads
   * would each grow to four times their need.
   */
  beginMemoryIntensiveWork: () => () => void
  /**
   * Called between two small steps of background work: blocks the thread while requests are being answered. The main thread, which answers
   * them, never waits.
   */
  yieldToRequests: () => void
  /**
   * Like `yieldToRequests`, for a thread that would use the last free processor: while the server receives requests, the thread also waits
   * for statements of background work.
   */
  yieldToStatements: () => void
}

/** Node passes environment data on to the threads of a thread. */
const ENVIRONMENT_DATA_KEY = 'phlix.backgroundThrottle'

/** Indexes into memory that all threads share: running requests, requests so far, running statements of background work. */
const RUNNING_REQUESTS = 0
const TOTAL_REQUESTS = 1
const RUNNING_STATEMENTS = 2
const COUNTERS = 3

/** Clients send sequences of requests. */
const PAUSE_MILLISECONDS = 1

/** Time after a request during which another request is likely. */
const ACTIVITY_MILLISECONDS = 300

/**
 * A thread waits on credit that it earns by working, so that it always makes progress, regardless of the number of requests. Statements of
 * background work take a tenth of the most that it may wait for one.
 */
const REQUEST_CREDIT = { earnedPerMillisecond: 1, maxMilliseconds: 50 }
const STATEMENT_CREDIT = { earnedPerMillisecond: 2, maxMilliseconds: 500 }

/**
 * Creates the throttle of a thread. The main thread creates its own before it starts others: the throttles of all threads of a process
 * share the counters, and each has its own wait credit.
 */
export function createBackgroundThrottle(): BackgroundThrottle {
  const counters = sharedCounters()
  const collectOnOwnThread = createSingleThreadedGc()
  let memoryIntensiveCount = 0
  return {
    beginForegroundRequest() {
      if (memoryIntensiveCount > 0) collectOnOwnThread()
      Atomics.add(counters, TOTAL_REQUESTS, 1)
      return increment(counters, RUNNING_REQUESTS)
    },
    beginBackgroundStatement: () => increment(counters, RUNNING_STATEMENTS),
    resetBackgroundStatements() {
      Atomics.store(counters, RUNNING_STATEMENTS, 0)
      Atomics.notify(counters, RUNNING_STATEMENTS)
    },
    beginMemoryIntensiveWork() {
      memoryIntensiveCount += 1
      limitHeapGrowth()
      return once(() => (memoryIntensiveCount -= 1))
    },
    yieldToRequests: createRequestWait(counters),
    yieldToStatements: createStatementWait(counters),
  }
}

function createRequestWait(counters: Int32Array): () => void {
  const credit = createWaitBudget(REQUEST_CREDIT)
  return () => {
    if (isMainThread) return
    credit.earn()
    if (Atomics.load(counters, RUNNING_REQUESTS) === 0) return
    let isQuiet = false
    while (credit.milliseconds() > 0 && !isQuiet) {
      const running = Atomics.load(counters, RUNNING_REQUESTS)
      const limit = running === 0 ? Math.min(PAUSE_MILLISECONDS, credit.milliseconds()) : credit.milliseconds()
      isQuiet = Atomics.wait(counters, RUNNING_REQUESTS, running, limit) === 'timed-out' && running === 0
      credit.spend()
    }
  }
}

function createStatementWait(counters: Int32Array): () => void {
  const credit = createWaitBudget(STATEMENT_CREDIT)
  const hasRecentRequest = createActivityCheck(counters)
  return () => {
    if (isMainThread) return
    credit.earn()
    while (credit.milliseconds() > 0 && hasRecentRequest()) {
      const statements = Atomics.load(counters, RUNNING_STATEMENTS)
      if (statements <= 0) return
      Atomics.wait(counters, RUNNING_STATEMENTS, statements, Math.min(credit.milliseconds(), ACTIVITY_MILLISECONDS))
      credit.spend()
    }
  }
}

/** Threads have different clocks, so that a change of the number of requests is observed instead of comparing times. */
function createActivityCheck(counters: Int32Array): () => boolean {
  let lastTotal = 0
  let lastRequestAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    const total = Atomics.load(counters, TOTAL_REQUESTS)
    if (total !== lastTotal) [lastTotal, lastRequestAt] = [total, now]
    return now - lastRequestAt < ACTIVITY_MILLISECONDS
  }
}

function increment(counters: Int32Array, index: number): () => void {
  Atomics.add(counters, index, 1)
  return once(() => {
    const before = Atomics.sub(counters, index, 1)
    if (before === 1) Atomics.notify(counters, index)
    // The counter was reset in the meantime because the thread had ended.
    if (before <= 0) Atomics.add(counters, index, 1)
  })
}

function once(act: () => void): () => void {
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    act()
  }
}

function sharedCounters(): Int32Array {
  const given = getEnvironmentData(ENVIRONMENT_DATA_KEY)
  if (given instanceof SharedArrayBuffer) return new Int32Array(given)
  const memory = new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT)
  setEnvironmentData(ENVIRONMENT_DATA_KEY, memory)
  return new Int32Array(memory)
}
