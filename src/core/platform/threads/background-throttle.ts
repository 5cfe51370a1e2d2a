import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { collectOnOwnThread } from './single-threaded-gc.ts'
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
const UNDER_WAY = 0
const SO_FAR = 1
const STATEMENTS = 2
const places = sharedPlaces(3)

/** Clients send sequences of requests. */
const PAUSE_MILLISECONDS = 1

/** For this time after a request another one is likely. */
const ATTENTION_MILLISECONDS = 300

/**
 * A thread waits on credit that it earns by working, so that it always makes progress, regardless of the number of requests. Statements of
 * background work take a tenth of the most that it may wait for one.
 */
const forRequests = accountOf({ earnedPerMillisecond: 1, maxMilliseconds: 50 })
const forStatements = accountOf({ earnedPerMillisecond: 2, maxMilliseconds: 500 })

let seen = 0
let seenAt = Number.NEGATIVE_INFINITY

/** Marks a request as running until the returned function is called; background work waits in the meantime. */
export function beginForegroundRequest(): () => void {
  if (isMemoryIntensiveWorkRunning()) collectOnOwnThread()
  Atomics.add(places, SO_FAR, 1)
  return enter(UNDER_WAY)
}

/** Marks a statement of background work as running until the returned function is called. */
export function beginBackgroundStatement(): () => void {
  return enter(STATEMENTS)
}

/** Resets the count after the thread that runs these statements has ended in the middle of one, so that no thread waits for it. */
export function resetBackgroundStatements(): void {
  Atomics.store(places, STATEMENTS, 0)
  Atomics.notify(places, STATEMENTS)
}

/**
 * Called between two small steps of background work: blocks the thread while requests are being answered. The main thread, which answers
 * them, never waits.
 */
export function yieldToRequests(): void {
  if (isMainThread) return
  forRequests.earn()
  if (Atomics.load(places, UNDER_WAY) === 0) return
  let isQuiet = false
  while (forRequests.credit() > 0 && !isQuiet) {
    const underWay = Atomics.load(places, UNDER_WAY)
    const limit = underWay === 0 ? Math.min(PAUSE_MILLISECONDS, forRequests.credit()) : forRequests.credit()
    isQuiet = Atomics.wait(places, UNDER_WAY, underWay, limit) === 'timed-out' && underWay === 0
    forRequests.spend()
  }
}

/**
 * The same for a thread that would use the last free processor: while the server receives requests, it also waits for statements of
 * background work.
 */
export function yieldToStatements(): void {
  if (isMainThread) return
  forStatements.earn()
  while (forStatements.credit() > 0 && isAsked(performance.now())) {
    const statements = Atomics.load(places, STATEMENTS)
    if (statements <= 0) return
    Atomics.wait(places, STATEMENTS, statements, Math.min(forStatements.credit(), ATTENTION_MILLISECONDS))
    forStatements.spend()
  }
}

/** Milliseconds that a thread may wait. It earns them by working since its last wait, up to a limit. */
function accountOf(rule: { earnedPerMillisecond: number; maxMilliseconds: number }) {
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
function isAsked(now: number): boolean {
  const soFar = Atomics.load(places, SO_FAR)
  if (soFar !== seen) [seen, seenAt] = [soFar, now]
  return now - seenAt < ATTENTION_MILLISECONDS
}

function enter(place: number): () => void {
  Atomics.add(places, place, 1)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    const before = Atomics.sub(places, place, 1)
    if (before === 1) Atomics.notify(places, place)
    // The counter was reset in the meantime because the thread had ended.
    if (before <= 0) Atomics.add(places, place, 1)
  }
}

function sharedPlaces(count: number): Int32Array {
  const given = getEnvironmentData(NAME)
  if (given instanceof SharedArrayBuffer) return new Int32Array(given)
  const memory = new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT)
  setEnvironmentData(NAME, memory)
  return new Int32Array(memory)
}
