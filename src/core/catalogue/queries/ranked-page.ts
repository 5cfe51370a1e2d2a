import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { CheckedConditions, CheckedItemFilter } from '../filter/item-filter.ts'
import { chooseSearchWords } from '../filter/search-words.ts'
import { contentConditions, matchRank, parentCondition, narrowSearch } from './conditions.ts'
import { selectWholeWords } from './search-words.ts'

const RankedPageRow = z.strictObject({ total: z.number(), ids: z.array(z.string()) })

/** The number of results of a search, and a page of them, the best first. */
export type RankedPage = z.infer<typeof RankedPageRow>

/**
 * The results of a search if all of them can be ranked: their number and a page, in one statement, because finding them takes longer than
 * everything else. Undefined if there are more than `atMost`.
 */
export async function selectRankedPage(
  connection: Connection,
  filter: CheckedItemFilter & { search: string },
  atMost: number,
): Promise<RankedPage | undefined> {
  const { search, limit, offset } = filter
  const direction = filter.order === 'desc' ? sql.fragment`desc` : sql.fragment`asc`
  const page = await connection.one(sql.type(RankedPageRow)`
    with found as materialized (${await matchingRows(connection, filter)} limit ${atMost + 1})
    select (select count(*) from found) as total, array(
      select i.id from found i order by ${matchRank(search)}, i.sort_key ${direction}, i.id ${direction}
      limit ${limit} offset ${offset}) as ids`)
  return page.total > atMost ? undefined : page
}

/** The rows that a search finds, each once. Uses the index of whole words if it narrows the search. */
async function matchingRows(
  connection: Connection,
  filter: CheckedConditions & { search: string },
): Promise<FragmentSqlToken> {
  const { match, words } = chooseSearchWords(filter.search)
  const lists = match === 'parts' ? await selectWholeWords(connection, words) : []
  const rowsWith = (condition: FragmentSqlToken): FragmentSqlToken => sql.fragment`
    select i.id, i.sort_key, i.search_name, i.facets from media_items i where ${parentCondition(filter)} and ${condition}`
  if (lists.length === 0) return rowsWith(contentConditions(filter))
  const rest = contentConditions({ ...filter, search: undefined })
  const { byName, byPeople } = narrowSearch(filter.search, lists)
  return sql.fragment`${rowsWith(sql.fragment`${rest} and ${byName}`)} union all ${rowsWith(sql.fragment`${rest} and ${byPeople}`)}`
}
