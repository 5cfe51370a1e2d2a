export { lowerV8Workers } from './lower-v8-workers.ts'
export {
  beginBackgroundStatement,
  forgetBackgroundStatements,
  giveWay,
  giveWayToStatements,
  takeRightOfWay,
} from './right-of-way.ts'
export { limitHeapGrowth, saveMemory } from './save-memory.ts'
export { startThread, type ThreadOrder } from './start-thread.ts'
export { yieldToOthers } from './yield-to-others.ts'
