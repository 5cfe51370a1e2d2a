export { createGarbageCollector } from './collect-garbage.ts'
export { lowerV8Workers } from './lower-v8-workers.ts'
export {
  beginBackgroundStatement,
  resetBackgroundStatements,
  yieldToRequests,
  yieldToStatements,
  beginForegroundRequest,
} from './background-throttle.ts'
export { limitHeapGrowth, beginMemoryIntensiveWork } from './heap-growth.ts'
export { startThread, type ThreadOptions } from './start-thread.ts'
export { lowerThreadPriority } from './lower-thread-priority.ts'
