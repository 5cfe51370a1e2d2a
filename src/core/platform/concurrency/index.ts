export { orderedMap } from './ordered-map.ts'
export { prefetch } from './prefetch.ts'
export { Semaphore, type SemaphoreInput } from './semaphore.ts'
