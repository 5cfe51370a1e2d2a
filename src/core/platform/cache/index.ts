export { FailureCache } from './failure-cache.ts'
