import { sql, type FragmentSqlToken } from 'slonik'

/** Reports that arrive at the same time are written in another order; between them there is no more than this. */
const LONGEST_OVERTAKING_MILLISECONDS = 60_000

/**
 * The later of what a column holds and now. A time that is far ahead of now was written before the clock was set back, and would be
 * the time of the last report for as long: now takes its place.
 */
export function laterOf(column: string, now: Date): FragmentSqlToken {
  const [time, at] = [sql.identifier([column]), sql.timestamp(now)]
  const latest = sql.timestamp(new Date(now.getTime() + LONGEST_OVERTAKING_MILLISECONDS))
  return sql.fragment`case when ${time} > ${latest} then ${at} else greatest(${time}, ${at}) end`
}
