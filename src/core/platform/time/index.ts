export { systemClock, type Clock } from './clock.ts'
export { isoTimestampOrNull, toIsoTimestamp, toSqlTimestamp } from './timestamp-formats.ts'
