export type { ServerCounts } from './queries.ts'
export { readServerCounts } from './read-counts.ts'
export { readServerStatus, type ServerStatus } from './read-status.ts'
