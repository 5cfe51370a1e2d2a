import { sql } from 'slonik'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { CheckedConditions } from '../filter/item-filter.ts'
import { conditionsOf } from './conditions.ts'

/** The ids of the items that match, ordered by name. */
export async function selectIds(
  connection: Connection,
  { limit, ...conditions }: CheckedConditions & { limit: number },
): Promise<readonly string[]> {
  const { libraryId, parentId, isTopLevel } = conditions
  const places = [
    ...(libraryId === undefined ? [] : [sql.fragment`i.library_id = ${libraryId}`]),
    ...(parentId === undefined ? [] : [sql.fragment`i.parent_id = ${parentId}`]),
    ...(isTopLevel ? [sql.fragment`i.parent_id is null`] : []),
  ]
  return connection.anyFirst(sql.type(IdRow)`
    select i.id from media_items i where ${sql.join([...places, conditionsOf(conditions)], sql.fragment` and `)}
    order by i.sort_key, i.id limit ${limit}`)
}
