import { setFlagsFromString } from 'node:v8'

/** By default V8 lets a heap grow up to fourfold before it collects garbage. */
const GROWTH_PERCENT = 50

let runningCount = 0

/** Whether memory-intensive work is running. */
export function isMemoryIntensiveWorkRunning(): boolean {
  return runningCount > 0
}

/**
 * Limits the growth of all heaps of this process between collections to half of their size. Otherwise one user with 1,000 large requests
 * would double the memory of a daemon. It costs a few percent of the time.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}

/**
 * Marks work that processes a large number of items, until the returned function is called. Without the limit, the heaps of its threads
 * would each grow to four times their need.
 */
export function beginMemoryIntensiveWork(): () => void {
  runningCount += 1
  limitHeapGrowth()
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    runningCount -= 1
  }
}
