import { setFlagsFromString } from 'node:v8'

/** V8 lets a heap grow by what it thinks best, up to fourfold, before it cleans it; by so much while memory is saved. */
const SAVING_PERCENT = 50

let savers = 0

/** Whether there is such work just now. */
export function isMemorySaved(): boolean {
  return savers > 0
}

/**
 * Until what is returned is called, every heap of this process is cleaned when it has grown by half. For work that goes through a million
 * things: its heaps, of several threads, would otherwise each hold four times what they need. It costs a few percent of the time, which
 * who answers requests can use better; so nobody saves longer than the work lasts.
 */
export function saveMemory(): () => void {
  savers += 1
  setFlagsFromString(`--heap-growing-percent=${SAVING_PERCENT}`)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    savers -= 1
    // 0 is V8's own judgement (src/heap/heap-controller.cc, GrowingFactor).
    if (savers === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}
