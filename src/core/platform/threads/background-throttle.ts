import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { collectOnOwnThread } from './single-threaded-gc.ts'
import { isMemoryIntensiveWorkRunning } from './heap-growth.ts'

/**
 * Who waits for an answer goes before work in the background, which waits where it has come to the end of a small piece. Priorities alone
 * let a thread finish its slice of some milliseconds first, at each of the many steps between this process and the database; and between
 * sessions, of which each process of the database has one, they do not count at all (sched(7), "The autogroup feature").
 */

/** Node hands this on to the threads of a thread. */
const NAME = 'phlix.rightOfWay'

/** Places in memory that all threads share: requests being answered, requests so far, statements of background work that run. */
const UNDER_WAY = 0
const SO_FAR = 1
const STATEMENTS = 2
const places = sharedPlaces(3)

/** Clients ask one thing after another. */
const PAUSE_MILLISECONDS = 1

/** So long after a request another one is likely. */
const ATTENTION_MILLISECONDS = 300

/**
 * A thread waits on credit that it earns by working, so it never stands still, however many requests there are. Statements of background
 * work take a tenth of the most that it may wait for one.
 */
const forRequests = accountOf({ earnedPerMillisecond: 1, maxMilliseconds: 50 })
const forStatements = accountOf({ earnedPerMillisecond: 2, maxMilliseconds: 500 })

let seen = 0
let seenAt = Number.NEGATIVE_INFINITY

/** A request has the processors to itself until what is returned is called. */
export function beginForegroundRequest(): () => void {
  if (isMemoryIntensiveWorkRunning()) collectOnOwnThread()
  Atomics.add(places, SO_FAR, 1)
  return enter(UNDER_WAY)
}

/** Said by work in the background: the database is busy with a statement of it until what is returned is called. */
export function beginBackgroundStatement(): () => void {
  return enter(STATEMENTS)
}

/** Said when the thread that begins these statements has ended: whichever it was in, nobody waits for them any more. */
export function resetBackgroundStatements(): void {
  Atomics.store(places, STATEMENTS, 0)
  Atomics.notify(places, STATEMENTS)
}

/**
 * Called by a thread between two small pieces of background work: waits, blocking, while requests are being answered. Who answers them, the
 * main thread, never waits.
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
 * The same for a thread that would take the last free processor: while somebody asks this server things, it waits also for statements of
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

/** Milliseconds that a thread may wait: what it earns by working since it last waited, up to a limit. */
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

/** Each thread has a clock of its own, so it looks whether the number has changed. */
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
    // Forgotten meanwhile, with what a thread before had left.
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
