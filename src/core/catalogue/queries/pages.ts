import { randomUUID } from 'node:crypto'
import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'
import type { CheckedConditions, CheckedItemFilter } from '../filter/item-filter.ts'
import {
  contentConditions,
  topLevelCondition,
  likelyContentConditions,
  parentCondition,
  sortTitleBeginsWith,
} from './conditions.ts'
import type { ItemCount } from './counts.ts'
import { totalSeconds } from './total-seconds.ts'

/**
 * A filter with the partitions that contain its items. `after` skips items of a list that is ordered by name. `from` skips items of any
 * list, including lists ordered by time.
 */
export type PageQuery = CheckedItemFilter & {
  itemCounts: readonly ItemCount[]
  after?: NameBoundary | undefined
  from?: SortPosition | undefined
}

const PositionRow = z.strictObject({ id: z.string(), sortKey: z.string(), addedAt: z.string() })

/** An item with its sort keys by name and by time. The time is a text, because a Date has no microseconds. */
export type SortPosition = z.infer<typeof PositionRow>

/** Ascending: names from this one on. Descending: names before it. */
export type NameBoundary = { name: string; order: 'asc' | 'desc' }

type Direction = 'asc' | 'desc'

/** Rows of some partitions in one order: each partition is read from an index, and the results are merged. */
type Part = {
  condition: FragmentSqlToken
  /** Whether most rows that fulfil the condition match the filter. */
  isLikely?: boolean
  keys: (prefix: FragmentSqlToken) => FragmentSqlToken[]
  direction: Direction
}

const Ids = z.strictObject({ ids: z.array(z.string()) })

/**
 * The ids of a page of items. Each partition is read in order from an index that contains only this partition, up to the end of the page.
 * PostgreSQL returns the branches of this `union all` in order: rows with a value before rows without. One aggregated value is read faster
 * than one row per item.
 */
export async function selectPageIds(connection: Connection, query: PageQuery): Promise<string[]> {
  if (query.itemCounts.length === 0) return []
  return connection.oneFirst(sql.type(Ids)`
    select to_json(array(select p.id from (${pageIds(query)}) p limit ${query.limit} offset ${query.offset})) as ids`)
}

function pageIds(query: PageQuery): FragmentSqlToken {
  if (query.sort === 'random') return randomIds(query)
  const parts = partsOf(query).map((part) => selectPart(query, part))
  return sql.fragment`${sql.join(parts, sql.fragment` union all `)}`
}

function selectPart(query: PageQuery, { condition, keys, direction, isLikely = false }: Part): FragmentSqlToken {
  const conditions = isLikely ? likelyContentConditions(query) : contentConditions(query)
  const depth = query.limit + query.offset
  const suffix = direction === 'desc' ? sql.fragment` desc` : sql.fragment``
  const ordered = (prefix: FragmentSqlToken): FragmentSqlToken =>
    sql.fragment`${sql.join(
      keys(prefix).map((key) => sql.fragment`${key}${suffix}`),
      sql.fragment`, `,
    )}`
  const named = keys(sql.fragment`i.`).map((key, index) => sql.fragment`${key} as ${sql.identifier([`key${index}`])}`)
  const partitions = query.itemCounts.map(
    (partition) => sql.fragment`(
      select i.id, ${sql.join(named, sql.fragment`, `)} from media_items i
      where ${partitionCondition(partition)} and ${conditions} and ${condition}
      order by ${ordered(sql.fragment`i.`)} limit ${depth})`,
  )
  const merged = named.map((_, index) => sql.fragment`${sql.identifier(['s', `key${index}`])}${suffix}`)
  return sql.fragment`(
    select s.id from (${sql.join(partitions, sql.fragment` union all `)}) s
    order by ${sql.join(merged, sql.fragment`, `)} limit ${depth})`
}

/** The condition exactly as in the indexes `media_items_top_…` and `media_items_below_…`. */
function partitionCondition({ libraryId, isTopLevel }: ItemCount): FragmentSqlToken {
  const level = isTopLevel ? sql.fragment`i.parent_id is null` : sql.fragment`i.parent_id is not null`
  return sql.fragment`i.library_id = ${libraryId} and ${level}`
}

const byName = (prefix: FragmentSqlToken): FragmentSqlToken[] => [
  sql.fragment`${prefix}sort_key`,
  sql.fragment`${prefix}id`,
]

const byTime = (prefix: FragmentSqlToken): FragmentSqlToken[] => [
  sql.fragment`${prefix}added_at`,
  sql.fragment`${prefix}id`,
]

/** The rows with a sort value, and after them the rows without. */
function partsOf(query: PageQuery): Part[] {
  const { sort, order, search } = query
  const withValue = (column: FragmentSqlToken, keys: Part['keys']): Part[] => [
    { condition: sql.fragment`${column} is not null`, keys, direction: order },
    { condition: sql.fragment`${column} is null`, keys: byName, direction: order },
  ]
  switch (sort) {
    case 'added':
      return [{ condition: startOf(query), keys: byTime, direction: order }]
    case 'year':
      return withValue(sql.fragment`i.year`, (p) => [sql.fragment`${p}year`, ...byName(p)])
    case 'runtime':
      return withValue(totalSeconds, (p) => [
        sql.fragment`(${p}duration_seconds + ${p}parts_seconds)`,
        sql.fragment`${p}id`,
      ])
    case 'rating':
      return withValue(sql.fragment`i.rating_rank`, (p) => [sql.fragment`${p}rating_rank`, ...byName(p)])
    case 'relevance': {
      const begins = sortTitleBeginsWith(search ?? '')
      return [
        { condition: begins, isLikely: true, keys: byName, direction: order },
        { condition: sql.fragment`not (${begins})`, keys: byName, direction: order },
      ]
    }
    case 'name':
    case 'position':
    case 'random':
      return [{ condition: startOf(query), keys: byName, direction: order }]
  }
}

/** The condition on the rows of a list that begins at a given position. */
function startOf({ sort, order, after, from }: PageQuery): FragmentSqlToken {
  if (from !== undefined) {
    const operator = order === 'asc' ? sql.fragment`>=` : sql.fragment`<=`
    return sort === 'added'
      ? sql.fragment`(i.added_at, i.id) ${operator} (${from.addedAt}::timestamptz, ${from.id}::uuid)`
      : sql.fragment`(i.sort_key, i.id) ${operator} (${from.sortKey}, ${from.id}::uuid)`
  }
  if (after === undefined) return sql.fragment`true`
  return after.order === 'asc' ? sql.fragment`i.sort_key >= ${after.name}` : sql.fragment`i.sort_key < ${after.name}`
}

/** The position of an item; undefined if it no longer exists. */
export async function selectSortPosition(connection: Connection, id: string): Promise<SortPosition | undefined> {
  const row = await connection.maybeOne(sql.type(PositionRow)`
    select id, sort_key, added_at::text as added_at from media_items where id = ${id}`)
  return row ?? undefined
}

/**
 * Sets of up to this many items are sorted by a random number. Larger sets are read in the order of their ids, which are random, from a
 * random id on; after the last id the reading continues with the first.
 */
const MAX_SHUFFLED = 20_000

function randomIds(query: PageQuery): FragmentSqlToken {
  const total = query.itemCounts.reduce((sum, { count }) => sum + count, 0)
  const partitions = sql.fragment`${sql.join(
    query.itemCounts.map((partition) => sql.fragment`(${partitionCondition(partition)})`),
    sql.fragment` or `,
  )}`
  const where = sql.fragment`(${partitions}) and ${contentConditions(query)}`
  if (total <= MAX_SHUFFLED) return sql.fragment`(select i.id from media_items i where ${where} order by random())`
  const depth = query.limit + query.offset
  const start = randomUUID()
  return sql.fragment`
    (select i.id from media_items i where i.id >= ${start} and ${where} order by i.id limit ${depth})
    union all (select i.id from media_items i where i.id < ${start} and ${where} order by i.id limit ${depth})`
}

/** The ids of a page of the children of an item, by season and episode number; specials last, daily episodes by date. */
export async function selectChildIds(
  connection: Connection,
  filter: CheckedItemFilter & { parentId: string },
): Promise<string[]> {
  return connection.oneFirst(sql.type(Ids)`
    select to_json(array(
      select i.id from media_items i
      where ${parentCondition(filter)} and ${contentConditions(filter)}
      order by ${childrenOrder(filter)} limit ${filter.limit} offset ${filter.offset})) as ids`)
}

const COLUMNS = {
  name: sql.fragment`i.sort_key`,
  year: sql.fragment`i.year`,
  added: sql.fragment`i.added_at`,
  runtime: totalSeconds,
  rating: sql.fragment`i.rating_rank`,
  random: sql.fragment`random()`,
} as const

function childrenOrder({ sort, order }: CheckedItemFilter): FragmentSqlToken {
  const way = order === 'desc' ? sql.fragment`desc` : sql.fragment`asc`
  if (sort !== 'position' && sort !== 'relevance') {
    return sql.fragment`${COLUMNS[sort]} ${way} nulls last, i.sort_key ${way}, i.id ${way}`
  }
  return sql.fragment`
    nullif(i.season_number, 0) ${way} nulls last, i.episode_number ${way} nulls last,
    coalesce(i.local_metadata->>'air_date', i.metadata->>'air_date') ${way} nulls last, i.sort_key ${way}, i.id ${way}`
}

const FoldedRow = z.strictObject({ folded: z.string() })

/** The number of matching items, counted up to a limit. */
export async function countItems(
  connection: Connection,
  filter: CheckedConditions & { atMost?: number | undefined },
): Promise<number> {
  const end = filter.atMost === undefined ? sql.fragment`` : sql.fragment`limit ${filter.atMost}`
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from (
      select from media_items i where ${parentCondition(filter)} and ${topLevelCondition(filter)}
        and ${contentConditions(filter)} ${end}) found`)
}

/** Thresholds of `word_similarity`, the fraction of common trigrams. The default of 0.6 misses two swapped letters in a word of six. */
const SIMILARITY_THRESHOLDS = [0.6, 0.5, 0.4] as const

/** If there are fewer results than this, the next lower threshold is tried. */
const MIN_RESULTS = 50

/**
 * Maximum number of compared names. In a large catalogue a hundred thousand names can be slightly similar, and any of them are equally
 * good.
 */
const MAX_COMPARED = 5000

/** Names that are similar to the search but do not contain it, the most similar first. Must run in a transaction: it sets the threshold. */
export async function selectSimilarNames(
  connection: Connection,
  { search, limit, ...rest }: CheckedConditions & { search: string; limit: number },
): Promise<string[]> {
  const folded = await connection.oneFirst(sql.type(FoldedRow)`
    select search_fold(${search}) as folded`)
  let ids: readonly string[] = []
  for (const threshold of SIMILARITY_THRESHOLDS) {
    await connection.query(sql.unsafe`
      select set_config('pg_trgm.word_similarity_threshold', ${String(threshold)}, true)`)
    ids = await connection.anyFirst(sql.type(IdRow)`
      select id from (
        select i.id, i.search_name, i.sort_key from media_items i
        where ${folded}::text <% i.search_name and ${parentCondition(rest)} and ${contentConditions({ ...rest, search: undefined })}
        limit ${MAX_COMPARED}) i
      order by word_similarity(${folded}::text, i.search_name) desc, length(i.search_name), i.sort_key, i.id
      limit ${limit}`)
    if (ids.length >= Math.min(MIN_RESULTS, limit)) break
  }
  return [...ids]
}
