import { setFlagsFromString } from 'node:v8'

/** By default V8 lets a heap grow up to fourfold before it collects garbage. */
const GROWTH_PERCENT = 50

/**
 * Limits the growth of all heaps of this process between collections to half of their size. Otherwise one user with 1,000 large requests
 * would double the memory of a daemon. It costs a few percent of the time.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
