import { sql, type FragmentSqlToken } from 'slonik'

/**
 * An array of the ids of items `i` that fulfil a condition, for a statement that deletes them. All of them are locked before the first is
 * deleted, in the same order as in updates of marks and reports: different orders would cause a deadlock. Rows that are deleted by a
 * foreign key are locked later; a statement that ends in a deadlock over such rows is retried (`openPool`).
 */
export function lockedIdsArray(condition: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`array(select i.id from media_items i where ${condition} order by i.id for update)`
}
