import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { CheckedConditions } from '../filter/item-filter.ts'

const ItemCount = z.strictObject({ libraryId: z.string(), isTopLevel: z.boolean(), count: z.number() })

/** The number of matching items in one partition: a library's top-level items, or the items below the top level. */
export type ItemCount = z.infer<typeof ItemCount>

const LabelRow = z.strictObject({ label: z.string(), count: z.number() })

/** A label that items are counted under, and the count. */
export type FacetCount = z.infer<typeof LabelRow>

export type CountKind = 'letter' | 'year' | 'genre' | 'rating'

type PartitionFilter = Pick<CheckedConditions, 'libraryId' | 'isTopLevel' | 'types'>

/** The part of a filter, besides library, level and type, that one kind of stored count can answer. */
export type CountedFacet =
  | { kind: 'items' }
  | { kind: 'genre' | 'rating'; values: readonly string[] }
  | { kind: 'year'; from: number | null; to: number | null }

/** The partitions that contain matching items, with the counts. Empty partitions are absent. */
export async function selectItemCounts(
  connection: Connection,
  place: PartitionFilter,
  label: CountedFacet,
): Promise<ItemCount[]> {
  const rows = await connection.any(sql.type(ItemCount)`
    select library_id, is_top_level, sum(count)::int8 as count from item_tallies
    where ${placeOf(place)} and ${labelCondition(label)}
    group by library_id, is_top_level having sum(count) > 0 order by library_id, is_top_level`)
  return [...rows]
}

function labelCondition(label: CountedFacet): FragmentSqlToken {
  if (label.kind === 'items') return sql.fragment`kind = 'items'`
  if (label.kind === 'year') {
    return sql.fragment`
      kind = 'year' and case when kind = 'year' then label::integer end
        between ${label.from ?? -1} and ${label.to ?? 10_000}`
  }
  return sql.fragment`
    kind = ${label.kind} and left(search_fold(label), 200) = any (facet_keys('', ${sql.array([...label.values], 'text')}))`
}

function placeOf({ libraryId, isTopLevel, types }: PartitionFilter): FragmentSqlToken {
  const conditions = [
    ...(libraryId === undefined ? [] : [sql.fragment`library_id = ${libraryId}`]),
    ...(isTopLevel ? [sql.fragment`is_top_level`] : []),
    ...(types === undefined ? [] : [sql.fragment`type = any (${sql.array([...types], 'text')})`]),
  ]
  return conditions.length === 0 ? sql.fragment`true` : sql.fragment`${sql.join(conditions, sql.fragment` and `)}`
}

/** Letters, years, genres or content ratings of some items, with their counts, in no order. */
export async function selectFacetCounts(
  connection: Connection,
  place: PartitionFilter,
  kind: CountKind,
): Promise<FacetCount[]> {
  const rows = await connection.any(sql.type(LabelRow)`
    select label, sum(count)::int8 as count from item_tallies
    where ${placeOf(place)} and kind = ${kind} group by label having sum(count) > 0`)
  return [...rows]
}
