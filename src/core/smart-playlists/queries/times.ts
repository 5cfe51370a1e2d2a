import { sql, type FragmentSqlToken } from 'slonik'
import type { RuleOperator } from '../rule-tree.ts'

/** Times that PostgreSQL and JavaScript can represent, before and after any time of an item. */
const [EARLIEST, LATEST] = [-2e14, 8e15]

/**
 * Compares the time of addition, in whole milliseconds, with Unix seconds. The values are converted to times once, because converting the
 * times of a million items to seconds would take longer than everything else.
 */
export function timeCondition(op: RuleOperator, seconds: readonly number[]): FragmentSqlToken {
  const [first = 0, second = 0] = seconds
  if (op === 'gt') return isAtOrAfter(lastMillisecond(first) + 1)
  if (op === 'gte') return isAtOrAfter(firstMillisecond(first))
  if (op === 'lt') return isBefore(firstMillisecond(first))
  if (op === 'lte') return isBefore(lastMillisecond(first) + 1)
  if (op !== 'between') return isOneOf(seconds)
  return sql.fragment`(${isAtOrAfter(firstMillisecond(first))} and ${isBefore(lastMillisecond(second) + 1)})`
}

function isAtOrAfter(milliseconds: number): FragmentSqlToken {
  return sql.fragment`i.added_at >= ${timeOf(milliseconds)}`
}

/** Exclusive upper bound. */
function isBefore(milliseconds: number): FragmentSqlToken {
  return sql.fragment`i.added_at < ${timeOf(milliseconds)}`
}

function isOneOf(seconds: readonly number[]): FragmentSqlToken {
  const whole = seconds
    .map((one) => ({ one, last: lastMillisecond(one) }))
    .filter(({ one, last }) => isWhole(last, one))
  if (whole.length === 0) return sql.fragment`false`
  const spans = whole.map(({ last }) => sql.fragment`(${isAtOrAfter(last)} and ${isBefore(last + 1)})`)
  return sql.fragment`(${sql.join(spans, sql.fragment` or `)})`
}

/** The first millisecond that is not before a number of seconds. */
function firstMillisecond(seconds: number): number {
  const last = lastMillisecond(seconds)
  return isWhole(last, seconds) ? last : last + 1
}

/** The last millisecond that is not after a number of seconds, as doubles compare: 1.1 s × 1000 is slightly more than 1100. */
function lastMillisecond(seconds: number): number {
  let last = Math.min(Math.max(Math.floor(seconds * 1000), EARLIEST), LATEST)
  if ((last + 1) / 1000 <= seconds && last < LATEST) last += 1
  if (last / 1000 > seconds && last > EARLIEST) last -= 1
  return last
}

function isWhole(milliseconds: number, seconds: number): boolean {
  return milliseconds / 1000 === seconds
}

function timeOf(milliseconds: number): FragmentSqlToken {
  return sql.fragment`to_timestamp(${String(milliseconds / 1000)}::float8)`
}
