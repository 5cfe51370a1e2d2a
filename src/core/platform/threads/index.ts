export { startThread, type ThreadOrder } from './start-thread.ts'
export { yieldToOthers } from './yield-to-others.ts'
