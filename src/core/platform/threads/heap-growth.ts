import { setFlagsFromString } from 'node:v8'

/** Growth of a heap before V8 collects garbage; by default it grows up to fourfold. */
const GROWTH_PERCENT = 50

/**
 * Limits the growth of all heaps of this process between collections to half of their size. Otherwise one user with 1,000 large requests
 * would double the memory of a daemon. It costs a few percent of the time.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}

/**
 * Keeps the young generation of all heaps of this process at its present size. Buffers are freed with the young objects that own them, so a
 * stream of large buffers needs less memory.
 */
export function limitYoungGenerationGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
