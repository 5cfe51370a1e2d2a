export { FailureCache } from './failure-cache.ts'
export { createAttachedValue, type AttachedValue } from './attached-value.ts'
export { cacheResult } from './cache-result.ts'
export { keepResult } from './keep-result.ts'
