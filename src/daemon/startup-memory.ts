import { createGarbageCollector, limitHeapGrowth } from '../core/platform/threads/index.ts'
import { prepareToRunTools } from '../core/platform/spawn/index.ts'

/** Delay in milliseconds: by then the first requests after the start are answered. */
const DELAY_MILLISECONDS = 1000

/**
 * After a delay, loads the modules for running tools and releases the memory that only the start needed: half-filled pages, and the young
 * generation at its full size. V8 does this only when memory is short. The release takes 100 ms once; the idle daemon then uses about 40 MB
 * less, and its heap may grow by half before a collection (docs/decisions).
 */
export function releaseStartupMemory(): void {
  // A failure, for example because no descriptor is free, is not final: each run of a tool loads the module again.
  const prepare = (): Promise<void> => prepareToRunTools().catch(() => {})
  setTimeout(() => void prepare().then(collectGarbage), DELAY_MILLISECONDS).unref()
}

function collectGarbage(): void {
  // V8 computes the heap size of the next collection at the end of a collection.
  limitHeapGrowth()
  createGarbageCollector().collectWholeHeap()
}
