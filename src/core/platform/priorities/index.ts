export { lowerPriority } from './lower-priority.ts'
export { lowerSession } from './lower-session.ts'
