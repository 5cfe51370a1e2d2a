import { sql, type FragmentSqlToken } from 'slonik'

/** Concurrent reports may be written in another order. Their times differ by no more than this. */
const MAX_REORDERING_MILLISECONDS = 60_000

/**
 * The later of the stored time and now. A stored time far in the future was written before the clock was set back, and would stay the
 * latest until then: it is replaced by now.
 */
export function laterOfStoredAndNow(column: string, now: Date): FragmentSqlToken {
  const [time, at] = [sql.identifier([column]), sql.timestamp(now)]
  const latest = sql.timestamp(new Date(now.getTime() + MAX_REORDERING_MILLISECONDS))
  return sql.fragment`case when ${time} > ${latest} then ${at} else greatest(${time}, ${at}) end`
}
