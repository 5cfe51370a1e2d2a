import { sql } from 'slonik'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { CheckedConditions } from '../filter/item-filter.ts'
import { contentConditions, topLevelCondition, parentCondition } from './conditions.ts'

/** The ids of the items that match, ordered by name. */
export async function selectMatchingIds(
  connection: Connection,
  { limit, ...conditions }: CheckedConditions & { limit: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select i.id from media_items i
    where ${parentCondition(conditions)} and ${topLevelCondition(conditions)} and ${contentConditions(conditions)}
    order by i.sort_key, i.id limit ${limit}`)
}
