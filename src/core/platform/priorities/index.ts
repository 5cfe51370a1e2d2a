export { lowerPriority } from './lower-priority.ts'
export { lowerAutogroupPriority } from './lower-autogroup.ts'
