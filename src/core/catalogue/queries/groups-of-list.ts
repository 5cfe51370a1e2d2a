import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { CheckedConditions } from '../item-filter.ts'
import { conditionsOf } from './conditions.ts'
import type { FacetCount } from './counts.ts'
import { totalSeconds } from './total-seconds.ts'

/** What a list can be cut into pieces by. */
export type GroupField = 'name' | 'year' | 'rating' | 'runtime' | 'added'

const GroupRow = z.strictObject({ label: z.string(), count: z.number() })

/** Half hours up to three; a month that something was added in. An empty label: the item has no such value. */
const LABELS: Readonly<Record<GroupField, FragmentSqlToken>> = {
  name: sql.fragment`name_letter(i.sort_key)`,
  year: sql.fragment`i.year::text`,
  rating: sql.fragment`i.rating_rank::text`,
  // `least` passes over null.
  runtime: sql.fragment`
    case when i.duration_seconds is not null then (least(floor(${totalSeconds} / 1800), 6) * 30)::text end`,
  added: sql.fragment`to_char(i.added_at at time zone 'UTC', 'YYYY-MM')`,
}

/** How many of the items that a filter means are under each label. Looks at each of them. */
export async function selectGroupCounts(
  connection: Connection,
  filter: CheckedConditions,
  field: GroupField,
): Promise<FacetCount[]> {
  const { libraryId, parentId, isTopLevel } = filter
  const rows = await connection.any(sql.type(GroupRow)`
    select coalesce(${LABELS[field]}, '') as label, count(*) as count from media_items i
    where ${libraryId === undefined ? sql.fragment`true` : sql.fragment`i.library_id = ${libraryId}`}
      and ${parentId === undefined ? sql.fragment`true` : sql.fragment`i.parent_id = ${parentId}`}
      and ${isTopLevel ? sql.fragment`i.parent_id is null` : sql.fragment`true`} and ${conditionsOf(filter)}
    group by 1`)
  return [...rows]
}
