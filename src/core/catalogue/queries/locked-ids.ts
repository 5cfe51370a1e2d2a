import { sql, type FragmentSqlToken } from 'slonik'

/**
 * An array of the ids of items `i` that fulfil a condition, for a statement that removes them. All of them are locked before the first
 * is removed, in the order in which marks and reports lock items: a removal and a mark that lock the same items in different orders
 * would end in a deadlock. Rows that go with them by a foreign key are locked later; a deadlock over those is repeated
 * (`openPool`).
 */
export function lockedIds(condition: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`array(select i.id from media_items i where ${condition} order by i.id for update)`
}
