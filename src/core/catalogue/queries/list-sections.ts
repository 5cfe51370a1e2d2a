import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { CheckedConditions } from '../filter/item-filter.ts'
import { contentConditions, topLevelCondition, parentCondition } from './conditions.ts'
import type { FacetCount } from './counts.ts'
import { totalSeconds } from './total-seconds.ts'

/** The fields by which a list can be divided into sections. */
export type ListSectionField = 'name' | 'year' | 'rating' | 'runtime' | 'added'

const SectionRow = z.strictObject({ label: z.string(), count: z.number() })

/**
 * The section label of an item. `runtime`: minutes, rounded down to half an hour, at most 180. `added`: the month. No value: an empty
 * label.
 */
const LABELS: Readonly<Record<ListSectionField, FragmentSqlToken>> = {
  name: sql.fragment`name_letter(i.sort_key)`,
  year: sql.fragment`i.year::text`,
  rating: sql.fragment`i.rating_rank::text`,
  // `least` ignores null, so an unknown duration would become 180.
  runtime: sql.fragment`
    case when i.duration_seconds is not null then (least(floor(${totalSeconds} / 1800), 6) * 30)::text end`,
  added: sql.fragment`to_char(i.added_at at time zone 'UTC', 'YYYY-MM')`,
}

/** The number of matching items per label. Reads the row of every matching item. */
export async function selectSectionCounts(
  connection: Connection,
  filter: CheckedConditions,
  field: ListSectionField,
): Promise<FacetCount[]> {
  const rows = await connection.any(sql.type(SectionRow)`
    select coalesce(${LABELS[field]}, '') as label, count(*) as count from media_items i
    where ${parentCondition(filter)} and ${topLevelCondition(filter)} and ${contentConditions(filter)}
    group by 1`)
  return [...rows]
}
