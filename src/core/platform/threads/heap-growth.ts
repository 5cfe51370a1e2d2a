import { setFlagsFromString } from 'node:v8'

/** V8 lets a heap grow by what it thinks best, up to fourfold, before it cleans it. */
const GROWTH_PERCENT = 50

let savers = 0

/** Whether there is such work just now. */
export function isMemoryIntensiveWorkRunning(): boolean {
  return savers > 0
}

/**
 * From now on every heap of this process is cleaned when it has grown by half. One user who sends 1,000 large requests would otherwise
 * double the memory of a daemon. It costs a few percent of the time.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}

/**
 * Until what is returned is called, work goes on that goes through a million things: its heaps, of several threads, would each hold four
 * times what they need, if their growth were not limited.
 */
export function beginMemoryIntensiveWork(): () => void {
  savers += 1
  limitHeapGrowth()
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    savers -= 1
  }
}
