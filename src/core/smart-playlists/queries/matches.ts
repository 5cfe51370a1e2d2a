import { sql, type FragmentSqlToken } from 'slonik'
import { CountRow, IdRow, unpreparedPrefix, type Connection } from '../../platform/database/index.ts'
import type { RuleField, RuleNode } from '../rule-tree.ts'
import type { ItemSelectionRules, SortKey } from '../smart-playlist.ts'
import { ruleCondition, TEXT_LIST_SEPARATOR, TEXT_FIELD_COLUMNS } from './conditions.ts'

/**
 * The ids of the items of a library that a selection matches, in its order; items without a sort value come last. Versions, parts and
 * extras of an item are not returned separately.
 */
export async function selectMatchingItemIds(
  connection: Connection,
  { libraryId, selection }: { libraryId: string; selection: ItemSelectionRules },
): Promise<readonly string[]> {
  const { rules, limit, sortBy, isDescending } = selection
  const direction = isDescending ? sql.fragment`desc` : sql.fragment`asc`
  return connection.anyFirst(sql.type(IdRow)`${unpreparedPrefix}
    select i.id from media_items i where ${isChosen(libraryId, rules)}
    order by ${sortValue(sortBy)} ${direction} nulls last, i.sort_key, i.id limit ${limit}`)
}

/** The number of matches, counted up to a limit. */
export async function countMatchingItems(
  connection: Connection,
  { libraryId, rules, atMost }: { libraryId: string; rules: RuleNode; atMost: number },
): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`${unpreparedPrefix}
    select count(*) as count from (
      select from media_items i where ${isChosen(libraryId, rules)} limit ${atMost}) found`)
}

function isChosen(libraryId: string, rules: RuleNode): FragmentSqlToken {
  return sql.fragment`i.library_id = ${libraryId} and i.role is null and ${ruleCondition(rules)}`
}

/**
 * The SQL value of each sort key. Titles are sorted ignoring articles and case, content ratings by minimum age. Keys that are not listed
 * here are texts: an item with several values is sorted by its first value.
 */
const SORT_VALUES: Readonly<Partial<Record<SortKey, FragmentSqlToken>>> = {
  title: sql.fragment`i.sort_key`,
  year: sql.fragment`i.year`,
  rating: sql.fragment`i.rating_rank`,
  criticScore: sql.fragment`i.critic_score`,
  addedAt: sql.fragment`i.added_at`,
  runtime: sql.fragment`(i.duration_seconds + i.parts_seconds)`,
  random: sql.fragment`random()`,
}

function sortValue(sortBy: SortKey): FragmentSqlToken {
  const { column } = TEXT_FIELD_COLUMNS[sortBy as RuleField] ?? {}
  return (
    SORT_VALUES[sortBy] ??
    sql.fragment`search_fold(split_part(${column ?? sql.fragment`''`}, ${TEXT_LIST_SEPARATOR}, 2))`
  )
}
