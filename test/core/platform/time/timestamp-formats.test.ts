import t from 'tap'
import { systemClock, toIsoTimestamp, toSqlTimestamp } from '../../../../src/core/platform/time/index.ts'

void t.test('times are formatted in UTC in the two formats of the API', (t) => {
  const time = new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 789))
  t.equal(toSqlTimestamp(time), '2026-02-03 04:05:06')
  t.equal(toIsoTimestamp(time), '2026-02-03T04:05:06.789Z')
  t.end()
})

void t.test('the monotonic clock never goes back, and Unix seconds are whole', (t) => {
  const first = systemClock.monotonicMilliseconds()
  t.ok(systemClock.monotonicMilliseconds() >= first)
  t.ok(Number.isInteger(systemClock.unixSeconds()))
  t.end()
})
