export { systemClock, type Clock } from './clock.ts'
export { clockTime, isoTimestampOrNull, toIsoTimestamp, toSqlTimestamp } from './timestamp-formats.ts'
