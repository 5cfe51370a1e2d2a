export { systemClock, type Clock } from './clock.ts'
export { toIsoTimestamp, toSqlTimestamp } from './formats.ts'
