import { sql, type FragmentSqlToken } from 'slonik'

/** The condition for an item `i`: it is this item, an episode of this season or series, or a further file of one of them. */
export function isItemOrDescendant(itemId: string): FragmentSqlToken {
  const below = sql.fragment`
    select id from media_items where id = ${itemId} or parent_id = ${itemId}
    union select e.id from media_items s join media_items e on e.parent_id = s.id where s.parent_id = ${itemId}`
  return sql.fragment`(i.id in (${below}) or i.primary_id in (${below}))`
}
