export { orderedMap } from './ordered-map.ts'
export { startPeriodicTask, type PeriodicTask } from './periodic-task.ts'
export { prefetch } from './prefetch.ts'
export { Semaphore, type SemaphoreInput } from './semaphore.ts'
