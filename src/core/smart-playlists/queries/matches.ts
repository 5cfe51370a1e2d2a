import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { FIELDS, type Field, type RuleNode } from '../rule-tree.ts'
import type { Selection, SortKey } from '../smart-playlist.ts'
import { conditionOf, fieldValue, joinedTexts } from './conditions.ts'

const IdRow = z.strictObject({ id: z.string() })

/**
 * The ids of the items of a library that a selection chooses, in its order; what does not say what is sorted by comes last. Versions, parts
 * and extras of an item are not items of their own.
 */
export async function selectMatches(
  connection: Connection,
  { libraryId, selection }: { libraryId: string; selection: Selection },
): Promise<readonly string[]> {
  const { rules, limit, sortBy, isDescending } = selection
  const asked = [...fieldsOf(rules)]
  const direction = isDescending ? sql.fragment`desc` : sql.fragment`asc`
  return connection.anyFirst(sql.type(IdRow)`
    select i.id from media_items i ${asked.length === 0 ? sql.fragment`` : fieldsJoin(asked)}
    where i.library_id = ${libraryId} and i.role is null and ${conditionOf(rules)}
    order by ${sortValue(sortBy)} ${direction} nulls last, i.sort_key, i.id limit ${limit}`)
}

/** The fields of each item as `f`. `offset 0`: they are made once for each item, not once for each leaf. */
function fieldsJoin(asked: readonly Field[]): FragmentSqlToken {
  const comma = sql.fragment`, `
  const fields = asked.map((field) => sql.fragment`${fieldValue(field)} as ${sql.identifier([field])}`)
  const joined = asked
    .filter((field) => FIELDS[field] === 'texts')
    .map((field) => sql.fragment`, ${joinedTexts(field)} as ${sql.identifier([`${field} joined`])}`)
  return sql.fragment`
    cross join lateral (
      select v.* ${joined.length === 0 ? sql.fragment`` : sql.join(joined, sql.fragment` `)}
      from (select ${sql.join(fields, comma)} from (select i.metadata || i.local_metadata as said) m offset 0) v offset 0) f`
}

function fieldsOf(node: RuleNode): Set<Field> {
  return 'field' in node ? new Set([node.field]) : new Set(node.rules.flatMap((rule) => [...fieldsOf(rule)]))
}

/** Titles go without article and case, content ratings from the youngest up; of several texts the first one counts. */
const SORT_VALUES: Readonly<Partial<Record<SortKey, FragmentSqlToken>>> = {
  title: sql.fragment`i.sort_key`,
  year: sql.fragment`i.year`,
  rating: sql.fragment`i.rating_rank`,
  criticScore: sql.fragment`i.vote_average`,
  addedAt: sql.fragment`i.added_at`,
  runtime: sql.fragment`i.duration_seconds`,
  random: sql.fragment`random()`,
}

function sortValue(sortBy: SortKey): FragmentSqlToken {
  const column = SORT_VALUES[sortBy]
  if (column !== undefined || !(sortBy in FIELDS)) return column ?? sql.fragment`i.id`
  return sql.fragment`
    (select search_fold((${fieldValue(sortBy as Field)})[1]) from (select i.metadata || i.local_metadata as said) m)`
}
