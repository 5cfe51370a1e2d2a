export { FailureCache } from './failure-cache.ts'
export { createAttachedValue, type AttachedValue } from './attached-value.ts'
export { remembered } from './remembered.ts'
